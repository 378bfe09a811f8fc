"""Where the terminal interface has its releases from: a cluster, a bundle, a saved plan."""
