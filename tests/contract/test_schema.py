"""The schema language, against torch's own parser."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from mindtorch_dispatch import parse_schema

from tests.contract.helpers import assert_torch_error

#: Those that torch's own parser reads: ``torch.distributed.tensor`` makes some of Python objects.
SCHEMAS = [s for s in torch._C._jit_get_all_schemas() if "PyObject" not in str(s)]


def _argument(argument: Any) -> tuple[Any, ...]:
    alias = argument.alias_info
    return (
        argument.name,
        *[(str(t), t.kind(), t.str()) for t in (argument.type, argument.real_type)],
        argument.N,
        argument.kwarg_only,
        argument.has_default_value(),
        str(argument.default_value),
        argument.is_out,
        argument.is_write,
        alias and (alias.is_write, alias.before_set, alias.after_set),
    )


def _facts(schema: Any) -> list[Any]:
    facts: list[Any] = [schema.name, schema.overload_name, schema.is_mutable, schema._is_view_op()]
    return facts + [_argument(a) for a in (*schema.arguments, *schema.returns)]


def test_every_schema_of_torch_prints_as_torch_prints_it() -> None:
    """str(parse_schema(text)) is str(torch._C.parse_schema(text)), for all texts torch has."""
    texts = [str(s) for s in SCHEMAS]
    wrong = [t for t in texts if str(parse_schema(t)) != str(torch._C.parse_schema(t))]
    assert wrong == []
    # torch's own print is not stable where an alias set has two members
    assert sum(str(parse_schema(t)) != t for t in texts) < 10


def test_every_schema_of_torch_has_torchs_attributes() -> None:
    """Names, types, defaults, sizes and alias sets of arguments and returns."""
    wrong = []
    for schema in SCHEMAS:
        oracle = torch._C.parse_schema(str(schema))
        if _facts(parse_schema(str(schema))) != _facts(oracle):
            wrong.append(str(schema))
    assert wrong == []


FRESH_SETS = (
    "x::f(Tensor! b) -> Tensor",
    "x::f(Tensor!b) -> Tensor",
    "x::f(Tensor!? b, Tensor![] c) -> ()",
    "x::f(Tensor![2] b, Dict(str, Tensor)! c) -> ()",
    "x::f(int! a) -> Tensor!",
    "x::f(Tensor(a!) a) -> (Tensor!, Tensor!)",
    "x::f(Tensor! a, Tensor(a!) b, Tensor! c) -> (Tensor!, Tensor)",
    "x::f(Tensor[]! a, Tensor![]! b) -> Tensor",
    "x::f(Tensor? ! b) -> Tensor",
    "x::f(Tensor!?! a) -> ()",
    "x::f(Tensor!(a) b) -> ()",
    "x::f(Tensor(!) a) -> Tensor",
)


@pytest.mark.parametrize("text", FRESH_SETS)
def test_writes_without_a_name_are_numbered(text: str) -> None:
    """``Tensor! x`` is in an alias set of its own; where no ``!`` may stand torch's error comes."""
    try:
        oracle = torch._C.parse_schema(text)
    except RuntimeError:
        assert_torch_error(lambda: parse_schema(text), lambda: torch._C.parse_schema(text))
    else:
        ours = parse_schema(text)
        assert str(ours) == str(oracle) and _facts(ours) == _facts(oracle)


