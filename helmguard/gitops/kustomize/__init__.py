"""What ``kustomize build`` makes of the folders of a tree, as far as Helm's input needs it."""
