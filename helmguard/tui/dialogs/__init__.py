"""Questions and messages in front of a screen, one a file."""
