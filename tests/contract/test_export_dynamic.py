"""Programs for sizes that vary: graphs, ranges, what modules of them check, and what is refused."""

from __future__ import annotations

import importlib
import logging
import re
import warnings

import pytest

from .dynamic_programs import programs, subscripts
from .rows import report

#: Where torch's numbers of nodes count some that it takes out again.
RENUMBERED = {"encoder"}
#: Where torch's layout rules ask for more than the sizes of results need.
OTHER_RANGES = {"halved"}


def numbered_anew(text):
    """*text* with the nodes that compute sizes numbered in order."""
    found = {}
    for name in re.findall(r"\b(?:sym_size_int|mul)(?:_\d+)?\b", text):
        found.setdefault(name, f"size{len(found)}")
    return re.sub(r"\b(?:sym_size_int|mul)(?:_\d+)?\b", lambda m: found[m[0]], text)


def alike(t, a, b):
    """Whether results are the same but for rounding."""
    if isinstance(a, t.Tensor):
        return a.shape == b.shape and t.allclose(a, b, atol=1e-5)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(alike(t, x, y) for x, y in zip(a, b, strict=True))
    return a == b


def told(call):
    """What a call gives, or what it raises."""
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("mindtorch", "torch")


def drawn(name):
    """By program: its text, and what the module of it does with these and with other sizes."""
    t = importlib.import_module(name)
    importlib.import_module(f"{name}.export")
    logging.disable(logging.CRITICAL)
    found = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t.manual_seed(0)
            for what, (module, args, shapes, other, *kwargs) in programs(t).items():
                found[what] = drawn_one(t, what, module, args, kwargs, shapes, other)
    finally:
        logging.disable(logging.NOTSET)
    return found


def drawn_one(t, what, module, args, kwargs, shapes, other):
    """The same of one program."""
    named = kwargs[0] if kwargs else {}
    program = told(lambda: t.export.export(module, args, named, dynamic_shapes=shapes))
    if isinstance(program, str):
        return {"refused": program}
    text = re.sub(r"# File: .*", "", str(program))
    made = program.module()
    facts = {
        "text": numbered_anew(text) if what in RENUMBERED else text,
        "code": numbered_anew(made.code) if what in RENUMBERED else made.code,
        "outputs": str(program.graph_signature.output_specs),
        "same": told(lambda: alike(t, made(*args, **named), module(*args, **named))),
    }
    if what in RENUMBERED:
        del facts["outputs"]
    if what in OTHER_RANGES:
        facts["text"] = facts["text"].partition("Range constraints")[0]
    if other is not None:
        facts["other"] = told(lambda: alike(t, made(*other), module(*other)))
    return facts


def test_programs_are_drawn_as_the_oracle_draws_them():
    """Graphs with symbols, ranges, guards of modules, and errors."""
    pytest.importorskip("sympy")
    ours, theirs = drawn("mindtorch"), drawn("torch")
    report(
        f"{what}, {key}: ours {ours[what].get(key)}, torch {value}"
        for what, facts in theirs.items()
        for key, value in {**dict.fromkeys(ours[what]), **facts}.items()
        if ours[what].get(key) != value
    )


