"""``torch.library.infer_schema``: every annotation, default and refusal of torch's."""

from __future__ import annotations

import collections.abc
import typing

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def function(text, **scope):
    """``lambda``'s bigger sister: a function ``f`` with the signature *text*."""
    names: dict[str, typing.Any] = {"typing": typing, "abc": collections.abc, **scope}
    exec(f"def f{text}:\n    pass", names)
    return names["f"]


@program
def every_annotation_of_an_argument(torch, ns, note):
    bases = (
        "Tensor", "int", "float", "bool", "str", "Number", "dtype", "device",
    )  # fmt: skip
    shapes = (
        "{}", "typing.Optional[{}]", "{} | None", "typing.List[{}]", "list[{}]",
        "typing.Sequence[{}]", "abc.Sequence[{}]", "typing.List[typing.Optional[{}]]",
        "typing.Optional[typing.List[{}]]", "list[{}] | None", "typing.Tuple[{}, ...]",
        "tuple[{}, {}]", "dict[str, {}]", "'{}'", "list['{}']", "typing.Union[{}, str]",
    )  # fmt: skip
    scope = {
        "Tensor": torch.Tensor, "Number": torch.types.Number, "dtype": torch.dtype,
        "device": torch.device,
    }  # fmt: skip
    for base in bases:
        for shape in shapes:
            kind = shape.format(base, base)
            f = function(f"(x: {kind}) -> None", **scope)
            note(lambda f=f: torch.library.infer_schema(f, mutates_args=()))


@program
def every_annotation_of_a_result(torch, ns, note):
    for kind in (
        "None", "Tensor", "typing.List[Tensor]", "list[Tensor]", "int", "float", "bool", "Number",
        "str", "Tensor | None", "tuple[Tensor]", "tuple[Tensor, int]",
        "typing.Tuple[Tensor, Tensor]",
        "tuple[Tensor, str]", "typing.Tuple[list[Tensor], bool]", "'Tensor'", "'Nothing'", "'1 +'",
        "tuple[Tensor, ...]", "typing.Sequence[Tensor]", "tuple",
    ):  # fmt: skip
        f = function(f"(x: Tensor) -> {kind}", Tensor=torch.Tensor, Number=torch.types.Number)
        note(lambda f=f: torch.library.infer_schema(f, mutates_args=()))
    note(lambda: torch.library.infer_schema(function("(x: Tensor)", Tensor=torch.Tensor),
                                            mutates_args=()))  # fmt: skip


@program
def defaults(torch, ns, note):
    for kind, default in (
        ("int", "3"), ("float", "1.5"), ("float", "float('inf')"), ("bool", "True"),
        ("str", "'a'"), ("typing.Optional[int]", "None"), ("dtype", "torch.float32"),
        ("device", "torch.device('cpu')"), ("Tensor", "None"), ("list[int]", "[1]"),
        ("list[int]", "(1,)"), ("Number", "2"), ("typing.Optional[Tensor]", "None"),
        ("int", "object"), ("dtype", "torch.bfloat16"), ("device", "'cuda:1'"),
    ):  # fmt: skip
        f = function(
            f"(x: Tensor, y: {kind} = {default}) -> None", torch=torch, Tensor=torch.Tensor,
            Number=torch.types.Number, dtype=torch.dtype, device=torch.device,
        )  # fmt: skip
        note(lambda f=f: torch.library.infer_schema(f, mutates_args=(), op_name="op"))


@program
def parameters_that_no_schema_has(torch, ns, note):
    for text in (
        "(x, /) -> None", "(*args: Tensor) -> None", "(**kwargs: Tensor) -> None", "(x) -> None",
        "(x: Tensor, *, y: Tensor, z: int = 3) -> Tensor", "() -> Tensor",
        "(x: 'Missing') -> None", "(x: '1 +') -> None", "(x: object) -> None", "(x: 3) -> None",
        "(x: list) -> None", "(x: [int]) -> None",
    ):  # fmt: skip
        f = function(text, Tensor=torch.Tensor)
        note(lambda f=f: torch.library.infer_schema(f, mutates_args=()))


@program
def arguments_that_are_changed(torch, ns, note):
    f = function(
        "(x: Tensor, n: int, ys: list[Tensor], z: typing.Optional[Tensor] = None) -> None",
        Tensor=torch.Tensor,
    )
    for names in (
        (), ("x",), {"x"}, ["ys", "z"], ("n",), ("q",), "unknown", "x", iter(["x"]),
    ):  # fmt: skip
        note(lambda names=names: torch.library.infer_schema(f, mutates_args=names))


@program
def tags_make_results_aliases(torch, ns, note):
    Tag = torch.Tag
    for text in (
        "(x: Tensor) -> Tensor", "(x: Tensor, y: Tensor) -> Tensor", "(x: Tensor) -> None",
        "(n: int, x: Tensor) -> Tensor", "(*, x: Tensor) -> Tensor", "() -> Tensor",
        "(y: Tensor, *, x: Tensor) -> Tensor", "(y: Tensor, *, x: Tensor) -> None",
        "(y: Tensor, *, x: list[Tensor]) -> None", "(y: Tensor, *, x: Tensor, z: Tensor) -> Tensor",
        "(*, x: Tensor, z: Tensor) -> tuple[Tensor, Tensor]",
    ):  # fmt: skip
        f = function(text, Tensor=torch.Tensor)
        for tags in (Tag.inplace, [Tag.out], (Tag.inplace, Tag.out), None, Tag.pointwise):
            for names in (("x",), "unknown", ("x", "z")):
                note(
                    lambda f=f, tags=tags, names=names: torch.library.infer_schema(
                        f, mutates_args=names, tags=tags
                    )
                )
