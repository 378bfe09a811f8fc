"""Checks of pods, Deployments, DaemonSets, StatefulSets, Jobs and CronJobs."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.pod_spec import pod_spec_errors
from helmguard.predict.api_server.validation.words import forbidden, invalid

_ALWAYS = ("Always",)
_TO_THE_END = ("OnFailure", "Never")


def pod_errors(pod: JSONObject) -> Iterator[str]:
    """A bare pod."""
    yield from pod_spec_errors(pod.get("spec") or {}, "spec")


def deployment_errors(deployment: JSONObject) -> Iterator[str]:
    """Selector, template and strategy."""
    yield from _workload_errors(deployment)
    strategy = (deployment.get("spec") or {}).get("strategy") or {}
    rolling = strategy.get("rollingUpdate")
    if strategy.get("type") == "Recreate" and rolling is not None:
        yield forbidden(
            "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"
        )
    elif rolling and rolling.get("maxUnavailable") in (0, "0%") and rolling.get("maxSurge") in (0, "0%"):
        yield invalid("spec.strategy.rollingUpdate.maxUnavailable", 0, "may not be 0 when `maxSurge` is 0")


def daemon_set_errors(daemon_set: JSONObject) -> Iterator[str]:
    """Selector, template and update strategy."""
    yield from _workload_errors(daemon_set)
    strategy = (daemon_set.get("spec") or {}).get("updateStrategy") or {}
    rolling = strategy.get("rollingUpdate") or {}
    if strategy.get("type") != "RollingUpdate" or not rolling:
        return
    unavailable, surge = rolling.get("maxUnavailable"), rolling.get("maxSurge")
    here = "spec.updateStrategy.rollingUpdate"
    if unavailable in (0, "0%") and surge in (0, "0%"):
        yield f"{here}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0"
    elif unavailable not in (0, "0%") and surge not in (0, "0%"):
        yield invalid(f"{here}.maxSurge", surge, "may not be set when maxUnavailable is non-zero")


def stateful_set_errors(stateful_set: JSONObject) -> Iterator[str]:
    """Selector, template and update strategy; the claim templates are volumes of the pods."""
    spec = stateful_set.get("spec") or {}
    yield from _workload_errors({**stateful_set, "spec": _with_claimed_volumes(spec)})
    strategy = spec.get("updateStrategy") or {}
    if strategy.get("type") == "OnDelete" and strategy.get("rollingUpdate") is not None:
        yield invalid(
            "spec.updateStrategy.rollingUpdate",
            strategy["rollingUpdate"],
            "only allowed for updateStrategy 'RollingUpdate'",
        )


def _with_claimed_volumes(spec: JSONObject) -> JSONObject:
    claims = [(claim.get("metadata") or {}).get("name") for claim in spec.get("volumeClaimTemplates") or []]
    if not claims:
        return spec
    template = spec.get("template") or {}
    pod = template.get("spec") or {}
    others = [volume for volume in pod.get("volumes") or [] if volume.get("name") not in claims]
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims] + others
    return {**spec, "template": {**template, "spec": {**pod, "volumes": volumes}}}


def replica_set_errors(replica_set: JSONObject) -> Iterator[str]:
    """Selector and template."""
    yield from _workload_errors(replica_set)


def job_errors(job: JSONObject) -> Iterator[str]:
    """The template; its labels and selector are the server's."""
    template = (job.get("spec") or {}).get("template") or {}
    yield from pod_spec_errors(template.get("spec") or {}, "spec.template.spec", _TO_THE_END)


def cron_job_errors(cron_job: JSONObject) -> Iterator[str]:
    """The job template."""
    job = ((cron_job.get("spec") or {}).get("jobTemplate") or {}).get("spec") or {}
    spec = (job.get("template") or {}).get("spec") or {}
    yield from pod_spec_errors(spec, "spec.jobTemplate.spec.template.spec", _TO_THE_END)


def _workload_errors(workload: JSONObject) -> Iterator[str]:
    spec = workload.get("spec") or {}
    template = spec.get("template") or {}
    labels = (template.get("metadata") or {}).get("labels") or {}
    wanted = (spec.get("selector") or {}).get("matchLabels") or {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        yield invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")
    yield from pod_spec_errors(template.get("spec") or {}, "spec.template.spec", _ALWAYS)
