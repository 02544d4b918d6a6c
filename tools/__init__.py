"""The hands of Scout: every tool there is, written by hand, no discovery."""
