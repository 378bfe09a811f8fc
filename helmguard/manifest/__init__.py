"""Manifests as Helm and the Kubernetes client read them: YAML, documents, objects, hooks and their order."""
