"""Templates of the small charts that the field reports need."""

from __future__ import annotations


def config_map(name: str, annotations: str = "", **data: str) -> str:
    """A ConfigMap; the texts of ``data`` may be template actions."""
    lines = "".join(f'  {key}: "{value}"\n' for key, value in data.items())
    marks = f", annotations: {annotations}" if annotations else ""
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}{marks}}}\ndata:\n{lines}"


def deployment(
    name: str, *, replicas: str = "", image: str = "nginx:1", selector: str = "web", more: str = ""
) -> str:
    """A Deployment of one container; ``more`` are lines of the container."""
    count = f"  replicas: {replicas}\n" if replicas else ""
    return f"""---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
{count}  selector: {{matchLabels: {{app: {selector}}}}}
  template:
    metadata: {{labels: {{app: {selector}}}}}
    spec:
      containers:
      - name: web
        image: {image}
{more}"""


def claim(name: str, annotations: str = "{}") -> str:
    """A PersistentVolumeClaim."""
    return f"""---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {{name: {name}, annotations: {annotations}}}
spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}
"""
