"""Values that a worker holds for others, and who refers to them.

A value is kept while a reference of another worker, a *fork*, is known. Who hands a reference on
keeps his own until the owner knows of the new one: so the owner never sees the last of them go
while another is on its way.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from ...futures._future import Future

__all__ = ["Given", "Id", "References"]


class Id(NamedTuple):
    """A number that no other worker gives: of a value or of a fork."""

    created_on: int
    local_id: int

    def __repr__(self) -> str:
        return f"GloballyUniqueId(created_on={self.created_on}, local_id={self.local_id})"


class Given(NamedTuple):
    """A reference on its way: what it refers to, whose that is, its fork and who sent it."""

    value: Id
    owner: Any
    fork: Id
    parent: int


class References:
    """What worker *number* holds, and the references that it has.

    :param request: sends a message of a kind to a worker, again where it fails; a future of the
        answer.
    """

    def __init__(self, number: int, request: Callable[..., Future]) -> None:
        self._number, self._request = number, request
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._count = 0
        self._owned: dict[Id, Future] = {}
        self._forks: dict[Id, set[Id]] = {}
        #: References whose owners do not know of them yet, by fork.
        self._unconfirmed: dict[Id, Any] = {}
        #: References that were handed on as these forks, which are not confirmed yet.
        self._lent: dict[Id, Any] = {}
        self._users: WeakValueDictionary[Id, Any] = WeakValueDictionary()
        self._under_way = 0
        self._taken = threading.local()
        # References go when Python collects them, which may be at any point of any thread: the
        # message to the owner is left to a thread that holds no lock.
        self._dropped: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._tell_of_dropped, name="rpc-drop", daemon=True).start()

    def new(self) -> Id:
        """The number of one more value or fork."""
        with self._lock:
            self._count += 1
            return Id(self._number, self._count - 1)

    # Values of this worker

    def value(self, number: Id) -> Future:
        """The value of this number, which may still be on its way."""
        with self._lock:
            return self._owned.setdefault(number, Future([]))

    def keep(self, number: Id, value: Future, fork: Id) -> None:
        """Hold a value for a fork."""
        with self._lock:
            self._owned[number] = value
            self._forks.setdefault(number, set()).add(fork)

    def add_fork(self, number: Id, fork: Id) -> None:
        """Hold a value for one fork more."""
        with self._lock:
            self.value(number)
            self._forks.setdefault(number, set()).add(fork)

    def drop_fork(self, number: Id, fork: Id) -> None:
        """Hold a value for one fork less; without any, let it go."""
        with self._changed:
            forks = self._forks.get(number, set())
            forks.discard(fork)
            if not forks:
                self._forks.pop(number, None)
                self._owned.pop(number, None)
            self._changed.notify_all()

    # References to values of other workers

    def made(self, reference: Any, confirmed: Future | None) -> None:
        """Note a reference of this worker.

        :param confirmed: is done when the owner knows of it; None where it does already.
        """
        with self._lock:
            self._users[reference._fork] = reference
            if confirmed is None:
                return
            self._unconfirmed[reference._fork] = reference
            self._under_way += 1
        confirmed._when_done(lambda: self._confirm(reference))

    def _confirm(self, reference: Any) -> None:
        with self._changed:
            self._unconfirmed.pop(reference._fork, None)
            self._under_way -= 1
            reference._confirmed = True
            self._changed.notify_all()

    def lend(self, reference: Any) -> Given:
        """Hand *reference* on: it stays until the owner knows of its fork."""
        fork = self.new()
        with self._lock:
            if reference._fork is None:
                self.keep(reference._value, reference._future, fork)
            else:
                self._lent[fork] = reference
        return Given(reference._value, reference._owner, fork, self._number)

    @contextmanager
    def taking(self) -> Generator[list[Future]]:
        """Gives a list of what has to be waited for until owners know of references taken within.

        It is for the thread that reads what another worker has written.
        """
        before = getattr(self._taken, "futures", None)
        self._taken.futures = found = list[Future]()
        try:
            yield found
        finally:
            self._taken.futures = before

    def accept(self, given: Given, reference: Any) -> None:
        """Take a reference of another worker's value, and tell who has to know of it."""
        if given.parent == given.owner.id:  # who has noted it when sending it
            self.made(reference, None)
            return
        answer = self._request(given.owner, "fork", (given.value, given.fork))
        self.made(reference, answer)
        taken = getattr(self._taken, "futures", None)
        if taken is not None:
            known = Future([])
            answer._when_done(lambda: known._complete(None, answer._error))
            taken.append(known)
        answer._when_done(lambda: self._request_later(given.parent, "accepted", given.fork))

    def come_home(self, given: Given) -> None:
        """Take back a reference of an own value."""
        if given.parent == self._number:
            self.drop_fork(given.value, given.fork)
        else:
            self._request_later(given.parent, "accepted", given.fork)

    def accepted(self, fork: Id) -> None:
        """The owner knows of *fork*: what it was made of may go."""
        with self._changed:
            kept = self._lent.pop(fork, None)
            self._changed.notify_all()
        del kept  # outside of the lock: it may be the last

    def forget(self, reference: Any) -> None:
        """A reference is gone: its owner holds the value for one fork less."""
        if not reference._deleted:
            reference._deleted = True
            self._dropped.put((reference._owner, "dropped", (reference._value, reference._fork)))

    def _request_later(self, to: Any, kind: str, content: Any) -> None:
        self._dropped.put((to, kind, content))

    def _tell_of_dropped(self) -> None:
        while True:
            said = self._dropped.get()
            if said is None:
                return
            with self._lock:
                self._under_way += 1
            try:
                self._request(*said)._when_done(self._told)
            except RuntimeError:  # the worker is gone, and its values are
                self._told()

    def _told(self) -> None:
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()

    # The end

    def flush(self, seconds: float) -> None:
        """Wait until nothing is on its way, let all references go, and wait for those of others."""
        end = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(lambda: not self._unconfirmed and not self._lent, seconds)
            users = list(self._users.values())
        for reference in users:
            self.forget(reference)
        with self._changed:
            self._changed.wait_for(
                lambda: not self._owned and not self._under_way and self._dropped.empty(),
                max(0.0, end - time.monotonic()),
            )

    def close(self, ignore_leaks: bool) -> None:
        """Let everything go. Raises RuntimeError where others still refer to values."""
        self._dropped.put(None)
        with self._lock:
            left = {number: forks for number, forks in self._forks.items() if forks}
            self._owned.clear()
            self._forks.clear()
        if left and not ignore_leaks:
            shown = "".join(
                f"Leaking RRef {number} with fork Id {fork}\n"
                for number, forks in left.items()
                for fork in forks
            )
            raise RuntimeError(
                f"{shown}This is likely because the application code hold a reference to the RRef."
            )

    def counts(self) -> dict[str, str]:
        """How much is held and on its way."""
        with self._lock:
            return {
                "num_owner_rrefs": str(len(self._owned)),
                "num_pending_futures": str(self._under_way),
                "num_pending_users": str(len(self._unconfirmed)),
                "num_forks": str(sum(map(len, self._forks.values()))),
            }
