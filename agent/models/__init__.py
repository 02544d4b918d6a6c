"""Backends: each encodes a dialogue for one kind of server and decodes its reply."""
