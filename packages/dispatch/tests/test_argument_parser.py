"""The argument parser over values that are no tensors of any framework."""

import warnings

import pytest
from mindtorch_dispatch.argument_errors import python_type_name
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_dispatch.invalid_arguments import hash_map_order
from mindtorch_dispatch.schema import parse_schema
from mindtorch_dispatch.signature import OutForm


class Tensor:
    """As much of a tensor as the parser asks about."""

    def __init__(self, value=0.0, ndim=0, requires_grad=False):
        self.value, self.ndim, self.requires_grad = value, ndim, requires_grad


class Dtype(str):
    pass


class Device(str):
    pass


class Storage:
    pass


class Types:
    tensor_types = frozenset((Tensor,))
    dtype_types = frozenset((Dtype,))
    device_types = frozenset((Device,))
    layout_types = memory_format_types = generator_types = stream_types = frozenset()
    storage_types = frozenset((Storage,))

    def is_tensor(self, value):
        return isinstance(value, Tensor)

    def to_layout(self, value):
        return value

    def to_dtype(self, value):
        return Dtype({int: "int64", float: "float64"}[value])

    def to_device(self, value):
        return Device(value)

    def number(self, value):
        return None

    def dim(self, tensor):
        return tensor.ndim

    def numel(self, tensor):
        return 1 if tensor.ndim == 0 else 6

    def requires_grad(self, tensor):
        return tensor.requires_grad

    def is_integral(self, tensor):
        return type(tensor.value) is int

    def is_bool(self, tensor):
        return type(tensor.value) is bool

    def item(self, tensor):
        return tensor.value

    def type_name(self, value):
        return {"Dtype": "torch.dtype"}.get(type(value).__name__) or python_type_name(value)


TYPES = Types()
ADD = [
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
]
SUM = [
    "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    " -> Tensor",
]
ZEROS = [
    "zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor",
    "zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
]
VIEW = [
    "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
    "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
]
FILL = [
    "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)",
    "fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)",
]
RELU = ["relu(Tensor self) -> Tensor"]


def parser(name, schemas, *, method=False):
    return ArgumentParser.from_schemas(name, schemas, types=TYPES, method=method)


def message(parser, *args, **kwargs):
    with pytest.raises(TypeError) as error:
        parser.parse(args, kwargs)
    return str(error.value)


x, y = Tensor(ndim=2), Tensor(ndim=2)


def test_arguments_come_in_schema_order_with_defaults():
    """The answer is the overload's place and all its arguments."""
    assert parser("add", ADD).parse((x, y)) == (0, (x, y, 1))
    assert parser("add", ADD).parse((x,), {"alpha": 2, "other": y}) == (0, (x, y, 2))
    assert parser("add", ADD).parse((), {"other": y, "input": x}) == (0, (x, y, 1))


def test_out_chooses_the_out_overload():
    """A functional overload and its out= overload are one signature; None is no out."""
    assert parser("add", ADD).parse((x, y), {"out": y}) == (1, (x, y, 1, y))
    assert parser("add", ADD).parse((x, y), {"out": None}) == (0, (x, y, 1))


def test_an_out_form_is_read_when_a_target_is_named():
    """Calls without a target, and what errors list, need no more than the names of the targets."""
    read = []

    def schema():
        read.append(1)
        return parse_schema(ADD[1])

    made = parser("add", [ADD[0], OutForm(0, ["out"], schema)])
    assert made.parse((x, y), {"out": None}) == (0, (x, y, 1))
    whole = parser("add", ADD)
    assert [s.text for s in made.signatures] == [s.text for s in whole.signatures]
    assert message(made, x, y, z=1) == message(whole, x, y, z=1)
    assert not read
    assert made.parse((x, y), {"out": y}) == (1, (x, y, 1, y))
    assert read == [1]


def test_a_method_binds_self_and_has_no_out():
    """self_ takes the place that the schema gives it."""
    assert parser("add", ADD, method=True).parse((y,), {}, x) == (0, (x, y, 1))
    where = ["where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"]
    assert parser("where", where, method=True).parse((x, y), {}, "me") == (0, (x, "me", y))
    assert "unexpected keyword argument 'out'" in message(parser("add", ADD, method=True), y, out=x)


def test_the_tensor_overload_is_tried_first():
    """Whatever the order of the schemas, Tensor goes before Scalar."""
    assert parser("fill_", FILL, method=True).parse((y,), {}, x) == (1, (x, y))
    assert parser("fill_", FILL, method=True).parse((2,), {}, x) == (0, (x, 2))
    texts = [s.text for s in parser("fill_", FILL, method=True).signatures]
    assert texts == ["(Tensor value)", "(Number value)"]


