"""A lock between processes that is a file."""

from __future__ import annotations

import os
import time

from ..core.warning import warn


class FileBaton:
    """A lock that whoever creates the file holds.

    :param wait_seconds: how often a waiting process looks.
    :param warn_after_seconds: after so long it says that it waits.
    """

    def __init__(
        self,
        lock_file_path: str,
        wait_seconds: float = 0.1,
        warn_after_seconds: float | None = None,
    ) -> None:
        self.lock_file_path = lock_file_path
        self.wait_seconds = wait_seconds
        self.warn_after_seconds = warn_after_seconds
        self.fd: int | None = None

    def try_acquire(self) -> bool | None:
        """Take the lock; False if another has it."""
        try:
            self.fd = os.open(self.lock_file_path, os.O_CREAT | os.O_EXCL)
            return True
        except FileExistsError:
            return False

    def wait(self) -> None:
        """Wait until nobody has the lock."""
        has_warned = False
        start = time.time()
        while os.path.exists(self.lock_file_path):
            time.sleep(self.wait_seconds)
            if self.warn_after_seconds is not None and not has_warned:
                if time.time() - start > self.warn_after_seconds:
                    warn(
                        f"Waited on lock file '{self.lock_file_path}' for "
                        f"{self.warn_after_seconds} seconds.",
                    )
                    has_warned = True

    def release(self) -> None:
        """Give the lock back."""
        if self.fd is not None:
            os.close(self.fd)
        os.remove(self.lock_file_path)
