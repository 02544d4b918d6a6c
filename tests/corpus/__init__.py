"""Runs a file of failure cases against the program: `python -m tests.corpus KIND [FILE.jsonl …]`."""
