"""What stands on the page: everything once."""

from __future__ import annotations

from trial import Trial, findings

SERVICE = """
apiVersion: v1
kind: Service
metadata: {name: NAME}
spec:
  selector: {app: web}
  ports: [{port: 80}]
"""
CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {a: "{{ .Values.a }}", b: "{{ .Values.b }}", c: "{{ .Values.c }}"}
"""


def test_the_remedy_that_many_lost_overrides_share_is_said_once(trial: Trial) -> None:
    chart = trial.chart(
        {"templates/web.yaml": CONFIG_MAP, "values.yaml": "a: one\nb: two\nc: three\nd: four\n"}
    )
    trial.upgrade(chart, "--set", "a=x,b=y,c=z")
    page = trial.page(chart, "--set", "d=new")
    assert page.count("your override is lost") == 3
    assert page.count("--reuse-values") == 1
    assert page.index("for all 3 of these") > page.index("▲ DANGER  c ")
    alone = trial.page(chart, "--set", "a=x,b=y")
    assert alone.count("--reuse-values") == 1
    assert "of these" not in alone


def test_what_one_reason_makes_unknown_stands_in_one_place(trial: Trial) -> None:
    names = ("web", "db", "cache")
    chart = trial.chart({f"templates/{name}.yaml": SERVICE.replace("NAME", name) for name in names})
    page = " ".join(trial.page(chart, "--install").split())
    assert page.count("chosen by the API server") == 1
    assert "? Service/cache, Service/db, Service/web" in page
    assert "Unknown 3 ?" in page


def test_values_are_reset_only_where_some_are_lost(trial: Trial) -> None:
    chart = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": "a: one\nb: two\nc: three\n"})
    trial.upgrade(chart, "--set", "a=x")
    assert "values RESET" not in trial.page(chart, "--set", "a=x,b=y")
    assert "values RESET" in trial.page(chart, "--set", "b=y")


def test_many_objects_that_change_alike_are_shown_as_one(trial: Trial) -> None:
    names = [f"board-{letter}" for letter in "abcdef"]
    template = CONFIG_MAP.replace("name: web", "name: NAME").replace("{a:", "{NAME:")
    files = {f"templates/{name}.yaml": template.replace("NAME", name) for name in names}
    files["templates/web.yaml"] = CONFIG_MAP.replace("{a:", "{a: 'at {{ .Values.a }}', z:")
    chart = trial.chart({**files, "values.yaml": "a: one\nb: two\nc: three\n"})
    trial.upgrade(chart)
    page = trial.page(chart, "--set", "a=x")
    assert page.count("ConfigMap/board-") == 1
    assert "5 more look alike: board-b, board-c, board-d, board-e and 1 more" in page
    assert "ConfigMap/web" in page
    trial.upgrade(chart, "--set", "a=x")
    page = trial.page(chart, "--set", "b=y")
    objects = page[page.index("Objects") :]
    assert objects.count("ConfigMap/board-") == 6  # each has lost something


def test_objects_that_come_and_go_say_why(trial: Trial) -> None:
    def switched(name: str) -> str:
        return f"{{{{ if .Values.{name} }}}}{CONFIG_MAP.replace('web', name)}{{{{ end }}}}"

    names = ("old", "new", "asked")
    chart = trial.chart(
        {
            **{f"templates/{name}.yaml": switched(name) for name in names},
            "values.yaml": "old: false\nnew: true\nasked: false\n",
        }
    )
    trial.upgrade(chart, "--set", "old=true,new=false")
    plan = trial.plan(chart, "--set", "asked=true")
    causes = {f"{entry['action']} {entry['name']}": entry["cause"] for entry in plan["resources"]}
    assert causes == {"delete old": "lost override", "create new": "lost override", "create asked": "values"}
    page = trial.page(chart, "--set", "asked=true")
    assert "- ConfigMap/old  delete · lost override" in page
    assert "+ ConfigMap/asked  create · your values" in page
    trial.upgrade(chart, "--set", "asked=true,old=true")
    (lost,) = findings(trial.plan(chart, "--set", "asked=true"), "values-lost-override")
    assert lost["effects"] == ["ConfigMap/old is deleted"]


def test_empty_defaults_that_are_not_taken_are_a_number(trial: Trial) -> None:
    old = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": "a: 1\n"}, "1.0.0")
    new = trial.chart({"templates/web.yaml": CONFIG_MAP, "values.yaml": "a: 1\nb: ''\nd: {}\n"}, "2.0.0")
    trial.upgrade(old, "--set", "c=1")
    page = trial.page(new, "--reuse-values")
    assert "2 new defaults of an empty value not taken" in page
    assert "stays unset" not in page


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {helm.sh/chart: "trial-{{ .Chart.Version }}"}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, helm.sh/chart: "trial-{{ .Chart.Version }}"}}
    spec: {containers: [{name: web, image: "{{ .Values.image }}"}]}
"""


def test_version_labels_in_a_pod_template_count_where_nothing_else_restarts_pods(trial: Trial) -> None:
    files = {"templates/web.yaml": DEPLOYMENT, "values.yaml": "image: web:1\n"}
    trial.upgrade(trial.chart(files, "1.0.0"))
    new = trial.chart({**files, "values.yaml": "image: web:1\nnew: {}\nanother: 1\n"}, "2.0.0")
    alone = trial.page(new)
    assert "update · pods restart" in alone
    assert "trial-1.0.0" in alone
    assert "and 1 version label" in alone
    beside = trial.page(new, "--set", "image=web:2")
    assert "update · pods restart" in beside
    assert "trial-1.0.0" not in beside
    assert "and 2 version labels" in beside
    assert beside.index("another") < beside.index("+ new")  # empty defaults come last
