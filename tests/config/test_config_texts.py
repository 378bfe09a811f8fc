"""``.helmguard.yaml``: what can be used is read, what cannot is refused with its place, by the schema too."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from config_texts import INVALID, READER_ALONE, TODAY, VALID
from jsonschema import Draft202012Validator, FormatChecker

from helmguard.config.config import Config, Entry, FindingMatch, Ignore, Override, WaiverEntry
from helmguard.config.read_config import check_rules, read_config
from helmguard.manifest import yaml
from helmguard.manifest.checked_yaml import FieldError
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import FileLine
from helmguard.model.release_entry import ReleaseEntry
from helmguard.planner.config_file import read_gate_file

DOCS = Path(__file__).parents[2] / "docs"
FILE = ".helmguard.yaml"


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    document = json.loads((DOCS / "config.schema.json").read_text())
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document, format_checker=FormatChecker())


def complaint(text: str) -> str:
    with pytest.raises(FieldError) as raised:
        read_config(text, FILE, TODAY)
    return str(raised.value)


@pytest.mark.parametrize("name", VALID)
def test_what_can_be_used_is_read(name: str, schema: Draft202012Validator) -> None:
    read_config(VALID[name], FILE, TODAY)
    schema.validate(yaml.load(VALID[name]))


@pytest.mark.parametrize("name", INVALID)
def test_what_cannot_is_refused_by_reader_and_schema(name: str, schema: Draft202012Validator) -> None:
    text, expected = INVALID[name]
    assert complaint(text).startswith(f"{FILE}:{expected}")
    assert list(schema.iter_errors(yaml.load(text)))


@pytest.mark.parametrize("name", READER_ALONE)
def test_what_a_schema_cannot_know_is_refused_by_the_reader(name: str) -> None:
    text, expected = READER_ALONE[name]
    assert complaint(text).startswith(f"{FILE}:{expected}")


def test_the_example_of_the_documentation_can_be_used(schema: Draft202012Validator) -> None:
    pages = "".join((DOCS / page).read_text() for page in ("helmguard.yaml.md", "../README.md"))
    examples = [text for text in re.findall(r"```yaml\n(.*?)```", pages, re.DOTALL) if "waivers:" in text]
    assert len(examples) == 2
    for text in examples:
        config = read_config(text, FILE, date(2026, 12, 1))
        assert config.waivers
        assert config.ignores
        assert config.overrides
        schema.validate(yaml.load(text))


def test_the_documentation_names_every_field_of_the_schema() -> None:
    document = json.loads((DOCS / "config.schema.json").read_text())
    parts = [document, *document["$defs"].values()]
    names = {name for part in parts for name in part["properties"]}
    text = (DOCS / "helmguard.yaml.md").read_text()
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()


def test_everything_in_it_is_read() -> None:
    config = read_config(
        "".join(VALID[name] for name in ("gate", "folders of rules", "override of a part"))
        + VALID["ignore in full"]
        + VALID["waiver in full"],
        FILE,
        TODAY,
    )
    assert config == Config(
        file=FILE,
        fail_on="none",
        fail_on_unknown=True,
        rules=((Entry(FILE, 3, 9), "helm/rules"), (Entry(FILE, 3, 21), "../shared-rules")),
        overrides=(
            Override(
                Entry(FILE, 5, 3),
                "stale-default",
                "disabled",
                "we pin every image",
                FindingMatch("web-*", "shop", "Deployment/web", "spec.template.**.image"),
                allow_data_loss=True,
            ),
        ),
        ignores=(
            Ignore(
                Entry(FILE, 11, 3),
                "the platform team writes these",
                'metadata.annotations["example.com/*"]',
                "Deployment",
                "web-*",
                "shop",
                "kubectl*",
                date(2030, 1, 31),
            ),
        ),
        waivers=(
            WaiverEntry(
                Entry(FILE, 19, 3),
                "values-lost-override",
                "no node has a host driver any more",
                date(2027, 5, 29),
                match=FindingMatch("gpu-operator", "", "driver.enabled"),
                by="platform-team",
                ticket="OPS-12",
                allow_data_loss=True,
            ),
        ),
    )


def test_charts_are_read_with_their_place() -> None:
    config = read_config(VALID["charts in every form"], FILE, TODAY)
    assert config.charts[1:3] == (
        MappedChart(
            "https://*.example.com/*",
            "web-*",
            "1.2.3+b4",
            mirror="https://mirror.example.com",
            source=f"{FILE}:3",
        ),
        MappedChart(
            "oci://registry.example.com/charts/app-template",
            version="v4",
            path="../app-template",
            source=f"{FILE}:4",
        ),
    )


def test_releases_are_read_with_their_places() -> None:
    web, staging, oci, manager = read_config(VALID["releases in every form"], FILE, TODAY).releases
    assert web == ReleaseEntry(
        FileLine(FILE, 2),
        "web",
        "charts/web",
        "shop",
        version_place=FileLine(FILE, 2),
        values=("env/common.yaml", "../prod.yaml"),
        set=(("replicas=2,tag=v1", 6), ("list={a,b}", 6)),
    )
    assert [each.name for each in (staging, oci)] == ["staging › shop/web", "default/web.v2"]
    assert (oci.version, oci.kube_version, str(oci.version_place)) == (">=1.0.0", "v1.31.0", f"{FILE}:8")
    assert (manager.chart, manager.repo) == ("cert-manager", "https://charts.example.org")


def test_a_charts_path_is_looked_for_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(VALID["charts in every form"])
    charts = read_gate_file(file, TODAY).config.charts
    assert charts[0].path == f"{tmp_path}/vendor/{{chart}}-{{version}}.tgz"
    assert [each.path for each in charts[1::2]] == ["", ""]


NAMED = "overrides:\n- {rule: %s, severity: info, reason: long enough}\n"


def test_nearly_the_id_of_a_rule_is_an_error() -> None:
    config = read_config(NAMED % "values-lost-overide", FILE, TODAY)
    with pytest.raises(FieldError, match=r":2:3: no rule .* did you mean 'values-lost-override'\?"):
        check_rules(config, {"values-lost-override", "stale-default"})


def test_a_rule_that_no_pack_has_is_a_remark() -> None:
    config = read_config(NAMED % "our-own-rule", FILE, TODAY)
    assert check_rules(config, {"values-lost-override"}) == (
        f"{FILE}:2: no rule is called 'our-own-rule' here, so nothing will match it",
    )


@pytest.mark.parametrize("rule", ["values-lost-override", "waiver-unused", "ignore-expired"])
def test_rules_that_are_known_and_those_about_the_file_may_be_overridden(rule: str) -> None:
    assert check_rules(read_config(NAMED % rule, FILE, TODAY), {"values-lost-override"}) == ()


def test_without_any_rules_nothing_is_said_of_their_names() -> None:
    assert check_rules(read_config(NAMED % "whatever", FILE, TODAY), ()) == ()
