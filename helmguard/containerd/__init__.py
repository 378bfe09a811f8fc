"""What containerd makes of its configuration files, version by version: a port of its loaders, pure."""
