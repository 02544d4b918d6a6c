"""The shell of Scout: argv, streams, terminal and exit status around one Conversation."""
