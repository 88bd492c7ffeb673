# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _atfork as _atfork
from . import descriptor_queue as descriptor_queue
from . import pool as pool
from . import queue as queue
from . import reductions as reductions
from . import thread_name as thread_name
from mindtorch.multiprocessing.spawn import spawn as spawn
from mindtorch.multiprocessing.thread_name import _set_thread_name as _set_thread_name
from typing import Any

Array: Any
AuthenticationError: Any
Barrier: Any
BoundedSemaphore: Any
BufferTooShort: Any
Condition: Any
Event: Any
JoinableQueue: Any
Lock: Any
Manager: Any
Pipe: Any
Pool: Any
Process: Any
ProcessError: Any
Queue: Any
RLock: Any
RawArray: Any
RawValue: Any
Semaphore: Any
SimpleQueue: Any
TimeoutError: Any
Value: Any
def active_children() -> Any: ...
allow_connection_pickling: Any
def cleanup_shared_files() -> None: ...
cpu_count: Any
def current_process() -> Any: ...
freeze_support: Any
def get_all_sharing_strategies() -> set[str]: ...
get_all_start_methods: Any
get_context: Any
get_logger: Any
def get_sharing_strategy() -> str: ...
get_start_method: Any
log_to_stderr: Any
def parent_process() -> Any: ...
set_executable: Any
set_forkserver_preload: Any
def set_sharing_strategy(new_strategy: str) -> None: ...
set_start_method: Any
def shared_files_count() -> int: ...