def test_numbers_pass_for_tensors_where_torch_says_so():
    """add takes a number for a tensor and leaves it a number; relu does not."""
    assert parser("add", ADD).parse((x, 2.5)) == (0, (x, 2.5, 1))
    assert message(parser("relu", RELU), 2) == (
        "relu(): argument 'input' (position 1) must be Tensor, not int"
    )


def test_lists_of_ints_become_tuples():
    """A tuple, a list, one int where a size is given, or element by element."""
    total = parser("sum", SUM, method=True)
    assert total.parse((1,), {}, x) == (1, (x, (1,), False, None))
    assert total.parse(([0, 1], True), {}, x) == (1, (x, (0, 1), True, None))
    assert total.parse((), {"axis": None, "keepdims": True}, x) == (1, (x, None, True, None))
    view = parser("view", VIEW, method=True)
    assert view.parse((2, 3), {}, x) == (0, (x, (2, 3)))
    assert view.parse((2, Tensor(3)), {}, x) == (0, (x, (2, 3)))
    assert view.parse((Dtype("f"),), {}, x) == (1, (x, Dtype("f")))


def test_zero_dimensional_tensors_stand_for_their_number():
    """Where a Scalar is wanted, unless a gradient would be lost."""
    add = parser("add", ADD)
    assert add.parse((x, y), {"alpha": Tensor(3)}) == (0, (x, y, 3))
    assert message(add, x, y, alpha=Tensor(3.0, requires_grad=True)) == (
        "add(): argument 'alpha' must be Number, not Tensor"
    )


def test_a_factory_takes_tensor_options_and_requires_grad():
    """What the schema does not know follows its arguments; extras names it."""
    zeros = parser("zeros", ZEROS)
    assert zeros.parse((2, 3), {"dtype": int, "device": "npu:1"}) == (
        0,
        ((2, 3), Dtype("int64"), None, Device("npu:1"), False, False),
    )
    assert zeros.extras(0) == ("requires_grad",)
    assert zeros.parse(((2,),), {"out": x, "requires_grad": True}) == (
        1,
        ((2,), x, None, None, None, False, True),
    )
    assert zeros.extras(1) == ("dtype", "layout", "device", "pin_memory", "requires_grad")


def test_the_default_dtype_of_a_schema_is_resolved():
    """dtype=long of randint is the dtype that int stands for."""
    schema = (
        "randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None) -> Tensor"
    )
    _, bound = parser("randint", [schema]).parse((3, (2,)))
    assert bound == (3, (2,), Dtype("int64"), None, None, False, False)


def test_several_outs_are_one_tuple():
    """out=(values, indices) is spread over the schema's out arguments."""
    schemas = [
        "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, "
        "Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)",
    ]
    find = parser("max", schemas)
    assert find.parse((x, 0), {"out": (x, y)}) == (1, (x, 0, False, x, y))
    assert message(find, x, 0, out=(x,)) == "expected tuple of 2 elements but got 1"
    assert (
        message(find, x, 0, out=x) == "max(): argument 'out' must be tuple of Tensors, not Tensor"
    )


def test_a_deprecated_overload_binds_to_the_new_one(monkeypatch):
    """add(x, 2, y) is add(x, y, alpha=2), and warns once in a process."""
    monkeypatch.setattr("mindtorch_dispatch.argument_errors.said", set())
    add = parser("add", ADD)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add.parse((x,), {"alpha": 2, "other": y})  # by keyword it is the new one
    with pytest.warns(UserWarning, match="This overload of add is deprecated:\n\tadd"):
        assert add.parse((x, 2, y)) == (0, (x, y, 2))
    assert add.parse((x, 3, y), {"out": x}) == (1, (x, y, 3, x))
    assert "Number alpha, Tensor other" not in message(add)


def test_written_signatures_bind_in_the_order_of_their_text():
    """For functions that are no op: the first signature that fits."""
    to = ArgumentParser.from_signatures(
        "to",
        [
            "to(Device? device=None, ScalarType? dtype=None, bool copy=False)",
            "to(ScalarType dtype, bool copy=False)",
        ],
        types=TYPES,
        method=True,
    )
    assert to.parse(("cpu",), {"copy": True}, x) == (0, (x, Device("cpu"), None, True))
    assert to.parse((float,), {}, x) == (1, (x, Dtype("float64"), False))


def test_a_parser_reads_nothing_before_its_first_call():
    """Even a schema that cannot be read costs nothing until then."""
    broken = parser("f", ["f(int a b) -> ()"])
    with pytest.raises(RuntimeError, match="expected \\) but found 'ident'"):
        broken.parse((1,))


