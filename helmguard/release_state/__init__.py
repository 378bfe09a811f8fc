"""The state of a release and its history, in words. Read only."""
