"""Secrets: how they are recognised, collected and replaced, the same in every output."""
