"""helmfile's files, read as data: nothing of what they say is run."""
