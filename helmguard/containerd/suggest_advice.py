"""What belongs to the edits: commands, the RuntimeClass, how to see that it works, and what to know."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec

from helmguard.containerd.suggest_managed import (
    distribution,
    remarks_for,
    restart_command,
    restart_hint,
    template_of,
)
from helmguard.containerd.suggest_model import Command, Suggestion
from helmguard.containerd.suggest_wanted import (
    Asked,
    Wanted,
    is_broken,
    is_program,
    kubelet_systemd,
    present_programs,
    program_of,
)
from helmguard.containerd.toml_text import toml_string
from helmguard.model.node_facts import NodeFacts

_CDI_SPEC = "/etc/cdi/nvidia.yaml"
_LIBRARY_VERSION = re.compile(r"\.so\.(\d{3,}(?:\.\d+)+)")
_REFRESH_UNITS = tuple(
    f"{folder}/nvidia-cdi-refresh.service"
    for folder in ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
)
_IDLE = ("generation", "unmigrated", "hidden", "replaced")
_CLASS_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


def advice_for(
    facts: NodeFacts, found: Suggestion, wanted: Wanted, asked: Asked, also_installed: bool | None = None
) -> Suggestion:
    """The suggestion with all that is no edit."""
    return msgspec.structs.replace(
        found,
        commands=tuple(_commands(facts, found, asked)),
        verify=() if found.refused or found.is_right else tuple(_verify(found)),
        alternative=() if found.refused or found.is_right else tuple(_alternative(facts, found, wanted)),
        runtime_class=runtime_class(asked.runtime),
        unsolved=(*_on_program(facts, found, wanted), *_on_cdi(facts, asked)),
        remarks=tuple(_remarks(facts, found, wanted, asked, also_installed)),
    )


def runtime_class(runtime: str) -> str:
    """The RuntimeClass that leads pods to a runtime: its handler is the runtime's name, letter by letter."""
    name = (
        runtime
        if _CLASS_NAME.fullmatch(runtime)
        else re.sub(r"[^a-z0-9.-]+", "-", runtime.lower()).strip("-.")
    )
    handler = runtime if _CLASS_NAME.fullmatch(runtime) else toml_string(runtime)
    return f"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata:\n  name: {name}\nhandler: {handler}\n"


def _commands(facts: NodeFacts, found: Suggestion, asked: Asked) -> Iterator[Command]:
    if asked.cdi or stale_specs(facts):
        yield from _cdi_command(facts)
    if found.edits:
        hint = restart_hint(facts)
        why = f"containerd reads its files when it starts{f' ({hint})' if hint else ''}; running pods go on"
        yield Command(restart_command(facts), why)


def _cdi_command(facts: NodeFacts) -> Iterator[Command]:
    for unit in _REFRESH_UNITS:
        if unit in facts.paths and facts.paths[unit].kind == "file":
            yield Command(f"systemctl restart {posixpath.basename(unit)}", "writes the CDI spec anew")
            return
    for path in present_programs(facts, "nvidia-ctk"):
        folder = posixpath.dirname(path)
        words = ["nvidia-ctk" if folder == "/usr/bin" else path, "cdi", "generate", f"--output={_CDI_SPEC}"]
        if facts.driver.root != "/":
            words.append(f"--driver-root={facts.driver.root}")
        hook = f"{folder}/nvidia-cdi-hook"
        if folder != "/usr/bin" and is_program(facts.paths.get(hook)):
            words.append(f"--nvidia-cdi-hook-path={hook}")
        yield Command(" ".join(words), "writes the CDI spec for the driver that is installed")
        return


def stale_specs(facts: NodeFacts) -> list[str]:
    """CDI specs of NVIDIA that name libraries of other driver versions than the one that is loaded."""
    driver = facts.driver.kernel_version
    found = []
    for path, file in sorted(facts.files.items()):
        if posixpath.dirname(path) not in facts.cdi_folders or "nvidia.com/" not in (file.text or ""):
            continue
        versions = set(_LIBRARY_VERSION.findall(file.text or ""))
        if driver and versions and driver not in versions:
            found.append(path)
    return found


def _verify(found: Suggestion) -> Iterator[Command]:
    name = found.runtime
    yield Command("helmguard node check", "reads the files anew, and judges them")
    yield Command(
        f"crictl info | jq '.config.containerd.runtimes[\"{name}\"]'",
        "what the containerd that runs knows of it",
    )
    yield Command(
        f"kubectl run {name.lower()}-test --rm -i --restart=Never --image=registry.example.com/cuda:12 "
        f'--overrides=\'{{"spec":{{"runtimeClassName":"{name}"}}}}\' -- nvidia-smi',
        "a pod through the RuntimeClass (put your own image)",
    )


def _alternative(facts: NodeFacts, found: Suggestion, wanted: Wanted) -> Iterator[Command]:
    """The toolkit writes into config.toml, or (with a flag of 1.18) a drop-in beside it."""
    if template_of(facts, found.before) or not wanted.runtime.startswith("nvidia"):
        return
    for path in present_programs(facts, "nvidia-ctk")[:1]:
        program = "nvidia-ctk" if path.startswith("/usr/bin/") else path
        main = facts.containerd.config_path
        words = [program, "runtime", "configure", "--runtime=containerd", f"--config={main}"]
        if wanted.runtime != "nvidia":
            words.append(f"--nvidia-runtime-name={wanted.runtime}")
        words.append(f"--set-as-default={'true' if wanted.default else 'false'}")
        if wanted.cdi:
            words.append("--cdi.enabled=true")
        drop_in = f"{posixpath.dirname(main)}/conf.d/99-nvidia.toml"
        words += [f"--drop-in-config={drop_in}", "--config-source=file"]
        if found.before.generation == "1":
            does = (
                f"from toolkit 1.18 on: copies the CRI table of {posixpath.basename(main)} into the drop-in, "
                "which then takes the place of the whole table: later edits of the main file have no effect"
            )
        else:
            does = f"from toolkit 1.18 on: writes {drop_in} and an import of it; SystemdCgroup as runc has it"
        yield Command(" ".join(words), does)


