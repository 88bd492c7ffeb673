"""Running a user's script in this process."""

from __future__ import annotations

import atexit
import contextlib
import os
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, TracebackType
from typing import Annotated, Any, NoReturn

import typer
from mindtorch.compat.import_alias import add_hint, as_torch
from mindtorch_npu import accelerator_device

from .broken_pipe import GONE, go_on_unread


def readable(path: Path) -> Path:
    """A file that can be read, else BadParameter."""
    if not path.exists():
        raise typer.BadParameter(f"file '{path}' does not exist.")
    if path.is_dir():
        raise typer.BadParameter(f"file '{path}' is a directory.")
    if not path.is_file():
        raise typer.BadParameter(f"'{path}' is a pipe or a device: write what is in it to a file.")
    if not os.access(path, os.R_OK):
        raise typer.BadParameter(f"file '{path}' is not readable.")
    return path


def is_pickle(path: Path) -> bool:
    """By its name or its first byte, with which no program begins."""
    if path.suffix in (".pickle", ".pkl"):
        return True
    with path.open("rb") as file:
        return file.read(1) == b"\x80"


def program(context: typer.Context, script: Path | None) -> Path | None:
    """A script that can be run, or the name of a module: the callback of an argument."""
    if script is None or context.params.get("module"):
        return script
    if is_pickle(readable(script)) or script.suffix == ".json":
        raise typer.BadParameter(
            f"'{script}' is no Python script; npu replay, tune and timeline read memory snapshots"
        )
    return script


#: A script that a command runs first, and its arguments.
Script = Annotated[Path, typer.Argument(callback=program, help="A Python script.")]
#: The same where the command also works without one.
OptionalScript = Annotated[Path | None, typer.Argument(callback=program, help="A Python script.")]
Arguments = Annotated[list[str] | None, typer.Argument(help="Arguments of the script, after --.")]
#: It must be known before the script is looked at.
Module = Annotated[
    bool,
    typer.Option(
        "--module",
        "-m",
        is_eager=True,
        help="The script is the name of a module, as for python -m.",
    ),
]

#: Read before the command's module, and so mindtorch, is imported: see LazyGroup.
CudaAsNpu = Annotated[
    bool,
    typer.Option("--cuda-as-npu", help="Let 'cuda' mean the simulated NPU, for CUDA programs."),
]
TorchNpu = Annotated[
    bool,
    typer.Option("--torch-npu", help="Offer the simulated NPU's torch_npu, for Ascend programs."),
]


#: Seconds that a process has for its report after Ctrl-C.
PATIENCE = 30.0
#: The exit code of who was interrupted, as shells have it.
INTERRUPTED = 130
#: The signal that stands for Ctrl-C.
INTERRUPT = signal.SIGINT if sys.platform != "win32" else signal.SIGTERM


def reported(
    script: Path,
    arguments: list[str],
    as_json: bool,
    report: Callable[[int], int],
    *,
    module: bool = False,
    keep: list[Any] | None = None,
    error_last: bool = False,
) -> None:
    """Run *script* as ``python script`` would, then *report* what was seen of it.

    What it raises is shown as Python would, Ctrl-C too: what was seen until then is of use. The
    report is made as well where the script ends the process at once, with ``os._exit``, and where
    it prints to a reader that went away, which ends it without a word.

    :param module: *script* is the name of a module, as for ``python -m``.
    :param report: gets the script's exit code and returns the command's.
    :param keep: takes the script's globals, which else die here.
    :param error_last: show what it raises after the report.
    """
    output = contextlib.ExitStack()

    def at_once(code: int) -> int:
        output.close()
        return report(code)

    failure: BaseException | None = None
    with output:
        output.enter_context(stdout_kept())
        output.enter_context(own_output(as_json))
        try:
            with before_os_exit(at_once):
                code = execute(script, arguments, keep, module=module)
        except (Exception, KeyboardInterrupt) as error:
            if keep is not None:
                keep.append(error)  # its frames hold what the script held
            failure, code = error, INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
        if isinstance(failure, BrokenPipeError) and go_on_unread():
            failure, code = None, GONE
        if failure is not None and not error_last:
            show(failure)
    code = report(code)
    if failure is not None and error_last:
        show(failure)
    if code:
        raise typer.Exit(code)


@contextlib.contextmanager
def before_os_exit(report: Callable[[int], int]) -> Iterator[None]:
    """Inside, ``os._exit`` calls *report* with its status and ends with what that returns."""
    end, here = os._exit, os.getpid()

    def leave(status: int) -> NoReturn:
        if os.getpid() == here:  # not a child that was forked
            try:
                status = report(status)
                sys.stdout.flush()
            finally:
                end(status)
        end(status)

    os._exit = leave
    try:
        yield
    finally:
        os._exit = end


