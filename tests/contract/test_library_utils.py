"""``torch._library.utils``: the same answers about the same schemas."""

from __future__ import annotations

import importlib

import pytest

SCHEMAS = (
    "aten::f(Tensor x) -> Tensor",
    "aten::f(Tensor(a!) x) -> Tensor(a!)",
    "aten::f(Tensor(a) x) -> Tensor(a)",
    "aten::f(Tensor x) -> ()",
    "aten::f(Tensor(a!) x, Tensor y) -> Tensor(a!)",
    "aten::f(Tensor(a!) x, *, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))",
    "aten::f(Tensor x, *, int k=2) -> Tensor",
    "aten::f(int x) -> int",
    "aten::f(Tensor[] x, Device device) -> Tensor[]",
    "aten::f(Tensor? x, Tensor?[] y) -> Tensor",
)
OPS = ("add_.Tensor", "add.Tensor", "add.out", "sin.default", "unsqueeze_.default", "copy_.default")
QUESTIONS = {
    "functional": lambda u, s: u.is_functional_schema(s),
    "views": lambda u, s: u.is_functional_schema(s, allow_valid_view=True),
    "keywords": lambda u, s: u.has_kwarg_only_args(s),
    "keyword tensors": lambda u, s: u.has_kwarg_only_tensors(s),
    "tensors": lambda u, s: u.has_tensor_arg(s),
    "device": lambda u, s: u.get_device_arg_index(s),
    "changed": lambda u, s: u.mutated_args_kwargs(s),
    "kinds": lambda u, s: [
        (u.is_tensor_like_type(a.type), u.is_tensorlist_like_type(a.type)) for a in s.arguments
    ],
    "filled": lambda u, s: u.fill_defaults(s, (1,), {}),
    "zipped": lambda u, s: [(a.name, v) for a, v in u.zip_schema(s, (1,), {"y": 4})],
}


def answers(module, ask):
    """What *ask* makes of ``module`` and its ``_library.utils``, errors as text."""
    try:
        return ask(
            importlib.import_module(module), importlib.import_module(f"{module}._library.utils")
        )
    except (AssertionError, AttributeError, ValueError) as error:
        return f"{type(error).__name__}: {error}".replace("mindtorch", "torch")


def compare(ask):
    """Both sides answer the same."""
    assert answers("mindtorch", ask) == answers("torch", ask)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas(schema, question):
    """Each question of each schema."""
    compare(lambda torch, utils: QUESTIONS[question](utils, torch._C.parse_schema(schema)))


@pytest.mark.parametrize("op", OPS)
def test_ops(op):
    """Whose op it is, and whether it changes and returns its first argument."""

    def ask(torch, utils):
        base, _, overload = op.partition(".")
        found = getattr(getattr(torch.ops.aten, base), overload)
        return utils.mutates_and_returns_first_arg(found), utils.is_builtin(found)

    compare(ask)


@pytest.mark.parametrize("name", ["a::b", "a", "a::b::c", "aten::add.Tensor", "aten::none"])
def test_names(name):
    """Names are taken apart, and looked up."""
    compare(lambda torch, utils: utils.parse_namespace(name))
    compare(lambda torch, utils: str(utils.lookup_op(name)))
