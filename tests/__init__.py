"""Claims about Scout, against real servers and files."""
