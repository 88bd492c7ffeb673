"""Every function that torch lets be overridden: its name, its dummy, and what a handler is handed.

torch's own list decides what is called; what mindtorch lacks of it is another test's business.
Handlers answer -1 and run nothing, so any arguments do that torch's parser takes.
"""

from __future__ import annotations

import functools
import inspect
import warnings

import mindtorch
import mindtorch.overrides
import pytest
import torch
import torch.overrides
from torch.testing._internal.generated.annotated_fn_args import annotated_args

from tests.workspace import run_python

from .rows import OWN as OWN_ROWS
from .rows import report

#: Functions that differ, and why.
KNOWN = {
    "torch.Tensor.__array_wrap__": "torch hands the array over by keyword",
    "torch.Tensor.dim_order": "torch leaves out the keyword, whatever it is",
    "torch.functional.chain_matmul": "torch leaves out the keyword, whatever it is",
    "torch.histogramdd": "torch's parser tries the tensor as a number of bins",
    "torch.functional.pca_lowrank": "torch's looks at a plain tensor are Python and can be seen",
    "torch.functional.svd_lowrank": "torch's looks at a plain tensor are Python and can be seen",
    "torch.lobpcg": "torch's looks at a plain tensor are Python and can be seen",
    "torch.functional.einsum": "a tensor in the place of the equation is iterated over in torch",
    "torch.Tensor.__reduce_ex__": "torch's reads of a plain tensor are Python and can be seen",
    "torch.Tensor.record_stream": "torch's parser refuses the call where anything overrides",
}
#: Other names of the same function that ours goes by, as we lack the later one.
RENAMED = {"torch.mm": "torch.spmm"}
#: Ours alone: the device has a name of its own here, and rows that torch does not have.
OWN = {"torch.Tensor.npu", "torch.Tensor.is_npu.__get__"}
OWN |= {f"torch.{name}" for name in OWN_ROWS} | {f"torch.Tensor.{name}" for name in OWN_ROWS}


def found(name):
    """What *name* is in mindtorch, None if it is not there."""
    value = mindtorch
    try:
        for part in name.split(".")[1:]:
            value = getattr(value, part)
    except AttributeError:
        return None
    return value


FUNCTIONS = {
    torch.overrides.resolve_name(f): (f, dummy)
    for f, dummy in torch.overrides.get_testing_overrides().items()
    if torch.overrides.resolve_name(f)
}
SHARED = {n: (f, found(n), dummy) for n, (f, dummy) in FUNCTIONS.items() if found(n) is not None}


class Handlers:
    """Classes of one framework that write down what they are handed."""

    def __init__(self, home):
        self.home, self.seen = home, []

        def note(cls, func, types, args=(), kwargs=None):
            name = home.overrides.resolve_name(func)
            kinds = [t.__name__ for t in types]
            given = [type(a).__name__ for a in args]
            keywords = None if kwargs is None else sorted(kwargs)
            self.seen.append((name, func.__name__, kinds, given, keywords))
            return -1

        body = {"__torch_function__": classmethod(note)}
        self.Like = type("Like", (), body)
        self.Sub = type("Sub", (home.Tensor,), dict(body))
        self.Mode = type("Mode", (home.overrides.TorchFunctionMode,), {"__torch_function__": note})

    def arguments(self, func, known, dummy, make):
        """``(function, args, kwargs)`` for a call of *func*; a method is bound."""
        args, kwargs = [], {}
        if known not in annotated_args:
            spec = inspect.getfullargspec(dummy)
            n = len(spec.args) - len(spec.defaults or ()) + 2 * bool(spec.varargs)
            return func, [make() for _ in range(n)], kwargs
        is_method = self.home.overrides.is_tensor_method_or_property(func)
        for argument in annotated_args[known]:
            kind = argument["simple_type"].removesuffix("?")
            if kind == "Tensor" and is_method and argument["name"] == "self":
                func = func.__get__(make())
            elif argument.get("is_kwarg_only") == "True":
                kwargs[argument["name"]] = self.value(kind, argument, make)
            else:
                args.append(self.value(kind, argument, make))
        return func, args, kwargs

    def value(self, kind, argument, make):
        """Something that torch's parser takes for an argument of *kind*."""
        if kind == "Tensor":
            return make()
        if kind in ("TensorList", "ITensorListRef") or "List<" in kind:
            return [make(), make()]
        if kind in ("IntArrayRef", "SymIntArrayRef"):
            size = argument.get("size", 2)
            return 1 if size == 1 else [1] * size
        if kind in ("Generator", "MemoryFormat", "TensorOptions", "Stream"):
            return None
        if kind.startswith("int") or kind == "SymInt":
            return int(kind == "SymInt")
        values = {"Scalar": 3.5, "bool": False}
        values |= {"double": 1.0, "float": 1.0, "ScalarType": self.home.float32}
        return "" if "string_view" in kind else values[kind]

    def handed(self, func, known, dummy, kind):
        """What came of a call of *func*, and what the handlers saw of it."""
        self.seen.clear()
        if kind == "object":
            make = self.Like
        else:
            of = self.home.Tensor if kind == "mode" else self.Sub
            make = functools.partial(of, [5.0])
        call, args, kwargs = self.arguments(func, known, dummy, make)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if kind.startswith("mode"):
                    with self.Mode():
                        result = call(*args, **kwargs) if kwargs else call(*args)
                else:
                    result = call(*args, **kwargs) if kwargs else call(*args)
        except Exception as error:
            return f"{type(error).__name__}: {error}", list(self.seen)
        return result if type(result) is int else type(result).__name__, list(self.seen)