def show(error: BaseException) -> None:
    """Print what a script raised, from its own lines on, or let its ``sys.excepthook`` do so."""
    frames = []
    place = error.__traceback__
    while place is not None:
        frames.append(place)
        place = place.tb_next
    begin = max(
        (i for i, each in enumerate(frames) if _code(each) is execute.__code__), default=None
    )
    own = [] if begin is None else frames[begin + 1 :]
    while own and _code(own[0]).co_filename in RUNPY:
        del own[0]
    add_hint(error)
    hook = traceback.print_exception if sys.excepthook is sys.__excepthook__ else sys.excepthook
    hook(type(error), error, own[0] if own else None)


def _code(place: TracebackType) -> CodeType:
    return place.tb_frame.f_code


#: What runs a script on behalf of :func:`execute`.
RUNPY = frozenset(("<frozen runpy>", runpy.__file__))


def execute(
    script: Path, arguments: list[str], keep: list[Any] | None = None, *, module: bool = False
) -> int:
    """Run *script*, in which torch means mindtorch; its exit code. Exceptions pass through."""
    if "torch" not in sys.modules:  # else somebody drives this command from a program of torch's
        as_torch()
        accelerator_device.offered = True  # the command is about that device
    sys.excepthook = sys.__excepthook__  # as it finds it in a process of its own
    with arguments_of(script, arguments, module), its_threads():
        try:
            if module:
                scope = runpy.run_module(str(script), run_name="__main__", alter_sys=True)
            else:
                scope = runpy.run_path(str(script), run_name="__main__")
            if keep is not None:
                keep.append(scope)
        except SystemExit as stop:
            if stop.code is None or isinstance(stop.code, int):
                return stop.code or 0
            print(stop.code, file=sys.stderr)
            return 1
    return 0


@contextlib.contextmanager
def arguments_of(script: Path, arguments: list[str], module: bool) -> Iterator[None]:
    """``sys.argv`` and the first entry of ``sys.path`` as *script* expects them."""
    argv, path = sys.argv, sys.path[:]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, os.getcwd() if module else str(script.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = argv, path


@contextlib.contextmanager
def its_threads() -> Iterator[None]:
    """Wait for the threads that were started inside, as Python does before it ends."""
    before = set(threading.enumerate())
    try:
        yield
    finally:
        while waiting := {t for t in threading.enumerate() if not t.daemon} - before:
            for thread in waiting:  # they may start others
                thread.join()


@contextlib.contextmanager
def refused_by(option: str) -> Iterator[None]:
    """What is wrong with the value of *option*, said of it."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def writable(output: Path | None) -> Path | None:
    """A file to be written, refused before work is done for it: the callback of an option."""
    if output is not None and not output.resolve().parent.is_dir():
        raise typer.BadParameter(f"directory '{output.parent}' does not exist.")
    if output is not None and not os.access(
        output if output.exists() else output.resolve().parent, os.W_OK
    ):
        raise typer.BadParameter(f"'{output}' cannot be written.")
    return output


@contextlib.contextmanager
def stdout_kept() -> Iterator[None]:
    """At the end stdout is what it was, though a script has put another there, or closed it."""
    before, kept = sys.stdout, os.dup(1)
    try:
        yield
    finally:
        if before.closed:
            os.dup2(kept, 1)
            before = open(1, "w", 1, before.encoding, closefd=False)  # noqa: SIM115  (it stays)
        if sys.stdout is not before:
            with contextlib.suppress(Exception):  # whatever it is
                sys.stdout.flush()
            sys.stdout = before
        os.close(kept)


@contextlib.contextmanager
def own_output(as_json: bool) -> Iterator[None]:
    """Where the script prints: with ``--json`` to stderr, so that stdout is one document.

    What writes to the file descriptor itself, and the processes that the script starts, too; and
    what the script has said to be done when the process ends.
    """
    if not as_json:
        yield
        return
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None:
            stream.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if sys.__stdout__ is not None:
            sys.__stdout__.flush()
        os.dup2(kept, 1)
        os.close(kept)
        # The last that is registered runs first, so before the script's own.
        atexit.unregister(_say_no_more)
        atexit.register(_say_no_more)


def _say_no_more() -> None:
    with contextlib.suppress(OSError, ValueError):  # closed
        sys.stdout.flush()
        os.dup2(2, 1)