@pytest.mark.parametrize(
    ("name", "schemas", "args", "kwargs", "text"),
    [
        ("relu", RELU, (), {}, 'relu() missing 1 required positional arguments: "input"'),
        ("relu", RELU, (x, 1), {}, "relu() takes 1 positional argument but 2 were given"),
        ("relu", RELU, (x,), {"foo": 1}, "relu() got an unexpected keyword argument 'foo'"),
        ("relu", RELU, (x,), {"input": x}, "relu() got multiple values for argument 'input'"),
        ("relu", RELU, (), {"input": 1}, "relu(): argument 'input' must be Tensor, not int"),
        (
            "zeros",
            ZEROS,
            ((2.5,),),
            {},
            "zeros(): argument 'size' (position 1) must be tuple of ints, but found element of "
            "type float at pos 0",
        ),
        (
            "zeros",
            ZEROS,
            (2, 2.5),
            {},
            "zeros(): argument 'size' failed to unpack the object at pos 2 with error "
            '"type must be tuple of ints,but got float"',
        ),
        (
            "cat",
            ["cat(Tensor[] tensors, int dim=0) -> Tensor"],
            ((x, 1),),
            {},
            "expected Tensor as element 1 in argument 0, but got int",
        ),
        (
            "add",
            ADD,
            (),
            {},
            "add() received an invalid combination of arguments - got (), but expected "
            "(Tensor input, Tensor other, *, Number alpha = 1, Tensor out = None)",
        ),
        (
            "sum",
            SUM,
            (x, "a"),
            {},
            "sum() received an invalid combination of arguments - got (Tensor, str), but expected "
            "one of:\n"
            " * (Tensor input, *, torch.dtype dtype = None)\n"
            " * (Tensor input, tuple of ints dim, bool keepdim = False, *, "
            "torch.dtype dtype = None)\n",
        ),
    ],
)
def test_a_call_that_does_not_fit_raises_torchs_error(name, schemas, args, kwargs, text):
    """The full text, for each form that torch has."""
    assert message(parser(name, schemas), *args, **kwargs) == text


def test_a_listing_marks_what_does_not_match():
    """Under a signature of as many arguments, the wrong ones stand between marks."""
    assert message(parser("fill_", FILL, method=True), [1, "a"]) == (
        "fill_() received an invalid combination of arguments - got (list), but expected one of:\n"
        " * (Tensor value)\n"
        "      didn't match because some of the arguments have invalid types: "
        "(!list of [int, str]!)\n"
        " * (Number value)\n"
        "      didn't match because some of the arguments have invalid types: "
        "(!list of [int, str]!)\n"
    )


def test_a_terminal_gets_colours(monkeypatch):
    """On a terminal the marks are escape sequences, as torch's are."""
    monkeypatch.setattr("os.isatty", lambda fd: True)
    assert "(\33[31;1mint\33[0m)" not in message(parser("fill_", FILL, method=True), 1, 2)
    assert "(\33[31;1mstr\33[0m)" in message(parser("fill_", FILL, method=True), "a")


def test_a_method_without_parameters_has_pythons_text():
    """torch declares such a method as taking nothing, so CPython refuses the call."""
    zero = parser("zero_", ["zero_(Tensor(a!) self) -> Tensor(a!)"], method=True)
    assert message(zero, 1) == "TensorBase.zero_() takes no arguments (1 given)"
    assert message(zero, a=1) == "TensorBase.zero_() takes no keyword arguments"


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (10**30, ValueError, "Overflow when unpacking long long"),
        (True, TypeError, "select(): argument 'dim' (position 2) must be int, not bool"),
        (1.0, TypeError, "select(): argument 'dim' (position 2) must be int, not float"),
    ],
)
def test_ints_are_64_bit_and_no_bools(value, error, text):
    """A bool is no int to torch, and an int has 64 bits."""
    select = parser("select", ["select.int(Tensor self, int dim, SymInt index) -> Tensor"])
    with pytest.raises(error) as got:
        select.parse((x, value, 0))
    assert str(got.value) == text


def test_keywords_are_listed_in_the_order_of_torchs_hash_map():
    """libstdc++'s unordered_map with its string hash; recorded from torch 2.13."""
    assert hash_map_order(list("abcdefghijklmnop")) == list("oabphndkcifgejlm")
    greek = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    assert hash_map_order(greek) == ["epsilon", "gamma", "zeta", "beta", "delta", "alpha"]


def test_type_names_are_those_of_c():
    """Built-in types carry their module, Python classes do not."""
    import collections
    import fractions

    assert python_type_name(collections.OrderedDict()) == "collections.OrderedDict"
    assert python_type_name(fractions.Fraction(1)) == "Fraction"
    assert python_type_name(None) == "NoneType"
    assert python_type_name(x) == "Tensor"