THEIRS, OURS = Handlers(torch), Handlers(mindtorch)


@pytest.mark.parametrize("kind", ["object", "subclass", "mode", "mode and subclass"])
def test_a_handler_is_handed_what_the_oracles_is(kind):
    """Name, types, arguments and keywords of every function."""
    lines, differing = [], set()
    for name, (theirs, ours, dummy) in SHARED.items():
        if kind == "object" and torch.overrides.is_tensor_method_or_property(theirs):
            continue
        want = THEIRS.handed(theirs, theirs, dummy, kind)
        got = OURS.handed(ours, theirs, dummy, kind)
        if want != got:
            differing.add(name)
            lines.append(f"{name}: ours {got}, torch {want}")
    assert len(SHARED) > 900
    assert differing <= KNOWN.keys(), report(lines)


@pytest.mark.parametrize("name", [f"{k}max_pool{n}d" for k in ("", "adaptive_") for n in (1, 2, 3)])
@pytest.mark.parametrize("indices", [(), (False,), (True,)])
def test_a_pooling_with_indices_is_the_function_of_that_name(name, indices):
    """However they are asked for: ``boolean_dispatch`` of torch chooses before it hands over."""
    seen = []
    for side in (THEIRS, OURS):
        function = getattr(side.home.nn.functional, name)
        positional = (2,) if name.startswith("adaptive") else (2, None, 0, 1, False)
        keywords = {"return_indices": indices[0]} if indices else {}
        handed = []
        for args, kwargs in (((*positional, *indices), {}), ((2,), keywords)):
            side.seen.clear()
            function(side.Sub([5.0]), *args, **kwargs)
            handed += side.seen
        seen.append(handed)
    assert len(seen[0]) == 2
    assert seen[0] == seen[1]


def test_every_function_there_is_can_be_overridden_by_the_oracles_name():
    """``get_testing_overrides`` and ``resolve_name``."""
    ours = {
        mindtorch.overrides.resolve_name(f) for f in mindtorch.overrides.get_testing_overrides()
    }
    ours = {RENAMED.get(n, n) for n in ours} - OWN
    public = {n for n in ours if n is not None}
    assert public - FUNCTIONS.keys() == set()
    assert {n for n in SHARED if RENAMED.get(n, n) not in ours} == set()


def test_dummies_take_what_the_oracles_take():
    """Programs make calls out of their signatures."""
    ours = mindtorch.overrides.get_testing_overrides()
    lines = []
    for name, (_, function, dummy) in SHARED.items():
        want, got = str(inspect.signature(dummy)), str(inspect.signature(ours[function]))
        if got != want:
            lines.append(f"{name}: ours {got}, torch {want}")
    report(lines)


def test_namespaces_list_the_oracles_functions():
    """``get_overridable_functions``."""

    def listed(home):
        found = home.overrides.get_overridable_functions()
        names = {home.overrides.resolve_name(f) for functions in found.values() for f in functions}
        return {RENAMED.get(n, n) for n in names} - OWN

    want, got = listed(torch), listed(mindtorch)
    assert got - want == set()
    assert {n for n in want - got if found(n) is not None} <= {"torch.autocast", "torch.mm"}


def test_what_cannot_be_overridden_is_what_the_oracle_says():
    """``get_ignored_functions``, by name."""

    def names(home):
        return {home.overrides.resolve_name(f) for f in home.overrides.get_ignored_functions()}

    want, got = names(torch), names(mindtorch)
    assert got - want <= {"torch.Tensor.__init__", None}
    assert all(found(n) is None for n in want - got if n and n.count(".") == 1)


def test_there_is_a_dummy_of_every_function_whatever_is_asked_for_first():
    """PyTorch's own test of overriding begins with this, before any method was looked up."""
    program = (
        "from mindtorch.overrides import get_overridable_functions, get_testing_overrides\n"
        "dummies = get_testing_overrides()\n"
        "functions = [f for found in get_overridable_functions().values() for f in found]\n"
        "print(len(functions) > 1300, [f.__name__ for f in functions if f not in dummies])"
    )
    done = run_python("-c", program)
    assert done.stdout == "True []\n", done.stderr
