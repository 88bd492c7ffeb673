"""The argument parser, against torch's: which calls fit, what is said of those that do not.

The schemas are torch's own, read from the ``native_functions.yaml`` that comes with it, which also
says which overloads are functions and which are methods. Calls are generated from fixed seeds.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torchgen
from mindtorch_dispatch.argument_errors import python_type_name
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_dispatch.handwritten_signatures import WRITTEN
from mindtorch_dispatch.parameter import Parameter

from tests.contract.helpers import assert_torch_error

OPS = """
zeros ones full empty arange linspace eye rand randn randint add sub mul div pow eq lt maximum
minimum clamp where abs exp log sqrt relu sigmoid tanh sum mean prod max min amax argmax any all
cumsum var std norm view reshape transpose t permute expand squeeze unsqueeze select narrow
as_strided unfold diagonal flatten unbind split chunk cat stack gather scatter index_select
index_add masked_fill masked_select sort topk matmul mm bmm addmm softmax log_softmax dropout
layer_norm embedding conv2d nll_loss clone to fill_ copy_ zero_ bernoulli multinomial normal tril
triu flip roll repeat bitwise_and logical_and isclose allclose equal add_ mul_ clamp_ addmm_
masked_fill_ scatter_ random_ normal_ zeros_like full_like rand_like randint_like new_zeros
new_full index_put frexp gelu linear mse_loss pad std_mean tensor_split index_fill bucketize
nonzero range lerp addcmul take upsample_bilinear2d max_pool2d_with_indices cross_entropy_loss
""".split()
CALLS = 16
MODULES = {
    "torch": torch._C._VariableFunctions,
    "nn": torch._C._nn,
    "linalg": torch._C._linalg,
    "fft": torch._C._fft,
    "special": torch._C._special,
}


class OracleTypes:
    """What the parser asks about values, answered for torch's own."""

    tensor_types = frozenset((torch.Tensor, torch.nn.Parameter))
    dtype_types = frozenset((torch.dtype,))
    device_types = frozenset((torch.device,))
    layout_types = frozenset((torch.layout,))
    memory_format_types = frozenset((torch.memory_format,))
    generator_types = frozenset((torch.Generator,))
    storage_types = frozenset((torch.UntypedStorage, torch.TypedStorage))
    stream_types = frozenset((torch.Stream,))

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def to_layout(self, value: torch.layout) -> torch.layout:
        return value

    def to_dtype(self, value: type) -> torch.dtype:
        return {
            float: torch.float64,
            int: torch.int64,
            bool: torch.bool,
            complex: torch.complex128,
        }[value]

    def to_device(self, value: Any) -> torch.device:
        return torch.device(value)

    def number(self, value: Any) -> Any:
        return value.item() if isinstance(value, (np.number, np.bool_)) else None

    def dim(self, tensor: torch.Tensor) -> int:
        return tensor.dim()

    def numel(self, tensor: torch.Tensor) -> int:
        return tensor.numel()

    def requires_grad(self, tensor: torch.Tensor) -> bool:
        return tensor.requires_grad

    def is_integral(self, tensor: torch.Tensor) -> bool:
        return not (tensor.is_floating_point() or tensor.is_complex() or self.is_bool(tensor))

    def is_bool(self, tensor: torch.Tensor) -> bool:
        return tensor.dtype is torch.bool

    def item(self, tensor: torch.Tensor) -> Any:
        return tensor.item()

    def type_name(self, value: Any) -> str:
        return python_type_name(value)


TYPES = OracleTypes()


@cache
def native_schemas() -> dict[tuple[str, str], list[str]]:
    """Schema texts by (module, name); the module of methods is ``Tensor``."""
    path = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in path.read_text().split("\n- func: ")[1:]:
        schema, _, rest = entry.partition("\n")
        name = re.match(r"\w+", schema)[0]
        fields = dict(re.findall(r"^  (variants|python_module): ([^#\n]+)", rest, re.M))
        variants = fields.get("variants", "function")
        if "function" in variants:
            found[fields.get("python_module", "torch").strip(), name].append(schema)
        if "method" in variants:
            found["Tensor", name].append(schema)
    return found


