"""Checks of pods, Deployments, DaemonSets, StatefulSets, Jobs and CronJobs."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.cron_schedule import schedule_problem
from helmguard.predict.api_server.validation.names import dns_label
from helmguard.predict.api_server.validation.pod_spec import pod_spec_errors
from helmguard.predict.api_server.validation.policy import percentage_errors
from helmguard.predict.api_server.validation.struct_rules import label_selector_errors
from helmguard.predict.api_server.validation.words import forbidden, invalid, required, unsupported

_ALWAYS = ("Always",)
_TO_THE_END = ("OnFailure", "Never")
_REPLACEMENTS = ("Failed", "TerminatingOrFailed")


def pod_errors(pod: JSONObject) -> Iterator[str]:
    """A bare pod."""
    yield from pod_spec_errors(pod.get("spec") or {}, "spec")


def deployment_errors(deployment: JSONObject) -> Iterator[str]:
    """Selector, template and strategy."""
    yield from _workload_errors(deployment)
    spec = deployment.get("spec") or {}
    strategy = spec.get("strategy") or {}
    rolling = strategy.get("rollingUpdate")
    deadline, ready = spec.get("progressDeadlineSeconds"), spec.get("minReadySeconds") or 0
    if deadline is not None and deadline <= ready:
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")
    if strategy.get("type") not in ("Recreate", "RollingUpdate"):
        yield unsupported("spec.strategy", _internal(strategy), ("Recreate", "RollingUpdate"))
    for name in ("maxUnavailable", "maxSurge"):
        for error in percentage_errors((rolling or {}).get(name), f"spec.strategy.rollingUpdate.{name}"):
            if name == "maxUnavailable" or "greater than 100%" not in error:
                yield error
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
    if strategy.get("type") not in ("RollingUpdate", "OnDelete"):
        yield unsupported("spec.updateStrategy", _internal(strategy), ("RollingUpdate", "OnDelete"))
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
    if strategy.get("type") not in ("RollingUpdate", "OnDelete"):
        yield invalid("spec.updateStrategy", _internal(strategy), "must be 'RollingUpdate' or 'OnDelete'")
    policy = spec.get("podManagementPolicy")
    if policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    if strategy.get("type") == "OnDelete" and strategy.get("rollingUpdate") is not None:
        yield invalid(
            "spec.updateStrategy.rollingUpdate",
            strategy["rollingUpdate"],
            "only allowed for updateStrategy 'RollingUpdate'",
        )


def stateful_set_creation_errors(stateful_set: JSONObject) -> Iterator[str]:
    """The governing Service's name."""
    name = (stateful_set.get("spec") or {}).get("serviceName") or ""
    if name:
        yield from (invalid("spec.serviceName", name, problem) for problem in dns_label(name))


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
    spec = job.get("spec") or {}
    template = spec.get("template") or {}
    yield from _job_spec_errors(spec, "spec")
    yield from pod_spec_errors(template.get("spec") or {}, "spec.template.spec", _TO_THE_END)


def job_creation_errors(job: JSONObject) -> Iterator[str]:
    """A selector of one's own needs ``manualSelector``."""
    spec = job.get("spec") or {}
    if spec.get("selector") and not spec.get("manualSelector"):
        yield invalid("spec.selector", spec["selector"], "`selector` not auto-generated")
        labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
        yield invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")


def cron_job_errors(cron_job: JSONObject) -> Iterator[str]:
    """The schedule and the job template."""
    spec = cron_job.get("spec") or {}
    schedule = spec.get("schedule") or ""
    problem = schedule_problem(schedule) if schedule else ""
    if problem:
        yield invalid("spec.schedule", schedule, problem)
    job = (spec.get("jobTemplate") or {}).get("spec") or {}
    yield from _job_spec_errors(job, "spec.jobTemplate.spec")
    pod = (job.get("template") or {}).get("spec") or {}
    yield from pod_spec_errors(pod, "spec.jobTemplate.spec.template.spec", _TO_THE_END)


def _job_spec_errors(spec: JSONObject, path: str) -> Iterator[str]:
    if spec.get("completionMode") == "Indexed" and spec.get("completions") is None:
        yield required(f"{path}.completions", "when completion mode is Indexed")
    for name in ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"):
        if spec.get(name) is not None and spec.get("completionMode") != "Indexed":
            yield invalid(f"{path}.{name}", spec[name], "requires indexed completion mode")
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy")
    if spec.get("podFailurePolicy") is not None and policy != "Never":
        where = f"{path}.template.spec.restartPolicy"
        yield invalid(where, policy, 'only "Never" is supported when podFailurePolicy is specified')
    replacement = spec.get("podReplacementPolicy")
    replacements = ("Failed",) if spec.get("podFailurePolicy") is not None else _REPLACEMENTS
    if replacement is not None and replacement not in replacements:
        yield unsupported(f"{path}.podReplacementPolicy", replacement, replacements)


def _internal(strategy: JSONObject) -> JSONObject:
    return {"Type": strategy.get("type") or "", "RollingUpdate": None}


def _workload_errors(workload: JSONObject) -> Iterator[str]:
    spec = workload.get("spec") or {}
    template = spec.get("template") or {}
    labels = (template.get("metadata") or {}).get("labels") or {}
    wanted = (spec.get("selector") or {}).get("matchLabels") or {}
    selector = spec.get("selector")
    if selector is None:
        yield required("spec.selector")
    elif not selector.get("matchLabels") and not selector.get("matchExpressions"):
        detail = f"empty selector is invalid for {str(workload.get('kind', '')).lower()}"
        yield invalid("spec.selector", {}, detail)
    elif any(label_selector_errors(selector, "spec.selector")):
        # The walk by types names what is wrong with it.
        yield invalid("spec.selector", selector, "invalid label selector")
        labels = wanted
    if selector is None or any(labels.get(key) != value for key, value in wanted.items()):
        shown = labels or None
        yield invalid("spec.template.metadata.labels", shown, "`selector` does not match template `labels`")
    pod = template.get("spec") or {}
    if pod.get("activeDeadlineSeconds") is not None:
        detail = "activeDeadlineSeconds in ReplicaSet is not Supported"
        yield forbidden("spec.template.spec.activeDeadlineSeconds", detail)
    yield from pod_spec_errors(pod, "spec.template.spec", _ALWAYS)
