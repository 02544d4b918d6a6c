"""The mind of Scout: knows no tool, provider or backend by name."""

__version__ = "0.1.0"