def make_parser(module: str, name: str) -> ArgumentParser:
    method = module == "Tensor"
    written = WRITTEN.get(f"{module}.{name}")
    if written is not None:
        return ArgumentParser.from_signatures(name, written, types=TYPES, method=method)
    schemas = native_schemas()[module, name]
    return ArgumentParser.from_schemas(name, schemas, types=TYPES, method=method)


def oracle_function(module: str, name: str) -> Callable[..., Any]:
    if module == "Tensor":
        return getattr(torch._C.TensorBase, name)
    return getattr(MODULES[module], name)


FUNCTIONS = [
    (module, name)
    for name in OPS
    for module in ("torch", "nn", "Tensor")
    if (module, name) in native_schemas()
    and hasattr(torch._C.TensorBase if module == "Tensor" else MODULES[module], name)
]


class Stranger:
    """A value that no parameter takes."""


def matrix() -> torch.Tensor:
    return torch.arange(6.0).reshape(2, 3)


def strange(choose: random.Random) -> Any:
    """Any value: of every type, and of lists with elements of every type."""
    x = matrix()
    tensors = [x, x, x.long(), x > 2, torch.tensor(1.5), torch.tensor(1), torch.tensor([1])]
    tensors += [torch.tensor(1.0, requires_grad=True), torch.nn.Parameter(torch.ones(2))]
    scalars = [0, 1, 2, -1, 0.5, 2.5, True, False, None, None, "a", "sum", b"cpu", 1j, 10**20]
    foreign = [np.int64(1), np.float32(1.5), np.bool_(True), np.array(1), np.zeros(2)]
    lists = [
        (0,),
        (0, 1),
        [1, 0],
        (1, 1.5),
        (1.5, 1),
        [],
        (),
        ("a",),
        (1, "a"),
        (True, 1),
        (1, True),
    ]
    lists += [(None, 1), (1, None), (0.5, 0.5), [x, x], (x,), (x, 1), (1, x), [x, None]]
    lists += [(1, torch.tensor(1)), (1, torch.tensor(1.5)), (np.int64(1), 1), torch.Size([2, 3])]
    named = [torch.float32, torch.int64, float, str, torch.device("cpu"), "cpu", torch.strided]
    named += [torch.contiguous_format, torch.Generator(), Stranger(), Stranger, {}, range(2)]
    return choose.choice(choose.choice([tensors, scalars, foreign, lists, named]))


def fitting(parameter: Parameter) -> Any:
    x = matrix()
    return {
        "Tensor": x,
        "Scalar": 2,
        "int": 0,
        "SymInt": 1,
        "float": 0.5,
        "bool": False,
        "str": "mean",
        "int[]": (0, 1),
        "SymInt[]": (2, 3),
        "Tensor[]": [x, x],
        "Tensor?[]": [x, x],
        "ScalarType": torch.float32,
        "Device": "cpu",
        "Generator": None,
        "MemoryFormat": torch.contiguous_format,
        "Layout": torch.strided,
        "float[]": [1.0, 2.0],
    }.get(parameter.kind, 1)


#: Keywords that are wrong, numpy's, or given twice.
KEYWORDS = "axis keepdims x a x1 x2 foo bar input self out dim keepdim dtype size other".split()


def generated_calls(
    module: str, name: str, parser: ArgumentParser
) -> list[tuple[list[Any], dict[str, Any]]]:
    """Calls around the signatures: some fit, most have one or two things wrong."""
    choose = random.Random(f"{module}.{name}")
    names = sorted({p.name for s in parser.signatures for p in s.parameters})
    calls: list[tuple[list[Any], dict[str, Any]]] = [([], {}), ([Stranger()] * 30, {})]
    while len(calls) < CALLS:
        signature = choose.choice(parser.signatures)
        count = choose.randint(0, signature.max_positional + choose.choice((0, 0, 0, 2)))
        parameters = signature.parameters
        args = [
            fitting(parameters[i])
            if i < len(parameters) and choose.random() < 0.75
            else strange(choose)
            for i in range(count)
        ]
        kwargs = {}
        for parameter in parameters[count:]:
            if choose.random() < (0.12 if parameter.optional else 0.6):
                wrong = choose.random() < 0.4
                kwargs[parameter.name] = strange(choose) if wrong else fitting(parameter)
        if choose.random() < 0.2:
            kwargs[choose.choice(KEYWORDS + names)] = strange(choose)
        items = list(kwargs.items())
        choose.shuffle(items)
        calls.append((args, dict(items)))
    return calls