def subscripted(name):
    """By subscript: the graph, its ranges, and the sizes of its nodes."""
    t = importlib.import_module(name)
    importlib.import_module(f"{name}.export")

    class Of(t.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function = function

        def forward(self, x, i):
            return self.function(x, i)

    def drawn_of(function):
        args = t.ones(6, 8, 5), t.tensor([1])
        program = t.export.export(Of(function), args, dynamic_shapes=({0: t.export.Dim.AUTO}, None))
        calls = [n.meta["val"] for n in program.graph.nodes if n.op == "call_function"]
        sizes = [str(list(v.shape)) for v in calls if hasattr(v, "shape")]
        return program.graph_module.code, str(program.range_constraints), sizes

    logging.disable(logging.CRITICAL)
    try:
        return {what: drawn_of(function) for what, function in subscripts().items()}
    finally:
        logging.disable(logging.NOTSET)


def test_subscripts_are_the_operators_that_they_are_to_the_oracle():
    """Slices of sizes that vary, and bounds that are symbols."""
    pytest.importorskip("sympy")
    ours, theirs = subscripted("mindtorch"), subscripted("torch")
    report(
        f"{what}: ours {ours[what]}, torch {facts}"
        for what, facts in theirs.items()
        if ours[what] != facts
    )


#: What of the programs is written to files and read again.
WRITTEN = (
    "mlp",
    "views",
    "sizes as results",
    "joined",
    "derived",
    "halved",
    "divided, auto",
    "loop",
)


@pytest.mark.parametrize(("writer", "reader"), [("mindtorch", "torch"), ("torch", "mindtorch")])
def test_files_are_read_by_the_other_side(writer, reader, tmp_path):
    """Graphs, ranges and guards of sizes that vary, and what the module of a read program gives."""
    pytest.importorskip("sympy")
    ours, theirs = importlib.import_module(writer), importlib.import_module(reader)
    importlib.import_module("mindtorch.export")
    logging.disable(logging.CRITICAL)
    wrong = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for what in WRITTEN:
                module, args, shapes, other = programs(ours)[what]
                program = ours.export.export(module, args, dynamic_shapes=shapes)
                ours.export.save(program, tmp_path / "program.pt2")
                read = theirs.export.load(tmp_path / "program.pt2")
                given = programs(theirs)[what]
                facts = [
                    (re.sub(r"# .*\n|    \n", "", str(p).partition("Graph signature")[0]))
                    + str(p.range_constraints)
                    for p in (program, read)
                ]
                results = [
                    told(lambda: [tuple(x.shape) if hasattr(x, "shape") else x for x in leaves])
                    if not isinstance(leaves, str)
                    else leaves
                    for leaves in (
                        told(lambda: flat(ours, program.module()(*other))),
                        told(lambda: flat(theirs, read.module()(*given[3]))),
                    )
                ]
                wrong += [f"{what}: {facts}"] * (facts[0] != facts[1])
                wrong += [f"{what}: {results}"] * (results[0] != results[1])
    finally:
        logging.disable(logging.NOTSET)
    report(wrong)


def flat(t, value):
    """The leaves of a result."""
    return importlib.import_module(f"{t.__name__}.utils._pytree").tree_leaves(value)


def test_decomposed_programs_compute_with_sizes_as_before():
    """Operators that composites come to, for sizes that vary."""
    pytest.importorskip("sympy")
    t = importlib.import_module("mindtorch")
    importlib.import_module("mindtorch.export")
    wrong = []
    for what in ("mlp", "encoder", "views", "convolutional", "joined", "derived", "recurrent"):
        module, args, shapes, other = programs(t)[what]
        made = t.export.export(module, args, dynamic_shapes=shapes).run_decompositions()
        if not alike(t, made.module()(*other), module(*other)):
            wrong.append(what)
    assert not wrong


def test_unflattened_programs_take_other_sizes():
    """Modules of the parts of a program."""
    pytest.importorskip("sympy")
    t = importlib.import_module("mindtorch")
    importlib.import_module("mindtorch.export")
    for what in ("mlp", "encoder", "views"):
        module, args, shapes, other = programs(t)[what]
        made = t.export.unflatten(t.export.export(module, args, dynamic_shapes=shapes))
        assert alike(t, made(*other), module(*other)), what


HOSTILE = (
    "__import__('os').system('true')",
    "().__class__",
    "args[0].data",
    "9**9**9 == 1",
    "1 << 10000 == 1",
    "(lambda: 1)()",
    "args[0].size(out=1)",
    "",
)


@pytest.mark.parametrize("code", HOSTILE)
def test_guards_of_files_are_arithmetic_and_nothing_else(code):
    """What a file may have a module evaluate."""
    from mindtorch.export._input_guards import only_computes

    assert not only_computes(code)
    assert only_computes("(-1) + args[0].size()[0] >= 2 and args[1] % 2 == 0")


@pytest.mark.parametrize(
    "text",
    [
        "Pow(Integer(9), Pow(Integer(9), Integer(9)))",
        "__import__('os')",
        "Symbol('s', positive=__import__('os'))",
        "Add(" * 100 + "Integer(1)" + ")" * 100,
        "Mod(Integer(1), Integer(0))",
        "Symbol",
        "Integer('x')",
        "(",
    ],
)
def test_expressions_of_files_are_those_of_sizes(text):
    """What a file may say of a size."""
    pytest.importorskip("sympy")
    from mindtorch._export.serde.expressions import Expressions

    with pytest.raises(RuntimeError):
        Expressions({}).number({"as_expr": {"expr_str": text, "hint": None}})


def layers(t):
    """Modules, arguments, what varies of them, and arguments of other sizes."""
    nn, F = t.nn, t.nn.functional
    auto = t.export.Dim.AUTO

    class Of(nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function = function

        def forward(self, *a):
            return self.function(*a)

    def filled(x):
        y = x.clone()
        y[:, 0] = 1.0
        y[0] = 2.0
        return y.add_(1).relu_()

    rand, rows, both = t.rand, {0: auto}, {0: auto, 1: auto}
    image, images = {0: auto, 2: auto, 3: auto}, (t.rand(2, 3, 6, 6), t.rand(3, 3, 8, 10))

    def whole(t):
        return t.zeros(6, 2, dtype=t.long), t.ones(3, 2, dtype=t.long)

    few, others = whole(t)
    decoder = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True).eval()
    attend = nn.MultiheadAttention(8, 2, batch_first=True)
    found = {
        "gru": (nn.GRU(4, 5, batch_first=True), (rand(3, 6, 4),), (both,), (rand(5, 6, 4),)),
        "lstm": (nn.LSTM(4, 5, 2), (rand(6, 3, 4),), ({1: auto},), (rand(6, 5, 4),)),
        "attention": (attend, (rand(3, 6, 8),) * 3, (both,) * 3, (rand(2, 5, 8),) * 3),
        "decoder": (
            decoder, (rand(3, 6, 8), rand(3, 7, 8)), (both, both), (rand(2, 5, 8), rand(2, 9, 8)),
        ),
        "bilinear": (
            nn.Bilinear(3, 4, 5), (rand(6, 3), rand(6, 4)), (rows, rows), (rand(2, 3), rand(2, 4)),
        ),
        "bags": (nn.EmbeddingBag(9, 4), (few,), (rows,), (others,)),
        "gather": (Of(lambda x, i: x.gather(1, i)), (rand(6, 4), few), ((rows, rows),),
                   (rand(3, 4), others)),
        "index": (Of(lambda x, i: x[i]), (rand(6, 4), few[:, 0]), ((rows, rows),),
                  (rand(3, 4), others[:, 0])),
        "number": (Of(lambda x, n: x * n + t.zeros(n)[:1]), (rand(6, 4), 3), ((rows, auto),),
                   (rand(3, 4), 5)),
    }  # fmt: skip
    of_images = {
        "conv": nn.Conv2d(3, 4, 3, padding="same"),
        "transposed": nn.ConvTranspose2d(3, 4, 3, 2, 1, 1),
        "groups": nn.GroupNorm(3, 3),
        "instances": nn.InstanceNorm2d(3, affine=True),
        "upsampled": nn.Upsample(scale_factor=2, mode="bilinear"),
        "resized": nn.Upsample(size=(8, 8)),
        "adaptive": nn.AdaptiveAvgPool2d((2, 2)),
        "patches": nn.Unfold(2),
        "reflected": Of(lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect")),
        "circular": Of(lambda x: F.pad(x, (1, 1, 1, 1), mode="circular")),
    }
    found |= {
        what: (module, images[:1], ((image,) if not isinstance(module, Of) else ((image,),)),
               images[1:])
        for what, module in of_images.items()
    }  # fmt: skip
    of_rows = {
        "activations": lambda x: F.softplus(F.glu(x).log_softmax(1).prelu(t.ones(1))),
        "causal": lambda x: (x @ x.mT).masked_fill(
            t.triu(t.ones(x.size(0), x.size(0), dtype=t.bool), 1), float("-inf")
        ).softmax(-1),
        "filled": filled,
        "turned": lambda x: (x.roll(1, 0), x.flip(0), x.rot90(), x.tile(2, 1)),
        "repeated": lambda x: (x.repeat_interleave(2, 0), x.chunk(2, -1), x.split([1, 3], -1)),
        "summed": lambda x: (x.cumsum(0), x.norm(dim=0), x.var(0), x.topk(2, 1).values),
        "made": lambda x: (t.eye(x.shape[0]), t.ones(x.shape[0]).diag(), t.tensor(x.shape[0])),
        "distances": lambda x: (t.cdist(x, x), x[:, None] - x[None], F.normalize(x)),
        "spectra": lambda x: t.view_as_real(t.fft.rfft(x)),
        "roots": lambda x: x.sum(0) / x.shape[0] + x.shape[0] ** 0.5,
    }  # fmt: skip
    return found | {
        what: (Of(function), (rand(6, 4),), ((rows,),), (rand(3, 4),))
        for what, function in of_rows.items()
    }


def test_layers_run_for_other_sizes():
    """What a graph gives for sizes that it was not drawn with, as a program and decomposed."""
    pytest.importorskip("sympy")
    t = importlib.import_module("mindtorch")
    importlib.import_module("mindtorch.export")
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for what, (module, args, shapes, other) in layers(t).items():
            program = t.export.export(module, args, dynamic_shapes=shapes)
            if not program.range_constraints:
                wrong.append(f"{what}: nothing varies")
            for made in (program, program.run_decompositions()):
                if not alike(t, made.module()(*other), module(*other)):
                    wrong.append(what)
    assert not wrong


@pytest.mark.parametrize("given", [([1],), ("a",), ((1,), [2]), ((1,), {"x": 2}), ((1,), None)])
def test_further_inputs_are_a_tuple_and_a_dict(given):
    """Others are refused in the oracle's words."""

    def run(t):
        try:
            return t.export.AdditionalInputs().add(*given)
        except AssertionError as error:
            return str(error)

    ours, oracle = map(importlib.import_module, ("mindtorch", "torch"))
    assert run(ours) == run(oracle)
