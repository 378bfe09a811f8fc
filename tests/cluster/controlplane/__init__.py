"""Builds and runs the real Helm binaries and the real control plane that helmguard's tests use.

Everything but `client`, `helm` and `fixtures` needs only Python's standard library, so that the `cluster`
command works before helmguard's own dependencies are installed.
"""
