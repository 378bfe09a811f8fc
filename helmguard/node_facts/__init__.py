"""Facts of a node: collected from its file system, written to an archive and read back."""
