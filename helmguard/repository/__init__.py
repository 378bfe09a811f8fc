"""The two sides of a change: git refs, the working tree, folders."""
