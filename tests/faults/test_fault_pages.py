"""What people read when a run went wrong: how it ended, what was done and what was not, what to run next."""

from __future__ import annotations

import signal
from pathlib import Path

from helmguard_program import Ended
from requests_seen import storing_a_record, writes_of
from web import Web
from which_helm import with_helm_3, with_helm_4

WORDS = ("upgrade", "web")
MORE = ("--set", "size=large", "--yes")


def last_part(ended: Ended, web: Web) -> str:
    """The page below the plan, without empty lines and the namespace's name."""
    lines = [line.rstrip() for line in ended.out.replace(web.namespace, "NS").splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("✗ "))
    return "\n".join(line for line in lines[start:] if line)


@with_helm_3
def test_helm_is_killed(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*WORDS, chart, *MORE) as run:
        hold.await_request()
        run.kill_helm()
        hold.lose()
        ended = run.end().expect(1)
    assert (
        last_part(ended, web)
        == """\
✗ KILLED  helm upgrade of web in namespace NS
  helm said    helm was ended by signal 9 before it could say what it had done
  revision     2 is stored as pending-upgrade; it built on revision 1
  done         ConfigMap/a (update)
  not done     ConfigMap/b (update), ConfigMap/c (update)
  next         helmguard status web -n NS
               helmguard rollback web 1 -n NS
Killed: revision 2 is pending-upgrade; 1 object changed, 2 not. Exit 1."""
    )


@with_helm_4
def test_the_server_is_lost(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*WORDS, chart, *MORE) as run:
        hold.await_request()
        web.api.stop()
        ended = run.end().expect(1)
    page = last_part(ended, web)
    assert page.startswith("✗ FAILED  helm upgrade of web in namespace NS")
    assert "connection refused; it built on revision 1" in page
    assert page.endswith("""
  helm tried   ConfigMap/a
  next         helmguard status web -n NS
Failed; what the cluster holds now is not known. Exit 1.""")
    assert "not done" not in page


@with_helm_4
def test_it_is_stopped(web: Web, chart: Path) -> None:
    hold = web.api.hold(writes_of("configmaps", "b"))
    with web.start(*WORDS, chart, *MORE) as run:
        hold.await_request()
        run.send(signal.SIGINT)
        ended = run.end().expect(130)
    assert (
        last_part(ended, web)
        == """\
✗ STOPPED  helm upgrade of web in namespace NS
  helm said    UPGRADE FAILED: context canceled
  revision     2 is stored as failed; it built on revision 1
  done         ConfigMap/a (update)
  not done     ConfigMap/b (update), ConfigMap/c (update)
  next         helmguard status web -n NS
               helmguard rollback web 1 -n NS
Stopped at your wish: revision 2 is failed; 1 object changed, 2 not. Exit 130."""
    )


@with_helm_3
def test_somebody_was_faster(web: Web, chart: Path) -> None:
    hold = web.api.hold(storing_a_record)
    with web.start(*WORDS, chart, *MORE) as run:
        hold.await_request()
        web.helm.run("upgrade", "web", chart, "--set", "size=huge")
        hold.release()
        ended = run.end().expect(1)
    assert (
        last_part(ended, web)
        == """\
✗ FAILED  helm upgrade of web in namespace NS
  helm said    UPGRADE FAILED: release: already exists
  revision     none of this run is stored; it built on revision 1
  otherwise    ConfigMap/a (update), ConfigMap/b (update), ConfigMap/c (update)
               it has changed, and is not what was planned
  others       revision 2 (deployed) was stored by somebody else
  next         helmguard status web -n NS
Failed: no revision of it is stored; 3 objects changed, 0 not. Exit 1."""
    )
