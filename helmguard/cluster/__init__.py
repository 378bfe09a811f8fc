"""The only part that talks to the API server: kubeconfig, discovery, release records, live objects.

It reads and never judges. ``connect`` gives a ``Connection``; all readers are functions that take one.
"""
