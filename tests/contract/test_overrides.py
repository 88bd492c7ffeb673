"""Programs with ``__torch_function__``: what they write down is what torch's write down."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import mindtorch
import mindtorch.overrides
import pytest

from tests.workspace import run_python

from .both_frameworks import same
from .logs import Log, assert_same_log
from .overriding_programs import PROGRAMS, function_mode


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_program_writes_down_what_it_writes_down_with_torch(program):
    """The same lines, in the same order."""
    assert_same_log(program)


# What torch cannot be asked -----------------------------------------------------------------------


def test_functions_are_themselves_again_after_the_last_mode():
    """While a mode is active their code is exchanged; the objects stay, and the code comes back."""
    program = """
import mindtorch as t, mindtorch.overrides
size, shape, made = t.Tensor.size, t.Tensor.shape, t.as_tensor
codes = lambda: (size.__code__, shape.fget.__code__, made.__code__)
before = codes()
class Sub(t.Tensor): pass
with t.overrides.BaseTorchFunctionMode(), t.overrides.BaseTorchFunctionMode():
    assert (t.Tensor.size, t.Tensor.shape, t.as_tensor) == (size, shape, made)
    assert not set(codes()) & set(before)
assert codes() == before
t.ones(2).as_subclass(Sub)  # from now on somebody may ask for its size by the full name
with t.overrides.BaseTorchFunctionMode():
    pass
assert [a == b for a, b in zip(codes(), before)] == [False, False, True]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_modes_are_each_threads_own():
    """A mode of one thread sees nothing of another's calls, its properties included."""
    log, seen = Log(), []

    def other():
        seen.append(tuple((mindtorch.ones(2) + 1).shape))

    with function_mode(mindtorch, log):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert not log and seen == [(2,)]


def test_an_error_in_a_handler_shows_nothing_of_how_it_was_called():
    """No exception of ours is its context."""

    class Mode(mindtorch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise ValueError("mine")

    for call in (lambda x: x.relu(), lambda x: mindtorch.cat([x]), lambda x: x.shape):
        with pytest.raises(ValueError, match="mine") as raised, Mode():
            call(mindtorch.ones(2))
        assert raised.value.__context__ is None


def test_the_variables_of_a_watched_frame_can_be_read():
    """As debuggers and test runners do; a process that read wild memory would be gone."""
    program = """
import os
os.environ["MINDTORCH_TRACEBACK"] = "full"
import mindtorch as t, mindtorch.overrides

class Mode(mindtorch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise ValueError("mine")

seen = set()
x = t.ones(2)
for call in (lambda: x.float(), lambda: x.bool(), lambda: setattr(x, "shape", 1), lambda: x.size()):
    try:
        with Mode():
            call()
    except (ValueError, AttributeError) as error:
        entry = error.__traceback__
        while entry is not None:
            seen |= entry.tb_frame.f_locals.keys()
            entry = entry.tb_next
print(sorted({"dtype", "name", "self"} & seen))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "['dtype', 'name', 'self']\n"), done.stderr


class _Kinds:
    """Classes of tensors by what they do with calls; each is made for a framework."""

    @staticmethod
    def parameter(t):
        return type("Kind", (t.nn.Parameter,), {})

    @staticmethod
    def disabled(t):
        handler = t._C._disabled_torch_function_impl
        return type("Kind", (t.Tensor,), {"__torch_function__": handler})

    @staticmethod
    def plain(t):
        return type("Kind", (t.Tensor,), {})

    @classmethod
    def handing_on(cls, base):
        """A subclass of such a class whose own method hands the call on."""

        def made(t):
            above = getattr(cls, base)(t)

            class Kind(above):
                @classmethod
                def __torch_function__(cls, func, types, args=(), kwargs=None):
                    return super().__torch_function__(func, types, args, kwargs or {})

            return Kind

        return made


_CLASSES = {
    **{name: getattr(_Kinds, name) for name in ("parameter", "disabled", "plain")},
    **{f"handing on to {n}": _Kinds.handing_on(n) for n in ("parameter", "disabled", "plain")},
}
_USES = {
    "data": lambda t, x: x.data,
    "data moved": lambda t, x: x.data.contiguous().to("cpu"),
    "data of data": lambda t, x: x.data.data,
    "detach": lambda t, x: x.detach(),
    "contiguous": lambda t, x: x.contiguous(),
    "to": lambda t, x: x.to("cpu"),
    "to a dtype": lambda t, x: x.to(t.float64),
    "clone": lambda t, x: x.clone(),
    "in place": lambda t, x: x.add_(1),
    "chunk": lambda t, x: t.chunk(x, 2)[0],
    "real": lambda t, x: x.real,
    "parameter of": lambda t, x: t.nn.Parameter(x, False),
    "parameter with gradient of": lambda t, x: t.nn.Parameter(x),
    "buffer of": lambda t, x: t.nn.Buffer(x),
}


@pytest.mark.parametrize("use", _USES)
@pytest.mark.parametrize("way", ["subclass", "make"])
@pytest.mark.parametrize("kind", _CLASSES)
def test_the_class_of_what_comes_out(kind, way, use):
    """A class that switches overriding off, itself or by handing on, keeps to torch's results."""

    def run(t):
        cls, x = _CLASSES[kind](t), t.ones(2, 2)
        made = x.as_subclass(cls) if way == "subclass" else t.Tensor._make_subclass(cls, x, False)
        found = _USES[use](t, made)
        return type(found).__name__, found.requires_grad, found.tolist()

    same(run)


def test_methods_of_a_program_are_its_own():
    """What a program puts on ``Tensor`` is handed over to nobody, whenever it was put there."""
    program = str(Path(__file__).with_name("methods_of_programs.py"))
    theirs, mine = run_python(program), run_python("-m", "mindtorch", program)
    assert (mine.stdout, mine.stderr) == (theirs.stdout, theirs.stderr)
    assert "foo Sub" in theirs.stdout
