"""What is called while a profiler runs, written to a file."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from abc import ABC, abstractmethod
from typing import Self

from .._C._profiler import (
    _add_execution_trace_observer,
    _disable_execution_trace_observer,
    _enable_execution_trace_observer,
    _remove_execution_trace_observer,
)
from ..core.warning import warn

__all__ = [
    "ExecutionTraceObserver",
]


class _ITraceObserver(ABC):
    """Something that records while a profiler does."""

    @abstractmethod
    def start(self) -> None:
        """Record from now on."""

    @abstractmethod
    def stop(self) -> None:
        """Record no more."""

    @abstractmethod
    def cleanup(self) -> None:
        """Write what is left, and forget it."""


class ExecutionTraceObserver(_ITraceObserver):
    """Writes every call, with what it was given and what it returned, to a JSON file."""

    def __init__(self) -> None:
        self.output_file_path = self.output_file_path_observer = self.resources_dir = ""
        self.extra_resources_collection = False
        self._registered = self._execution_trace_running = False

    def __del__(self) -> None:
        self.unregister_callback()

    @staticmethod
    def build_execution_trace_obs_from_env() -> ExecutionTraceObserver | None:
        """An observer if ENABLE_PYTORCH_EXECUTION_TRACE is 1 in the environment."""
        if os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE", "0") != "1":
            return None
        try:
            handle, path = tempfile.mkstemp("_et.json.gz")
        except Exception as e:
            warn(
                f"Execution trace will not be recorded. Exception on creating default temporary "
                f"file: {e}",
            )
            return None
        os.close(handle)
        made = ExecutionTraceObserver()
        made.register_callback(path)
        return made

    def set_extra_resource_collection(self, val: bool) -> None:
        """Collect generated sources too, of which there are none here."""
        self.extra_resources_collection = val
        if self.extra_resources_collection:
            self.get_resources_dir(can_create=True)

    def register_callback(self, output_file_path: str) -> Self:
        """Write to *output_file_path*, compressed where it ends in ``.gz``."""
        if not self._registered:
            self.output_file_path = output_file_path
            if output_file_path.endswith(".gz"):
                handle, self.output_file_path_observer = tempfile.mkstemp(".json")
                os.close(handle)
            else:
                self.output_file_path_observer = output_file_path
            self._registered = _add_execution_trace_observer(self.output_file_path_observer)
        return self

    def get_resources_dir(self, can_create: bool = False) -> str | None:
        """The folder of collected sources."""
        if not self.extra_resources_collection:
            return None
        if self.resources_dir:
            return self.resources_dir
        found = self.get_resources_dir_for_et_path(self.output_file_path, create_dir=can_create)
        if found:
            self.resources_dir = found
        return found

    @staticmethod
    def get_resources_dir_for_et_path(trace_path: str, create_dir: bool = False) -> str | None:
        """The folder of collected sources beside the file *trace_path*."""
        work_dir, file_name = os.path.split(trace_path)
        folder = os.path.join(work_dir, os.path.splitext(file_name)[0] + "_resources")
        if not os.path.exists(folder):
            if not create_dir:
                return None
            try:
                os.mkdir(folder)
            except Exception:
                warn(f"Execution trace exception when creating {folder}")
                return None
        return folder

    def unregister_callback(self) -> None:
        """Write the end of the file."""
        if not self._registered:
            return
        self.stop()
        _remove_execution_trace_observer()
        self._registered = False
        if self.output_file_path.endswith(".gz"):
            try:
                with (
                    open(self.output_file_path_observer, "rb") as source,
                    gzip.open(self.output_file_path, "wb") as target,
                ):
                    shutil.copyfileobj(source, target)
                os.remove(self.output_file_path_observer)
            except Exception as e:
                warn(f"Failed to compress the execution trace: {e}")

    @property
    def is_registered(self) -> bool:
        """Whether there is a file to write to."""
        return self._registered

    def is_running(self) -> bool:
        """Whether calls are written."""
        return self._execution_trace_running

    def start(self) -> None:
        """Write from now on."""
        if self._execution_trace_running or not self._registered:
            return
        _enable_execution_trace_observer()
        self._execution_trace_running = True
        self._record_pg_config()

    def stop(self) -> None:
        """Write no more for now."""
        if self._execution_trace_running:
            _disable_execution_trace_observer()
            self._execution_trace_running = False

    def cleanup(self) -> None:
        """Write the end of the file."""
        self.unregister_callback()

    def get_output_file_path(self) -> str | None:
        """The file; None before one is registered."""
        return self.output_file_path if self.output_file_path else None

    def _record_pg_config(self) -> None:
        """Write the process groups, where there are some."""
