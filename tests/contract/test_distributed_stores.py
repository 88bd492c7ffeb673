"""Stores: the tables of bytes by which processes find each other."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from .both_frameworks import agree, ours, refuse, same

SHORT = timedelta(milliseconds=30)


def hashed(t, path):
    return t.distributed.HashStore()


def filed(t, path):
    return t.distributed.FileStore(str(path / t.__name__), 1)


def served(t, path):
    return t.distributed.TCPStore("127.0.0.1", 0, 1, True, timedelta(seconds=5))


def prefixed(t, path):
    return t.distributed.PrefixStore("p", t.distributed.HashStore())


STORES = {"hash": hashed, "file": filed, "tcp": served, "prefix": prefixed}

CALLS = {
    "set and get": lambda s: (s.set("a", "1"), s.get("a")),
    "bytes": lambda s: (s.set("b", b"\x00\xff"), s.get("b")),
    "empty": lambda s: (s.set("e", ""), s.get("e")),
    "counter": lambda s: (s.add("n", 3), s.add("n", -1), s.get("n")),
    "counter of a text": lambda s: (s.set("a", "1"), s.add("a", 1)),
    "check": lambda s: (s.set("a", "1"), s.check(["a"]), s.check(["a", "q"])),
    "wait": lambda s: (s.set("a", "1"), s.wait(["a"])),
    "delete": lambda s: (s.set("a", "1"), s.delete_key("a"), s.check(["a"])),
    "count": lambda s: (s.set("a", "1"), s.set("b", "2"), s.num_keys()),
    "compare with nothing": lambda s: (s.compare_set("c", "x", "y"), s.check(["c"])),
    "compare and set": lambda s: (
        s.compare_set("c", "", "y"),
        s.get("c"),
        s.compare_set("c", "y", "z"),
    ),
    "compare and leave": lambda s: (s.set("c", "z"), s.compare_set("c", "y", "w"), s.get("c")),
    "append": lambda s: (s.append("a", "1"), s.append("a", "2"), s.get("a")),
    "many": lambda s: (s.multi_set(["m", "n"], ["1", "2"]), s.multi_get(["n", "m"])),
    "extended": lambda s: s.has_extended_api(),
    "barrier": lambda s: s.barrier("b", 1, timedelta(seconds=1)),
    "timeout": lambda s: s.timeout,
    "keys": lambda s: (s.set("a", "1"), s.set("b", "1"), sorted(s.list_keys())),
    "clone": lambda s: (s.set("a", "1"), s.clone().get("a")),
    "queue": lambda s: (
        s.queue_push("q", "1"),
        s.queue_push("q", "2"),
        s.queue_len("q"),
        s.queue_pop("q"),
    ),
    "get late": lambda s: (s.set_timeout(SHORT), s.get("z")),
    "wait late": lambda s: s.wait(["q", "r"], SHORT),
    "queue empty": lambda s: s.queue_pop("q", False),
    "queue late": lambda s: (s.set_timeout(SHORT), s.queue_pop("q")),
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("call", CALLS)
def test_calls_of_a_store(tmp_path, store, call):
    same(lambda t: CALLS[call](STORES[store](t, tmp_path)))


WRONG = {
    "value": lambda s: s.set("a", 1),
    "key": lambda s: s.set(1, "a"),
    "keys": lambda s: s.wait("a"),
    "amount": lambda s: s.add("a", "x"),
    "limit": lambda s: s.wait(["a"], "1"),
    "deleted": lambda s: s.delete_key(1),
    "compared": lambda s: s.compare_set("a", 1, 2),
    "appended": lambda s: s.append("a", 1),
    "pushed": lambda s: s.queue_push("a", 1),
    "got": lambda s: s.multi_get("ab"),
}


@pytest.mark.parametrize("store", [hashed, served, prefixed])
@pytest.mark.parametrize("call", WRONG)
def test_wrong_arguments_are_refused_by_type(tmp_path, call, store):
    """The texts are the same but for the address of the store."""

    def run(t):
        store_of_t = store(t, tmp_path)
        try:
            WRONG[call](store_of_t)
        except TypeError as e:
            return str(e).split("Invoked with")[0]

    agree(run)


def test_prefixes_are_in_front_of_keys():
    def run(t):
        d = t.distributed
        base = d.HashStore()
        outer = d.PrefixStore("p", d.PrefixStore("q", base))
        outer.set("a", "1")
        inner = outer.underlying_store
        return [
            base.get("q/p/a"),
            inner.get("p/a"),
            type(outer._underlying_non_prefix_store).__name__,
        ]

    agree(run)


def test_a_users_store_is_given_bytes():
    """Through a prefix, as by groups; what it has not overridden is refused."""

    def run(t):
        seen = []

        class Noting(t.distributed.Store):
            def append(self, key, value):
                seen.append((key, value))

            def set(self, key, value):
                seen.append((key, value))

            def compare_set(self, key, expected, desired):
                seen.append((key, expected, desired))
                return desired

            def multi_set(self, keys, values):
                seen.append((keys, values))

            def has_extended_api(self):
                return True

        behind = Noting()  # torch does not keep it
        store = t.distributed.PrefixStore("p", behind)
        store.append("a", "1")
        store.set("a", "1")
        store.compare_set("a", "1", "2")
        store.multi_set(["a", "b"], ["1", b"2"])
        return seen, store.has_extended_api()

    agree(run)


@pytest.mark.parametrize(
    "make",
    [
        lambda d: d.PrefixStore("p", None),
        lambda d: d.TCPStore("localhost", 0, world_size=0, is_master=False),
    ],
    ids=["no store behind", "no world"],
)
def test_stores_that_cannot_be(make):
    def run(t):
        with pytest.raises(ValueError) as told:
            make(t.distributed)
        return str(told.value)

    agree(run)


LACKING = ("clone", "check", "delete_key", "num_keys", "add", "set", "get", "append", "multi_get")


@pytest.mark.parametrize("name", LACKING)
def test_a_users_store_lacks_what_it_does_not_override(name):
    """torch's texts name a place of its source in front."""
    given = {"clone": (), "num_keys": (), "check": (["a"],), "multi_get": (["a"],), "get": ("a",)}
    given |= {"delete_key": ("a",), "add": ("a", 1), "set": ("a", "b"), "append": ("a", "b")}

    def run(t):
        try:
            getattr(type("Empty", (t.distributed.Store,), {})(), name)(*given[name])
        except RuntimeError as e:
            return type(e).__name__, str(e).partition("\n")[0].rpartition("PyTorch. ")[2]

    agree(run)


