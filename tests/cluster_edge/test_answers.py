"""Answers that a healthy API server never gives, from a small server on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from local_api import Answer, LocalApi, status
from urllib3 import HTTPSConnectionPool
from urllib3.exceptions import ReadTimeoutError

from helmguard.cluster.api_errors import (
    ApiStatusError,
    RequestTimeoutError,
    UnreachableError,
    connection_error,
)
from helmguard.errors import ClusterError

LocalApiMaker = Callable[[Callable[[str], Answer]], LocalApi]


def test_too_many_requests_are_tried_again_after_the_time_given(local_api: LocalApiMaker) -> None:
    left = [Answer({}, 429, {"Retry-After": "0"}), Answer(b"", 503, {"Retry-After": "0"})]
    api = local_api(lambda _: left.pop(0) if left else Answer({"ok": True}))
    assert api.connection().get_json("/x") == {"ok": True}
    assert api.paths() == ["/x"] * 3


def test_a_server_that_never_recovers_is_given_up(local_api: LocalApiMaker) -> None:
    def busy(_: str) -> Answer:
        answer = status(429, "TooManyRequests", "slow down")
        answer.headers["Retry-After"] = "0"
        return answer

    api = local_api(busy)
    with pytest.raises(ApiStatusError, match="429 TooManyRequests: slow down") as caught:
        api.connection().get_json("/x")
    assert caught.value.status == 429
    assert len(api.requests) == 6


def test_a_plain_server_error_is_not_repeated(local_api: LocalApiMaker) -> None:
    api = local_api(lambda _: status(500, "InternalError", "boom"))
    with pytest.raises(ApiStatusError, match="GET /x with 500 InternalError: boom"):
        api.connection().get_json("/x", {"secret": "1"})
    assert len(api.requests) == 1


def test_a_change_of_etcds_leader_is_waited_for_as_helm_does(local_api: LocalApiMaker) -> None:
    left = [status(500, "", "rpc error: etcdserver: leader changed")]
    api = local_api(lambda _: left.pop() if left else Answer({}))
    assert api.connection().get_json("/x") == {}


def test_a_list_whose_snapshot_is_gone_is_read_again_whole(local_api: LocalApiMaker) -> None:
    def answer(path: str) -> Answer:
        if "continue" in path:
            return status(410, "Expired", "the provided continue parameter is too old")
        if "limit" in path:
            return Answer({"items": [{"n": "old"}], "metadata": {"continue": "a b/c"}})
        return Answer({"items": [{"n": 1}, {"n": 2}], "metadata": {}})

    api = local_api(answer)
    assert api.connection().list_all("/x", {"labelSelector": "a=b"}, limit=1) == [{"n": 1}, {"n": 2}]
    selector = "/x?labelSelector=a%3Db"
    assert api.paths() == [f"{selector}&limit=1", f"{selector}&limit=1&continue=a+b%2Fc", selector]


def test_410_on_the_first_page_is_an_error(local_api: LocalApiMaker) -> None:
    with pytest.raises(ApiStatusError, match="410 Expired"):
        local_api(lambda _: status(410, "Expired")).connection().list_all("/x")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"<html>please log in</html>", headers={"Content-Type": "text/html"}),
        Answer(b"", 302, {"Location": "/login"}),
        Answer(["a list"]),
    ],
)
def test_what_does_not_answer_like_an_api_server(local_api: LocalApiMaker, answer: Answer) -> None:
    with pytest.raises(ClusterError, match="does not answer like a Kubernetes API server") as caught:
        local_api(lambda _: answer).connection().get_json("/x")
    assert "log in" not in caught.value.message


def test_no_answer_in_time(local_api: LocalApiMaker) -> None:
    never = threading.Event()
    api = local_api(lambda _: Answer({}, hang=never))
    with pytest.raises(RequestTimeoutError, match=r"did not answer within 0\.05 s"):
        api.connection(request_timeout=0.05).get_json("/x")
    never.set()


@pytest.mark.parametrize(
    ("said", "seconds"), [("Read timed out. (read timeout=10)", "10"), ("the read operation timed out", "30")]
)
def test_the_time_that_was_waited_is_told(said: str, seconds: str) -> None:
    """In the TLS handshake a silent server has the time for connecting, not the time for answering."""
    error = ReadTimeoutError(HTTPSConnectionPool("api"), "/x", said)
    assert f"did not answer within {seconds} s" in connection_error(error, "api:6443", 30.0).message


def test_credentials_are_never_sent_without_tls(local_api: LocalApiMaker) -> None:
    api = local_api(lambda _: Answer({}))
    api.connection(kube_token="s3cret").get_json("/x")
    assert "Authorization" not in api.requests[0][1]


def test_a_kept_connection_that_was_closed_is_replaced(local_api: LocalApiMaker) -> None:
    api = local_api(lambda _: Answer({}, headers={"Connection": "close"}))
    connection = api.connection()
    assert connection.get_json("/x") == connection.get_json("/y") == {}
    api.close()
    with pytest.raises(UnreachableError, match="connection refused"):
        connection.get_json("/z")


def test_qps_slows_down_after_the_burst(local_api: LocalApiMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    from helmguard.cluster import rate_limit

    waits: list[float] = []
    monkeypatch.setattr(rate_limit.time, "sleep", waits.append)
    monkeypatch.setattr(rate_limit.time, "monotonic", lambda: 100.0)
    connection = local_api(lambda _: Answer({})).connection(qps=10.0, burst_limit=2)
    for _ in range(4):
        connection.get_json("/x")
    assert waits == [pytest.approx(0.1), pytest.approx(0.2)]
