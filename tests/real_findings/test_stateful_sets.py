"""StatefulSets as databases have them: the containers mount the claim templates."""

from __future__ import annotations

from trial import Trial, resource

DATABASE = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
      - name: db
        image: "{{ .Values.image }}"
        volumeMounts:
        - {name: data, mountPath: /data}
        - {name: "{{ .Values.config }}", mountPath: /config}
      volumes: [{name: config, emptyDir: {}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
"""
VALUES = "replicas: 1\nimage: db:1\nconfig: config\n"


def test_a_claim_template_is_a_volume(trial: Trial) -> None:
    chart = trial.chart({"templates/db.yaml": DATABASE, "values.yaml": VALUES})
    assert trial.plan(chart, "--install")["failure"] is None
    trial.upgrade(chart)
    plan = trial.plan(chart, "--set", "image=db:2")
    assert plan["failure"] is None
    assert resource(plan, "StatefulSet/db")["action"] == "update"
    failing = trial.plan(chart, "--set", "config=no-such-volume")
    assert 'volumeMounts[1].name: Not found: "no-such-volume"' in failing["failure"]["message"]


def test_a_headless_service_has_no_address_to_come(trial: Trial) -> None:
    chart = trial.chart({"templates/db.yaml": DATABASE, "values.yaml": VALUES})
    predicted = resource(trial.plan(chart, "--install"), "Service/db")
    trial.upgrade(chart)
    live = trial.cluster.get(f"/api/v1/namespaces/{trial.namespace}/services/db")
    assert predicted["unknown"] == ""
    assert predicted["after"]["spec"]["clusterIPs"] == live["spec"]["clusterIPs"] == ["None"]