#: How the texts of torch's parser read, as against those of its operators.
PARSER_TEXT = re.compile(
    r"invalid combination|must be |missing \d|unexpected keyword|takes |got multiple values|"
    r"failed to unpack|expected Tensor as element|expected tuple of"
)


def outcome(call: Callable[[], Any]) -> tuple[str, str] | None:
    """Type and text of what a call raises; a C++ stack trace is cut off."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except Exception as error:
            text = str(error)
            # torch alone appends where in C++ an overflow was found
            return type(error).__name__, re.sub(
                r'(unpacking long long)(\nExc.*|")', r"\1", text, flags=re.S
            )
    return None


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=[".".join(f) for f in FUNCTIONS])
def test_generated_calls_end_as_in_torch(module: str, name: str) -> None:
    """Ours raises what torch raises, and takes every call that torch's parser takes."""
    parser = make_parser(module, name)
    function = oracle_function(module, name)
    wrong = []
    refused = 0
    for args, kwargs in generated_calls(module, name, parser):
        me = matrix()
        bound = [me, *args] if module == "Tensor" else args
        got = outcome(lambda: parser.parse(tuple(args), kwargs, me))
        want = outcome(lambda: function(*bound, **kwargs))
        from_parser = want is not None and PARSER_TEXT.search(want[1]) is not None
        refused += from_parser
        if got != want if got is not None else from_parser and want and want[0] == "TypeError":
            wrong.append((args, kwargs, got, want))
    assert wrong == []
    assert refused, "no generated call was refused: the test compares nothing"


def test_listings_equal_torchs_for_every_function_and_method() -> None:
    """The signatures that an error lists: all of them, in torch's order, with torch's defaults."""
    wrong = []
    listed = 0
    for (module, name), _ in native_schemas().items():
        owner = torch._C.TensorBase if module == "Tensor" else MODULES.get(module)
        function = getattr(owner, name, None)
        if not callable(function) or name.startswith("_sparse"):
            continue
        if module == "torch" and name in HANDMADE:
            continue
        if f"{module}.{name}" not in WRITTEN and name.endswith("_copy"):
            continue  # their out= overloads are generated, and not in the file
        parser = make_parser(module, name)
        args = (Stranger(),) * 37
        me = matrix()
        want = outcome(lambda: function(*((me,) if module == "Tensor" else ()), *args))
        got = outcome(lambda: parser.parse(args, {}, me))
        if want is None or want[0] != "TypeError":
            continue
        listed += "expected one of" in want[1]
        if got != want:
            wrong.append((module, name, got, want))
    assert wrong == []
    assert listed > 200


#: Read by hand in ways that are no list of signatures: sparse constructors with their own layouts.
HANDMADE = frozenset(("sparse_coo_tensor",))


CALLS_BY_HAND: list[Callable[[Any, Any], Any]] = [
    lambda f, x: f("add")(),
    lambda f, x: f("add")(x, "a"),
    lambda f, x: f("add")(x, 1, 2, 3, 4),
    lambda f, x: f("add")(x, x, foo=2, bar=3, baz=4),
    lambda f, x: f("relu")(x, input=x),
    lambda f, x: f("relu")(x, x=x),
    lambda f, x: f("relu")(self=x),
    lambda f, x: f("sum")(x, axis=0, dim=0),
    lambda f, x: f("max")(x, dim="a", keepdim=1),
    lambda f, x: f("max")(x, **dict.fromkeys("abcdefghijklmnop", 1)),
    lambda f, x: f("max")(x, **{"averyveryverylongkeywordargument": 1, "é": 2}),
    lambda f, x: f("zeros")((2, True), (2.5,)),
    lambda f, x: f("zeros")((2, 2.5)),
    lambda f, x: f("zeros")((True, 2)),
    lambda f, x: f("zeros")(2, 2, size=3),
    lambda f, x: f("flip")(x, (1.5,)),
    lambda f, x: f("flip")(x, 0),
    lambda f, x: f("cat")((x, 1)),
    lambda f, x: f("frexp")(x, out=(x,)),
    lambda f, x: f("sort")(x, stable=True, dim="a"),
    lambda f, x: f("where")(x, x, [x]),
    lambda f, x: f("dropout")(x, 1j, True),
    lambda f, x: f("transpose")(x, 10**30, 1),
    lambda f, x: f("add")(x, 10**30),
    lambda f, x: f("zeros")(2, device="foo"),
]


