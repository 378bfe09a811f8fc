"""Flux: Kustomizations and HelmReleases of a tree.

Sources: fluxcd/helm-controller at 0f61a86 (1.6.3), fluxcd/kustomize-controller at 186fb3b, fluxcd/pkg at
e2cfd1a.
"""
