"""First files of a new rule: they load, and their examples hold."""

from __future__ import annotations

import re
from pathlib import Path

from helmguard.errors import RuleFileError

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

_PACK = """\
name: {pack}
version: 0.1.0
title: Rules of this project
context: 1
"""

_RULE = """\
# Fields: docs/writing-rules.md. What expressions may name: docs/rule-context.md.
id: {rule}
summary: A workload is to have no replicas, and nothing serves its traffic any more
title: is to have no replicas
severity: danger
category: rollout
over: objects.changed
match: {{kind: [Deployment, StatefulSet]}}
when: at(it.after, "spec.replicas", 1) == 0
unless:
- when: at(it.live, "spec.replicas", 1) == 0
  because: it has none now
where: {{object: "${{it.ref}}", field: spec.replicas}}
before: at(it.live, "spec.replicas", null)
after: at(it.after, "spec.replicas", null)
consequence: Nothing serves its traffic any more.
remedy:
- kubectl -n ${{release.namespace}} scale ${{it.ref}} --replicas=${{at(it.live, "spec.replicas", 1)}}
evidence:
- say here what the rule rests on
"""

_TEST = """\
cases:
- name: from three to none
  context:
    release: {{namespace: shop}}
    objects:
      changed:
      - ref: Deployment/web
        kind: Deployment
        live: {{spec: {{replicas: 3}}}}
        after: {{spec: {{replicas: 0}}}}
  expect:
  - severity: danger
    name: Deployment/web
    field: spec.replicas
    before: 3
    after: 0
    text: kubectl -n shop scale Deployment/web --replicas=3
- name: it had none before
  context:
    objects:
      changed:
      - ref: Deployment/web
        kind: Deployment
        live: {{spec: {{replicas: 0}}}}
        after: {{spec: {{replicas: 0}}}}
  expect: []
- name: it keeps some
  context:
    objects:
      changed:
      - ref: Deployment/web
        kind: Deployment
        live: {{spec: {{replicas: 3}}}}
        after: {{spec: {{replicas: 2}}}}
  expect: []
"""


def new_rule(name: str, folder: Path) -> list[Path]:
    """Writes ``PACK/ID`` into a folder of packs, and the pack where it is new; the files written.

    Raises:
        RuleFileError: the name is none, the rule is there already, or a file cannot be written.
    """
    pack, slash, rule = name.partition("/")
    if not (slash and _NAME.fullmatch(pack) and _NAME.fullmatch(rule)) or rule == "pack":
        raise RuleFileError(
            f"{name!r} is no name for a rule",
            remedy="Write PACK/ID in lower-case words: my-pack/no-latest-image.",
        )
    place = folder / pack
    texts = {f"{rule}.yaml": _RULE, f"{rule}.test.yaml": _TEST}
    if not (place / "pack.yaml").exists():
        texts = {"pack.yaml": _PACK, **texts}
    taken = [place / file for file in texts if (place / file).exists()]
    if taken:
        raise RuleFileError(
            f"{taken[0]} is there already", remedy="Choose another name; nothing was written."
        )
    written = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (place / file).write_text(text.format(pack=pack, rule=rule), encoding="utf-8")
            written.append(place / file)
    except OSError as error:
        raise RuleFileError(f"cannot write {error.filename}: {error.strerror}") from None
    return written
