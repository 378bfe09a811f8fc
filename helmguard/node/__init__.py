"""Checks nodes, gathers their facts from a cluster, suggests what makes them right."""