def test_errors_are_a_family():
    def run(t):
        names = (
            "DistError",
            "DistBackendError",
            "DistNetworkError",
            "DistStoreError",
            "QueueEmptyError",
        )
        return [[c.__name__ for c in getattr(t.distributed, n).__mro__] for n in names]

    agree(run)


def test_a_file_has_torchs_bytes(tmp_path):
    def run(t):
        path = tmp_path / f"b{t.__name__}"
        store = t.distributed.FileStore(str(path))
        store.set("a", "b")
        store.add("n", 2)
        store.delete_key("a")
        return path.read_bytes()

    agree(run)


def test_the_last_process_removes_the_file(tmp_path):
    def run(t):
        path = tmp_path / f"r{t.__name__}"
        one, two = (t.distributed.FileStore(str(path), 2) for _ in range(2))
        one.set("a", "b")
        found = [two.get("a")]
        del one
        found.append(path.exists())
        del two
        return [*found, path.exists()]

    agree(run)


def test_frameworks_read_each_others_files(tmp_path):
    import torch

    path = str(tmp_path / "both")
    theirs, mine = torch.distributed.FileStore(path, 2), ours.distributed.FileStore(path, 2)
    theirs.set("a", "1")
    mine.set("b", "2")
    assert mine.get("a") == b"1" and theirs.get("b") == b"2" and theirs.add("n", 1) == 1
    assert mine.add("n", 1) == 2


def test_clients_of_a_server_share_its_table():
    def run(t):
        make = t.distributed.TCPStore
        server = make("127.0.0.1", 0, 2, True, timedelta(seconds=5), wait_for_workers=False)
        client = make("127.0.0.1", server.port, 2, False, timedelta(seconds=5))
        client.set("x", "y")
        found = [server.get("x"), server.host, server.port == client.port, client.num_keys() > 0]
        late = threading.Timer(0.05, lambda: server.set("late", "z"))
        late.start()
        found.append(client.get("late"))
        late.join()
        return found

    agree(run)


def test_a_port_serves_one_server():
    def run(t):
        make = t.distributed.TCPStore
        server = make("127.0.0.1", 0, 1, True)
        try:
            make("127.0.0.1", server.port, 1, True)
        except t.distributed.DistNetworkError as e:
            return str(e).replace(str(server.port), "PORT")

    agree(run)


def test_the_master_waits_for_clients_and_clients_for_the_master():
    late = timedelta(milliseconds=100)
    refuse(lambda t: t.distributed.TCPStore("127.0.0.1", 0, 2, True, late))
    with pytest.raises(
        ours.distributed.DistNetworkError, match="timed out after 100ms while trying"
    ):
        ours.distributed.TCPStore("127.0.0.1", 1, 1, False, late)


def test_a_closed_server_frees_its_port():
    make = ours.distributed.TCPStore
    for _ in range(3):
        server = make("127.0.0.1", 0, 1, True)
        port = server.port
        del server
        again = make("127.0.0.1", port, 1, True)
        again.set("a", "1")
        del again
