"""The schema language."""

import pytest
from mindtorch_dispatch.schema import parse_schema
from mindtorch_dispatch.schema_reader import SchemaReader

ADD = "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"


def test_a_schema_has_torchs_attributes():
    """Name with namespace, overload name, arguments, returns, mutability."""
    schema = parse_schema(ADD)
    assert (schema.name, schema.overload_name) == ("aten::add", "out")
    assert [a.name for a in schema.arguments] == ["self", "other", "alpha", "out"]
    assert [a.kwarg_only for a in schema.arguments] == [False, False, True, True]
    assert schema.is_mutable
    alpha, out = schema.arguments[2:]
    assert alpha.has_default_value() and alpha.default_value == 1
    assert not out.has_default_value() and out.default_value is None
    assert out.is_out and not alpha.is_out
    assert out.alias_info.is_write and out.alias_info.before_set == {"a"}
    assert [str(r) for r in schema.returns] == ["Tensor(a!)"]


@pytest.mark.parametrize(
    "text",
    [
        ADD,
        "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        "relu(Tensor self) -> Tensor",
        "conv(Tensor self, int[2] stride=1, SymInt[2] dilation=[1, 1]) -> Tensor",
        "f(bool[3] mask, int[1] dim=[0], int[] dims=[-2, -1], float[]? s=None) -> Tensor",
        "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        'f(Device? device=None, str mode="linear", float eps=1.0000000000000001e-05) -> ()',
        "f(Tensor?[] indices, ScalarType? dtype=None, Generator? g=None, ...) -> ...",
        "f((str, t)[] inputs, Dict(str, t) d, Future(t) g) -> ((str, t)[])",
    ],
)
def test_a_schema_prints_as_it_was_written(text):
    """str() of what was read gives the text back."""
    assert str(parse_schema(text)) == text


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("int a=-1", -1),
        ("float a=2", 2.0),
        ("Scalar a=1e3", 1000.0),
        ("bool a=True", True),
        ("int[2] a=3", [3, 3]),
        ("int[] a=[0, 1]", [0, 1]),
        ("int reduction=Mean", 1),
        ("ScalarType a=long", 4),
        ("str a='x'", "x"),
        ("Tensor? a=None", None),
    ],
)
def test_defaults_are_python_values(parameter, value):
    """A default is converted to the type of its parameter."""
    (argument,) = parse_schema(f"f({parameter}) -> ()").arguments
    assert argument.has_default_value()
    assert argument.default_value == value
    assert type(argument.default_value) is type(value)


def test_types_say_what_they_contain():
    """kind, element, size; `type` stands in for types that torch's IR has as int."""
    sizes, dtype = parse_schema("f(SymInt[2]? sizes, ScalarType dtype) -> ()").arguments
    assert sizes.real_type.kind() == "OptionalType"
    assert sizes.real_type.getElementType().kind() == "ListType"
    assert (sizes.real_type.str(), str(sizes.real_type), sizes.N) == (
        "SymInt[]?",
        "Optional[List[int]]",
        2,
    )
    assert (str(dtype.type), str(dtype.real_type)) == ("int", "ScalarType")


def test_equal_arguments_are_shared():
    """An argument's text is read once; the objects are immutable."""
    one = parse_schema("f(Tensor self, *, int dim=0) -> Tensor")
    two = parse_schema("g(Tensor self, int dim=0) -> Tensor")
    assert one.arguments[0] is two.arguments[0]
    assert one.arguments[1].kwarg_only and not two.arguments[1].kwarg_only


def test_schemas_compare_by_text():
    """Equal texts give equal schemas, whatever their spacing."""
    assert parse_schema("f(int a,int b) -> ()") == parse_schema("f(int a, int b) -> ()")
    assert parse_schema("f(int a) -> ()") != parse_schema("f(int b) -> ()")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foo", "Tried to parse a function schema but only the operator name was given"),
        (
            "foo(int a b) -> ()",
            "expected ) but found 'ident' here:\nfoo(int a b) -> ()\n          ~ <--- HERE\n",
        ),
        ("foo(int a)", "expected arrow but found 'eof' here:\nfoo(int a)"),
        (
            "foo(int a=x) -> ()",
            "\ninvalid numeric default value:\nfoo(int a=x) -> ()\n           ~ <--- HERE\n",
        ),
        ("foo.default() -> ()", "default is not a legal overload name for aten operators"),
    ],
)
def test_a_malformed_schema_raises_torchs_error(text, message):
    """RuntimeError, with the place marked."""
    with pytest.raises(RuntimeError) as error:
        parse_schema(text)
    assert str(error.value) == message


_TYPES = (
    "Tensor|Tensor?|Tensor[]|Tensor?[]|Tensor(a!)|Tensor(a)[]|Tensor(a!)?|Tensor(a -> *)|int|int?|"
    "int[]|int[2]|int[2]?|int[0]|int[][]|float|float?|float[]|bool[3]|str|str?|Scalar|Scalar?|"
    "ScalarType?|SymInt|SymInt[1]?|complex|complex[]|Device?|Layout|MemoryFormat?|Generator?|QScheme|"
    "Tensor(a)[](b)|Tensor(a!)[]?|t|t[]|Foo|Dict(int,str)"
)
_DEFAULTS = (
    "=1|=-1|=1.5|=1.|=-.5|=None|=True|=[]|=[1]|=[1, 2]|=[1,2]|=[1, x]|=[1.5, 2]|=[True]|=[[1]]|"
    '=long|="abc"|="a b"|="a|="a" "b"|=cpu|=Mean|=foo|=1e5|=1e-5|=1e999|=99999999999999999999|=2j|'
    "=0x10|=-|=|=--1|=1.5.2|=1-2|"
)


def _described(read):
    try:
        schema = read()
    except (RuntimeError, ValueError, IndexError) as error:
        return type(error), str(error)
    return str(schema), [
        (
            *(a.name, a.real_type, a.N, str(a.alias_info), a.is_write, a.kwarg_only),
            *(a.has_default_value(), repr(a.default_value), a.default_source),
        )
        for a in (*schema.arguments, *schema.returns)
    ]


@pytest.mark.parametrize("kind", _TYPES.split("|"))
def test_a_schema_read_in_pieces_is_that_of_the_reader(kind):
    """Types and defaults that are read without the tokenizer mean what it makes of them."""
    for default in _DEFAULTS.split("|"):
        for form in (
            f"f({kind} x{default}) -> t",
            f"f(Tensor a, *, {kind} x{default}) -> ({kind})",
        ):
            expected = _described(SchemaReader(form).schema)
            assert _described(lambda form=form: parse_schema(form)) == expected, form
