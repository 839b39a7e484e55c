"""Containers fetch exactly what a reference names and create exactly one object (architecture §4, §5)."""

from collections.abc import Callable

import pytest

from autoswe.tasks.container.failure import TaskFailed
from autoswe.tasks.container.transfer import PAUSES_SECONDS, Transfer, open_client
from tests.tasks.container.presigned_storage import SIGNATURE, Fault, PresignedStorage


def test_an_artifact_is_fetched_as_its_reference_says(storage: PresignedStorage, transfer: Transfer) -> None:
    assert transfer.download(storage.store("brief", b"{}"), "the brief") == b"{}"


def test_an_artifact_of_other_content_is_refused(storage: PresignedStorage, transfer: Transfer) -> None:
    download = storage.store("brief", b"{}")
    storage.objects["brief"] = b"[]"
    with pytest.raises(TaskFailed, match="the brief does not have the SHA-256 digest"):
        transfer.download(download, "the brief")


def test_an_artifact_that_is_cut_short_is_refused(storage: PresignedStorage, transfer: Transfer) -> None:
    download = storage.store("brief", b"{}")
    storage.objects["brief"] = b"{"
    with pytest.raises(TaskFailed, match="is 1 bytes long where its reference says 2"):
        transfer.download(download, "the brief")


def test_a_body_beyond_its_bound_is_not_taken_in(storage: PresignedStorage, transfer: Transfer) -> None:
    storage.objects["change"] = bytes(1001)
    with pytest.raises(TaskFailed, match="the change is larger than the 1000 bytes it may have"):
        transfer.fetch(storage.url("change"), "the change", 1000)
    storage.objects["change"] = bytes(1000)
    assert transfer.fetch(storage.url("change"), "the change", 1000) == bytes(1000)


@pytest.mark.parametrize("fault", ["hang up", 500, 503])
def test_a_passing_fault_is_tried_again_after_growing_pauses(
    fault: Fault, storage: PresignedStorage, transfer: Transfer, pauses: list[float]
) -> None:
    storage.objects["brief"] = b"{}"
    storage.faults["brief"].extend([fault, fault])
    assert transfer.fetch(storage.url("brief"), "the brief", 10) == b"{}"
    assert pauses == list(PAUSES_SECONDS)


@pytest.mark.parametrize("fault", ["hang up", 503])
def test_there_is_no_fourth_attempt(
    fault: Fault, storage: PresignedStorage, transfer: Transfer, pauses: list[float]
) -> None:
    storage.objects["brief"] = b"{}"
    storage.faults["brief"].extend([fault] * 3)
    with pytest.raises(TaskFailed, match="the brief could not be fetched"):
        transfer.fetch(storage.url("brief"), "the brief", 10)
    assert len(storage.requests) == 3
    storage.faults["report"].extend([fault] * 3)
    with pytest.raises(TaskFailed, match="the report could not be uploaded"):
        transfer.upload(storage.upload("report"), b"{}", "the report")
    assert storage.requests.count(("PUT", "report")) == 3


@pytest.mark.parametrize("status", [301, 403, 404])
def test_a_lasting_refusal_is_final_at_once(status: int, storage: PresignedStorage, transfer: Transfer) -> None:
    storage.faults["brief"].append(status)
    with pytest.raises(TaskFailed, match=f"the brief could not be fetched: the answer was {status}"):
        transfer.fetch(storage.url("brief"), "the brief", 10)
    assert len(storage.requests) == 1


def test_an_upload_sends_the_signed_headers_and_creates_the_object(
    storage: PresignedStorage, transfer: Transfer
) -> None:
    transfer.upload(storage.upload("report"), b"{}", "the report")
    assert storage.objects["report"] == b"{}"


def test_an_upload_never_replaces_what_is_there(storage: PresignedStorage, transfer: Transfer) -> None:
    storage.objects["report"] = b"earlier"
    with pytest.raises(TaskFailed, match="the report exists already"):
        transfer.upload(storage.upload("report"), b"{}", "the report")
    assert storage.objects["report"] == b"earlier"


def test_an_upload_whose_answer_was_lost_counts_as_done(storage: PresignedStorage, transfer: Transfer) -> None:
    storage.faults["report"].append("store and hang up")
    transfer.upload(storage.upload("report"), b"{}", "the report")
    assert storage.requests == [("PUT", "report")] * 2
    assert storage.objects["report"] == b"{}"


def test_an_object_that_was_there_before_any_attempt_could_arrive_is_not_taken_for_ours(
    storage: PresignedStorage, transfer: Transfer
) -> None:
    """S3 answered the first attempt, so it did not arrive; what exists at the second one is somebody else's."""
    storage.objects["report"] = b"earlier"
    storage.faults["report"].append(409)
    with pytest.raises(TaskFailed, match="the report exists already"):
        transfer.upload(storage.upload("report"), b"{}", "the report")


def test_an_upload_beyond_its_bound_is_not_sent(storage: PresignedStorage, transfer: Transfer) -> None:
    with pytest.raises(TaskFailed, match="the report is 3 bytes long and may be 2"):
        transfer.upload(storage.upload("report", max_bytes=2), b"{ }", "the report")
    assert storage.requests == []


def test_no_message_repeats_an_address(storage: PresignedStorage, transfer: Transfer) -> None:
    gone = storage.url("x").replace("http://127.0.0.1", "http://127.0.0.1:1")
    attempts: list[Callable[[], object]] = [
        lambda: transfer.fetch(storage.url("missing"), "it", 1),
        lambda: transfer.fetch(gone, "it", 1),
        lambda: transfer.fetch(storage.url("x").replace("http", "nohttp"), "it", 1),
        lambda: transfer.upload(storage.upload("x").model_copy(update={"headers": {}}), b"", "it"),
    ]
    for attempt in attempts:
        with pytest.raises(TaskFailed) as caught:
            attempt()
        assert SIGNATURE not in str(caught.value)
        assert "127.0.0.1" not in str(caught.value)


def test_the_environment_names_no_proxy_for_containers(
    storage: PresignedStorage, transfer: Transfer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    storage.objects["brief"] = b"{}"
    with open_client() as client:
        assert Transfer(client).fetch(storage.url("brief"), "the brief", 10) == b"{}"