@pytest.mark.parametrize("call", CALLS_BY_HAND)
def test_calls_by_hand_raise_torchs_errors(call: Callable[[Any, Any], Any]) -> None:
    """The forms of torch's texts, one by one."""

    def ours(name: str) -> Callable[..., Any]:
        parser = make_parser("torch", name)
        return lambda *args, **kwargs: parser.parse(args, kwargs)

    x = matrix()
    assert_torch_error(
        lambda: call(ours, x), lambda: call(lambda name: oracle_function("torch", name), x)
    )


def _deprecation_of_torch() -> str:
    """torch's own warning; it gives it once in a process, so it is asked in a new one."""
    code = (
        "import warnings, torch; warnings.simplefilter('always');"
        "x = torch.ones(2); w = warnings.catch_warnings(record=True); seen = w.__enter__();"
        "torch.add(x, 2, x); print(seen[0].message, end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_deprecated_overload_is_taken_and_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch.add(x, 2, y) means add(x, y, alpha=2); torch's warning is given once."""
    monkeypatch.setattr("mindtorch_dispatch.argument_errors.said", set())
    x = matrix()
    parser = make_parser("torch", "add")
    with pytest.warns(UserWarning, match="This overload of add is deprecated") as ours:
        index, bound = parser.parse((x, 2, x), {})
    assert native_schemas()["torch", "add"][index].startswith("add.Tensor(")
    assert bound == (x, x, 2)
    assert str(ours[0].message) == _deprecation_of_torch()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser.parse((x, 2, x), {})


@pytest.mark.parametrize(
    ("module", "name", "args", "kwargs"),
    [
        ("torch", "sum", (matrix(), 1), {"keepdim": True}),
        ("torch", "sum", (matrix(),), {"axis": 0, "dtype": float}),
        ("torch", "add", (matrix(), 2), {"alpha": torch.tensor(3)}),
        ("torch", "randint", (3, (2, 2)), {}),
        ("torch", "zeros", (2, 3), {"dtype": torch.int32, "requires_grad": False}),
        ("torch", "zeros_like", (matrix(),), {"memory_format": torch.contiguous_format}),
        ("torch", "clamp", (matrix(), 1), {"max": torch.tensor(3)}),
        ("torch", "conv2d", (torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)), {"padding": 1}),
        ("torch", "cat", ((matrix(), matrix()), 1), {}),
        ("torch", "addmm", (2, matrix(), matrix(), torch.ones(3, 3)), {}),
        ("torch", "where", (matrix() > 2, 1.0, matrix()), {}),
        ("Tensor", "where", (matrix() > 2, matrix()), {}),
        ("Tensor", "permute", (1, 0), {}),
        ("Tensor", "view", ([3, np.int64(2)],), {}),
        ("Tensor", "new_full", ((2,), 3), {"dtype": torch.int64}),
        ("Tensor", "scatter", (0, matrix().long() * 0, 5.0), {}),
        ("nn", "mse_loss", (matrix(), matrix() + 1), {}),
    ],
)
def test_bound_arguments_give_torchs_result(
    module: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """The overload that is chosen, called with the bound arguments, gives what the call gives."""
    parser = make_parser(module, name)
    me = matrix() > 2 if name == "where" else matrix()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        index, bound = parser.parse(args, kwargs, me)
        torch.manual_seed(0)
        bound_args = (me, *args) if module == "Tensor" else args
        want = oracle_function(module, name)(*bound_args, **kwargs)
    schema = torch._C.parse_schema("aten::" + native_schemas()[module, name][index])
    overload = getattr(getattr(torch.ops.aten, name), schema.overload_name or "default")
    values = [
        torch.tensor(v) if str(a.type) == "Tensor" and isinstance(v, (int, float)) else v
        for a, v in zip(schema.arguments, bound, strict=False)
    ]
    assert len(bound) == len(schema.arguments) + len(parser.extras(index))
    split = sum(not a.kwarg_only for a in schema.arguments)
    names = [a.name for a in schema.arguments[split:]]
    torch.manual_seed(0)
    got = overload(*values[:split], **dict(zip(names, values[split:], strict=True)))
    assert got.dtype == want.dtype
    assert torch.equal(got, want)
