"""Argo CD: Applications and ApplicationSets of a tree.

Files named in the docstrings are those of argoproj/argo-cd at 37ee009 (3.6 in the making).
"""