FORMS = r"""
int a=Mean
int a=contiguous_format
int a=float
ScalarType a=float
ScalarType? a=bool
Layout a=strided
ScalarType a=bfloat16
ScalarType a=long
int a=True
int a=None
int a=-5
float a=None
float a=1
float a=1.
float a=.5
float a=1e-5
float a=1e20
float a=100000.
float a=123456789012.
float a=-0.
complex a=1.5
Scalar a=1j
Scalar a=1e3
Scalar a=None
bool[] a=[True, False]
int[] a=[-1, 2]
SymInt a=-1
str a=""
str a='q"'
str? a="x"
str a="\101\t\\\""
Tensor a=None
Tensor[]? a=None
int a=0x10
int a=- 1
int[]   a  =  [ ]
int[2] a=1
int[2] a=[1,1]
int[1] a=0
int[2]? a=1
float[2] a=1
bool[3] a=True
SymInt[2] b=1
complex[] a=[1j]
Device a="cuda:1"
int a="x"
Tensor? a=1
bool a=0.5
Tensor?? x
Tensor[][] x
(int, Tensor) a
(int, Tensor)[] a
()[] a
Dict(str,Tensor)[] a
Tensor(a!)? x
Tensor(a -> b) x
Tensor(a|b! -> c|d) x
Tensor(*!) x
Tensor(a! -> *)[] x
Tensor[](a!) a
Tensor(a!)[] a
Future(int) f, RRef(int) r, Await(int) a
DeviceIndex x
t a
t[] a
Union(int, str) u
int a, *, int b
int a, ...
int a, int a
int a # comment
""".strip().split("\n")


@pytest.mark.parametrize("inside", FORMS)
def test_forms_are_read_as_torch_reads_them(inside: str) -> None:
    """Types, annotations and defaults that torch accepts, printed alike."""
    text = f"foo({inside}\n) -> ()"
    want = torch._C.parse_schema(text)
    assert str(parse_schema(text)) == str(want)
    assert _facts(parse_schema(text)) == _facts(want)


