"""The ways out of the program: the only importers of requests, sockets and SQLite."""