def _remarks(
    facts: NodeFacts, found: Suggestion, wanted: Wanted, asked: Asked, also_installed: bool | None
) -> Iterator[str]:
    if found.edits:
        yield from _on_edits(facts, found, wanted)
    if also_installed is not None:
        other = facts.containerd.version
        now = (
            "holds under it, too"
            if also_installed
            else "does not hold under it: write it when it is upgraded"
        )
        yield f"The node has containerd {other} now: what is suggested for {found.containerd} {now}."
    yield from _on_settings(facts, found, wanted, asked)
    if not found.before.defaults_known:
        yield f"containerd {found.containerd} was not measured: the nearest version's defaults are taken."
    if found.edits:
        yield from remarks_for(facts)


def _on_program(facts: NodeFacts, found: Suggestion, wanted: Wanted) -> Iterator[str]:
    settings = found.effective.runtimes.get(wanted.runtime)
    path = (settings.binary_name if settings is not None else "") or wanted.binary
    seen = facts.paths.get(path)
    if not path or not path.startswith("/"):
        return
    if is_broken(seen):
        state = "is not there" if seen is not None and seen.kind == "absent" else "cannot be run"
        yield (
            f"{path} {state}: containerd starts without it, and every pod of {wanted.runtime} fails. "
            + (
                "Install NVIDIA's container toolkit first."
                if posixpath.basename(path) == program_of(wanted.runtime)
                else "Install it first."
            )
        )


def _on_cdi(facts: NodeFacts, asked: Asked) -> Iterator[str]:
    if (asked.cdi or stale_specs(facts)) and not list(_cdi_command(facts)):
        yield (
            f"The CDI spec is to be written by nvidia-ctk cdi generate --output={_CDI_SPEC}, and nvidia-ctk "
            "was not found on the node."
        )


def _on_edits(facts: NodeFacts, found: Suggestion, wanted: Wanted) -> Iterator[str]:
    main = facts.containerd.config_path
    if found.before.generation == "1" and any(edit.path == main for edit in found.edits):
        yield (
            "On containerd 1.x a drop-in's CRI table takes the place of the main file's whole one. A drop-in "
            "would have to copy all of it, and later edits of the main file would have no effect: so the "
            "runtime goes into the main file itself."
        )
    if template_of(facts, found.before) and any(edit.path.endswith(".tmpl") for edit in found.edits):
        name = distribution(facts)
        yield f"{name} adds NVIDIA's runtime by itself where its program is at a start: try a restart first."
    for edit in found.edits:
        drop_ins = [one.path for one in found.edits if one.before is None and one.path != edit.path]
        for path in drop_ins:
            if edit.after and toml_string(path) in edit.after:
                yield (
                    f"{edit.path} imports {path} by its name, since a pattern would read other files, too: "
                    "containerd refuses to start when that file is gone."
                )
        if edit.dropped:
            yield (
                f"{edit.path} holds credentials, which were dropped from these facts: carry over the changed "
                "lines alone."
            )
    if wanted.cgroups:
        driver = facts.kubelet.cgroup_driver
        names = ", ".join(wanted.cgroups)
        yield (
            f"The cgroups of {names} are changed to those of the kubelet ({driver}): drain the node first, "
            "since pods that run keep the old ones."
        )


def _on_settings(facts: NodeFacts, found: Suggestion, wanted: Wanted, asked: Asked) -> Iterator[str]:
    effective = found.effective
    if effective.default_runtime_name == wanted.runtime and not asked.set_as_default:
        place = effective.places.get("default_runtime_name")
        where = f" ({place.file}:{place.line})" if place is not None and place.file else ""
        yield (
            f"{wanted.runtime} is the default runtime{where}: every pod of the node passes through it. "
            "That is left as it is."
        )
    if found.edits and wanted.systemd is not None and kubelet_systemd(facts) is None:
        yield (
            "The kubelet's cgroup driver is not known: SystemdCgroup is as runc has it "
            f"({'true' if wanted.systemd else 'false'})."
        )
    if effective.cri == "ok" and not effective.enable_cdi and not asked.cdi:
        yield "CDI is off. Device plugins and DRA drivers that name CDI devices need it: --cdi turns it on."
    for path in stale_specs(facts):
        yield f"{path} names libraries of another driver than the loaded {facts.driver.kernel_version}."
    idle = [one.setting for one in effective.ignored if one.setting and one.why in _IDLE]
    if idle and not found.refused:
        names = ", ".join(dict.fromkeys(idle))
        yield f"These settings of the files have no effect, as before (see helmguard node check): {names}."
    settings = effective.runtimes.get(wanted.runtime)
    if wanted.binary.startswith("/") and wanted.binary not in facts.paths:
        yield f"Whether {wanted.binary} is on the node was not looked at."
    if settings is not None and settings.unknown_options:
        names = ", ".join(settings.unknown_options)
        yield f"Options of {wanted.runtime} that its type does not know stay without effect: {names}."