MALFORMED = r"""
foo
aten::foo
foo.bar
foo(
foo()
foo() ->
foo() -> (
foo(int
foo(int a
foo(int a, int b
foo(int a=
foo(int a=[
foo(Tensor(
foo(Tensor(a
foo(int[
foo(int[]
foo(Tensor?
foo(*
foo(*,
foo(Tensor(a ->
foo(int) -> int
foo(int a,) -> int
foo(int a b) -> int
foo(Foo a) -> int
foo(int a=) -> int
foo(int a=x) -> int
foo(int a=1, int b) -> int
foo(int a) -> int)
foo(Tensor(a a) -> int
::foo() -> ()
a::b::c() -> ()
foo.() -> ()
foo.default() -> ()
foo.__init__(int a) -> ()
foo::() -> ()
foo(int[2 a) -> int
foo(int[x] a)->int
foo(Tensor a=1) -> int
foo(..., int a) -> ()
foo(int[] a=None)->()
foo(int[] a=[1,)->()
foo(int @a)->()
foo(bool a=true)->()
foo(str a=abc) -> ()
foo(str a="\n\x41")->()
foo(str a="x) -> ()
foo(int for)->()
foo(int 1a)->()
foo(int[2][3] x)->()
foo(Tensor(a)(b) x)->()
foo(float a=inf)->()
foo(float a=-inf)->()
foo(int a=99999999999999999999)->()
foo(float a=1e400) -> ()
foo(complex a=1) -> ()
foo(Tensor($0) a) -> ()
foo(int[]? a=[])->()
foo(str[] a=["a","b"])->()
foo(Tensor[] a=[])->()
foo(Tensor[] a=None) -> ()
foo(Scalar[] a=[1, 2.5]) -> ()
foo(SymBool a=False) -> ()
foo(SymFloat a=1) -> ()
foo(t a=1) -> ()
foo(Any a=1) -> ()
foo(Storage a=None) -> ()
foo(int a=+1) -> ()
foo(Device a=None) -> ()
foo(Device? a=cpu)->()
foo(str a="x" "y") -> ()
foo(int a) int
foo(int a) - > int
foo[int a]
foo-bar() -> ()
1foo() -> int
def foo(int a) -> ()
foo(int a); -> int
foo("x" a) -> int
foo(a=1 int) -> ()
foo(Tensor self, , int b) -> ()
foo(Tensor() x)->()
foo(Tensor(!) x)->()
foo(Tensor(a|) x)->()
foo(Future x) -> ()
foo(Dict(int) x)->()
foo(RRef(int x)->()
foo(__torch__ x)->()
foo(__torch__.x y)->()
foo(int a)->(int b,)
foo(int a)->(,)
foo(Dimname[] p) -> ()
foo(int in)->()
foo(int None)->()
foo(int lambda, int if)->()
foo((Tensor, int)[] a) -> (Tensor, int)[]
foo.a.b(int a)->()
""".strip().split("\n")
MALFORMED += [
    "",
    "foo(int\n a b)\n -> ()",
    "foo(\nint a,\nint b,\nint c,\nint d,\nint e f,\nint g,\nint h,\nint i,\nint j)->()",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_schemas_raise_torchs_errors(text: str) -> None:
    """The same exception with the same text, the marked place in it included."""
    assert_torch_error(lambda: parse_schema(text), lambda: torch._C.parse_schema(text))


def _random_schema(draw: Any) -> str:
    types = ["Tensor", "Tensor?", "int", "int?", "Scalar", "float", "int[]", "int[2]", "Tensor(a)"]
    defaults = {"int": ("1", "2"), "int?": ("1", "None"), "Tensor?": ("None",), "Scalar": ("1",),
                "float": ("1.", "2."), "int[]": ("[1]", "[]"), "int[2]": ("1",)}  # fmt: skip
    parts = ["Tensor a"] if draw.random() < 0.8 else ["Tensor? a"]
    for name in draw.sample("bcd", draw.randrange(4)):
        kind = draw.choice(types)
        text = f"{kind} {name}"
        if any("=" in p for p in parts) or draw.random() < 0.7:
            if kind not in defaults:
                continue
            text += f"={draw.choice(defaults[kind])}"
        parts.append(text)
    n = draw.randrange(1, len(parts) + 1)
    outs = ["Tensor(z!) out", "Tensor(y!) out2"][: draw.choice([0, 0, 1, 2])]
    if draw.random() < 0.5 or outs:
        parts = [*parts[:n], "*", *parts[n:], *outs]
        if parts[-1] == "*":
            parts.pop()
    returns = draw.choice(["Tensor", "Tensor", "Tensor", "Tensor?", "(Tensor, int)", "Tensor x"])
    name = draw.choice(["f", "f", "f", "f", "f", "g", "f.o"])
    return f"{name}({', '.join(parts)}) -> {returns}"


def test_compatibility_of_random_schemas() -> None:
    """is_backward_compatible_with and check_forward_compatible_with, reasons included."""
    import random

    draw = random.Random(7)
    seen = set()
    texts = [_random_schema(draw) for _ in range(300)]
    pairs = [(draw.choice(texts), draw.choice(texts)) for _ in range(6000)]
    for a, b in [*pairs, *((t, t) for t in texts)]:
        got = (
            parse_schema(a).is_backward_compatible_with(parse_schema(b)),
            parse_schema(a).check_forward_compatible_with(parse_schema(b)),
        )
        new, old = torch._C.parse_schema(a), torch._C.parse_schema(b)
        try:
            want = new.is_backward_compatible_with(old), new.check_forward_compatible_with(old)
        except IndexError:  # torch reads past the end of a schema that lacks arguments before out
            continue
        assert got == want, (a, b)
        seen.add((want[0], want[1][1][-25:]))
    assert len(seen) >= 7


@pytest.mark.parametrize(
    "name", [*sorted(n for n, v in vars(torch).items() if isinstance(v, torch.dtype)), "Half"]
)
def test_a_dtype_by_name_as_a_default(name: str) -> None:
    """The number of each dtype that torch knows, by each of its names; the error of another."""
    text = f"foo(Tensor a, ScalarType dtype={name}) -> Tensor"
    try:
        want = torch._C.parse_schema(text)
    except RuntimeError:
        assert_torch_error(lambda: parse_schema(text), lambda: torch._C.parse_schema(text))
    else:
        assert _facts(parse_schema(text)) == _facts(want)
