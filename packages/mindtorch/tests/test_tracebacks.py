"""Tracebacks of errors that leave the library: see Note [Errors leave] in core.tracebacks."""

from __future__ import annotations

import subprocess
import sys
import traceback

import mindtorch as torch
import pytest
from mindtorch.call.points import OF_TENSOR
from mindtorch.core.tracebacks import leaving, shorten


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it; the tests run with all frames."""
    monkeypatch.delenv("MINDTORCH_TRACEBACK", raising=False)


def frames(error: BaseException) -> list[str]:
    """The functions of an error's traceback: the library's as ``module:name``, others by name."""
    found = []
    entry = error.__traceback__
    while entry is not None:
        frame = entry.tb_frame
        module = frame.f_globals.get("__name__", "")
        ours = module.partition("_")[0].partition(".")[0] == "mindtorch"
        found.append(f"{module}:{frame.f_code.co_name}" if ours else frame.f_code.co_name)
        entry = entry.tb_next
    return found


def raised(call) -> BaseException:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def below(call) -> list[str]:
    """The library's frames below the last line of the user's."""
    found = frames(raised(call))
    last = max(i for i, name in enumerate(found) if ":" not in name)
    return found[last + 1 :]


def watchers() -> int:
    """One frame more: while somebody overrides functions, those of Tensor are watched."""
    return int(OF_TENSOR._wanted > 0)


x = torch.ones(2, 3)
weight = torch.ones(2, 3, requires_grad=True)
twice = (weight * 2).sum()
twice.backward()

#: Functions that are Python in the library.
IN_PYTHON = {
    "index": lambda: x[5],
    "indices": lambda: x[0, 0, 0],
    "assignment": lambda: x.__setitem__((9, 9), 1),
    "conversion": lambda: x.to("nowhere"),
    "number": lambda: float(x),
    "tensor": lambda: torch.tensor([[1], [1, 2]]),
    "functional": lambda: torch.nn.functional.cross_entropy(x, torch.tensor([0, 9])),
    "module": lambda: torch.nn.Linear(3, 4)(torch.ones(2, 7)),
    "modules": lambda: torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(5, 2))(x),
    "state": lambda: torch.nn.Linear(3, 4).load_state_dict({}),
    "backward": twice.backward,
    "grad": lambda: torch.autograd.grad(x.sum(), x),
    "transform": lambda: torch.func.grad(lambda x: x)(x),
    "optimizer": lambda: torch.optim.SGD([], lr=0.1),
    "option": lambda: torch.optim.Adam([weight], lr=-1),
    "distribution": lambda: torch.distributions.Normal(0.0, -1.0),
    "loader": lambda: list(torch.utils.data.DataLoader([1, "a"], batch_size=2)),
}
#: Entrances of ops.
OF_OPS = {
    "parser": lambda: torch.add(x, "x"),
    "shapes": lambda: torch.add(x, torch.ones(4, 5)),
    "method": lambda: x.view(7),
    "operator": lambda: x + torch.ones(4, 5),
    "composite": lambda: torch.softmax(x, 7),
    "product": lambda: x @ x,
    "in_place": lambda: weight.add_(1),
    "out": lambda: torch.add(x, x, out=torch.empty(2, 3, dtype=torch.int32)),
    "kernel": lambda: torch.linalg.inv(torch.zeros(2, 2)),
    "list": lambda: torch.cat([x, torch.ones(4, 5)]),
    "factory": lambda: torch.zeros(-1),
    "device": lambda: x.to("npu") + x,
    "overload": lambda: torch.ops.aten.add.Tensor(x, torch.ones(4, 5)),
    "schema": lambda: torch.ops.aten.view.default(x, 2),
}


@pytest.mark.parametrize("name", [*IN_PYTHON, *OF_OPS])
def test_at_most_one_frame_of_the_library_is_below_the_users_line(name):
    """Whatever way the call takes inside."""
    assert len(below({**IN_PYTHON, **OF_OPS}[name])) <= 1 + watchers()


@pytest.mark.parametrize("name", [*IN_PYTHON, *OF_OPS])
def test_no_error_is_shown_that_was_handled_inside(name):
    """A table that had no entry, an overload that did not fit: no user can make use of these."""
    text = "".join(traceback.format_exception(raised({**IN_PYTHON, **OF_OPS}[name])))
    assert "During handling of the above exception" not in text
    assert text.count('File "') <= 3 + watchers()  # raised, the lambda here, one of ours


def test_everything_is_shown_where_it_is_asked_for(monkeypatch):
    """It is read when an error leaves."""
    monkeypatch.setenv("MINDTORCH_TRACEBACK", "full")
    assert len(below(lambda: torch.tensor([[1], [1, 2]]))) > 2
    monkeypatch.setenv("MINDTORCH_TRACEBACK", "short")
    assert len(below(lambda: torch.tensor([[1], [1, 2]]))) <= 1


def test_functions_of_users_that_the_library_calls_stay():
    """Hooks, ``forward``: the frame of each, the last one last, and none of ours between."""

    class Model(torch.nn.Module):
        def forward(self, x):
            return self.part(x)

        def part(self, x):
            raise KeyError("mine")

    def hook(grad):
        raise KeyError("mine")

    error = raised(lambda: torch.nn.Sequential(Model())(x))
    assert [n for n in frames(error) if n in ("forward", "part")] == ["forward", "part"]
    assert not [n for n in frames(error) if ":" in n]
    leaf = torch.ones(2, requires_grad=True)
    leaf.register_hook(hook)
    error = raised(leaf.sum().backward)
    assert frames(error)[-1] == "hook"
    assert len([n for n in frames(error) if ":" in n]) <= watchers()


def test_what_users_handle_stays_the_context():
    """And its traceback; what was handled inside goes."""

    def call():
        try:
            raise KeyError("mine")
        except KeyError:
            torch.tensor([[1], [1, 2]])

    error = raised(call)
    assert type(error.__context__) is KeyError
    assert frames(error.__context__) == ["call"]

    ours: dict[str, object] = {"__name__": "mindtorch.somewhere"}
    exec(_HANDLED, ours)
    error = raised(leaving(ours["inside"]))
    assert error.__context__ is None
    assert frames(error) == ["raised"]


_HANDLED = """
def inside():
    try:
        {}["no entry"]
    except KeyError:
        raise ValueError("theirs")
"""


def test_a_cause_stays():
    """``raise … from …`` is for the user's eyes; its inside is not."""
    error = raised(lambda: leaving(_with_a_cause)())
    assert type(error.__cause__) is KeyError
    assert "direct cause" in "".join(traceback.format_exception(error))


def _with_a_cause():
    try:
        {}["no entry"]
    except KeyError as error:
        raise ValueError("because") from error


def test_shortening_twice_or_nothing_is_no_harm():
    """Each entrance on the way does it again."""
    error = ValueError()
    shorten(error)
    assert error.__traceback__ is None
    error = raised(lambda: torch.tensor([[1], [1, 2]]))
    before = frames(error)
    shorten(error)
    shorten(error)
    assert frames(error) == before


def test_the_interpreter_prints_the_users_line_last(tmp_path):
    """No hook of ours is in the way."""
    program = tmp_path / "program.py"
    program.write_text("import mindtorch as torch\n\ntorch.ones(2, 3)[5]\n")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    lines = done.stderr.splitlines()
    assert sum(line.startswith("  File ") for line in lines) == 1
    assert lines[1].endswith("line 3, in <module>")
    assert lines[-1].startswith("IndexError: index 5 is out of bounds")
