"""Container images that the manifests change, as rules see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.field_change import FieldChange
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.record import Record
from helmguard.rules.context.value_images import full_name, same_version, split_image
from helmguard.rules.facts import Facts

_TEMPLATES = (("template", "spec"), ("jobTemplate", "spec", "template", "spec"), ())


class Image(Record, frozen=True):
    """One container's image in both manifests."""

    ref: Annotated[str, "the object: `Deployment/web`"]
    container: Annotated[str, "the container's name"]
    before: Annotated[str, "the image now: `nginx:1.25`"]
    after: Annotated[str, "the image after"]
    field: Annotated[str, "the field: `containers[name=web].image`"] = ""
    name_before: Annotated[str, "registry and repository now, in full: `docker.io/library/nginx`"] = ""
    name_after: Annotated[str, "registry and repository after"] = ""
    tag_before: Annotated[str, "the tag now, empty for none"] = ""
    tag_after: Annotated[str, "the tag after, empty for none"] = ""
    digest_before: Annotated[str, "the digest now, empty for none"] = ""
    digest_after: Annotated[str, "the digest after, empty for none"] = ""
    cause: Annotated[
        str, "why it changes: a cause of docs/plan-format.md, `chart` where that is not known"
    ] = "chart"
    value: Annotated[str, "the values path that it was traced to, empty where it was not"] = ""
    follows_app: Annotated[bool, "only the tag changes, from the old appVersion to the new one"] = False


class Images(Record, frozen=True):
    """Images of containers."""

    changed: Annotated[tuple[Image, ...], "containers in both manifests whose image differs"] = ()


def images_of(facts: Facts) -> Images:
    """Every container whose image differs between the manifests."""
    return Images(changed=tuple(image for one in facts.resources for image in _of_resource(one, facts)))


def _of_resource(resource: ResourceChange, facts: Facts) -> Iterator[Image]:
    prediction = resource.prediction
    if prediction.previous is None or prediction.new is None or prediction.previous is prediction.new:
        return
    before = dict(_images(prediction.previous))
    if not before:
        return
    for place, after in _images(prediction.new):
        if place in before and before[place] != after:
            yield _image(resource, place, before[place], after, facts)


def _image(resource: ResourceChange, place: tuple[str, str], before: str, after: str, facts: Facts) -> Image:
    name_before, tag_before, digest_before = split_image(before)
    name_after, tag_after, digest_after = split_image(after)
    name_before, name_after = full_name(name_before), full_name(name_after)
    change = _field_change(resource, place)
    old = facts.release.chart
    apps = (old.app_version if old else "", facts.release.new_chart.app_version)
    return Image(
        ref=str(resource.prediction.key),
        container=place[1],
        before=before,
        after=after,
        field=f"{place[0]}[name={place[1]}].image",
        name_before=name_before,
        name_after=name_after,
        tag_before=tag_before,
        tag_after=tag_after,
        digest_before=digest_before,
        digest_after=digest_after,
        cause=change.cause if change is not None else "chart",
        value=change.value_path if change is not None else "",
        follows_app=name_before == name_after
        and same_version(tag_before, apps[0])
        and same_version(tag_after, apps[1])
        and not (digest_before or digest_after),
    )


def _field_change(resource: ResourceChange, place: tuple[str, str]) -> FieldChange | None:
    return next(
        (
            change
            for change in resource.changes
            if change.path[-1:] == ("image",)
            and place[0] in change.path
            and f"name={place[1]}" in map(str, change.path)
        ),
        None,
    )


def _images(document: JSONObject) -> Iterator[tuple[tuple[str, str], str]]:
    spec = document.get("spec")
    for steps in _TEMPLATES:
        pods: JSONValue = spec
        for step in steps:
            pods = pods.get(step) if isinstance(pods, dict) else None
        if not isinstance(pods, dict):
            continue
        for group in ("initContainers", "containers"):
            containers = pods.get(group)
            for container in containers if isinstance(containers, list) else ():
                if isinstance(container, dict) and isinstance(container.get("image"), str):
                    yield (group, str(container.get("name"))), container["image"]
