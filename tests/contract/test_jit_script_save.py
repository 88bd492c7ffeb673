"""What was scripted is saved: torch reads it and computes the same, and shows the same source."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
import torch

from . import script_functions, script_modules, script_refusals
from .both_frameworks import ours
from .test_jit_load import agrees

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def given(t, value):
    """The arguments of a program as those of a framework: ``("t", 2, 3)`` is a tensor."""
    if isinstance(value, tuple) and value and value[0] in ("t", "i"):
        count = int(np.prod(value[1:], dtype=int))
        numbers = np.sin(np.arange(count) + 1.0).astype(np.float32).reshape(value[1:])
        if value[0] == "i":
            numbers = (np.arange(count) % 7).reshape(value[1:])
        return t.from_numpy(numbers)
    if isinstance(value, (tuple, list)):
        return type(value)(given(t, each) for each in value)
    if isinstance(value, dict):
        return {k: given(t, each) for k, each in value.items()}
    return value


def written(scripted):
    data = io.BytesIO()
    scripted.save(data)
    return data.getvalue()


def read(t, data):
    return t.jit.load(io.BytesIO(data))


FUNCTIONS = list(
    zip(script_functions.functions(ours), script_functions.functions(torch), strict=True)
)


def name(pair):
    return pair[0][0].__name__


@pytest.mark.parametrize("pair", FUNCTIONS, ids=name)
def test_functions_compute_the_same(pair):
    (mine, arguments), (theirs, _) = pair
    data = written(ours.jit.script(mine))
    want = torch.jit.script(theirs)(*given(torch, arguments))
    agrees(read(torch, data)(*given(torch, arguments)), want)
    agrees(read(ours, data)(*given(ours, arguments)), want)


@pytest.mark.parametrize("pair", FUNCTIONS, ids=name)
def test_source_of_functions_is_the_same(pair):
    (mine, _), (theirs, _) = pair
    assert ours.jit.script(mine).code == torch.jit.script(theirs).code


def canonical(graph):
    """A graph's text without numbers of values, places, and the order of constants."""
    text = re.sub(r" # .*$", "", str(graph), flags=re.M)
    lines = text.splitlines()
    constants = sorted(line for line in lines if "prim::Constant" in line)
    lines = [line for line in lines if "prim::Constant" not in line]
    names: dict[str, str] = {}
    meanings = {}
    for line in constants:
        made, _, value = line.strip().partition(" = ")
        meanings[made.split(" ")[0]] = f"<{value}:{made.split(' : ')[1]}>"
    body = "\n".join(lines)

    def renamed(match):
        word = match[0]
        if word in meanings:
            return meanings[word]
        return names.setdefault(word, f"%{len(names)}")

    return re.sub(r"%[\w.]+", renamed, body)


#: Programs whose graphs are written otherwise: a fork has its call, not a graph of its own.
OTHER_GRAPHS = {"forked"}


@pytest.mark.parametrize("pair", [p for p in FUNCTIONS if name(p) not in OTHER_GRAPHS], ids=name)
def test_graphs_of_functions_are_the_same(pair):
    (mine, _), (theirs, _) = pair
    assert canonical(ours.jit.script(mine).graph) == canonical(torch.jit.script(theirs).graph)


@pytest.mark.parametrize("pair", FUNCTIONS, ids=name)
def test_signatures_are_the_same(pair):
    (mine, _), (theirs, _) = pair
    assert str(ours.jit.script(mine).schema) == str(torch.jit.script(theirs).schema)


MODULES = list(zip(script_modules.modules(ours), script_modules.modules(torch), strict=True))


def same_numbers(mine, theirs):
    """Give both modules the same parameters."""
    for (key, a), (other, b) in zip(
        mine.state_dict().items(), theirs.state_dict().items(), strict=True
    ):
        assert key == other
        b.copy_(torch.from_numpy(a.numpy().copy()))


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("pair", MODULES, ids=name)
def test_modules_compute_the_same(pair, training):
    (mine, arguments), (theirs, _) = pair
    if mine.__name__ == "Tagger" and training:
        training = False  # dropout
    ours.manual_seed(0)
    module, other = mine().train(training), theirs().train(training)
    same_numbers(module, other)
    data = written(ours.jit.script(module))
    want = torch.jit.script(other)
    loaded = [read(t, data) for t in (ours, torch)]
    result = want(*given(torch, arguments))
    for t, each in zip((ours, torch), loaded, strict=True):
        agrees(each(*given(t, arguments)), result)
        assert list(each.state_dict()) == list(want.state_dict())
        agrees(list(each.state_dict().values()), list(want.state_dict().values()))
        assert each.training is training
        assert [n for n, _ in each.named_parameters()] == [n for n, _ in want.named_parameters()]
        assert [n for n, _ in each.named_modules()] == [n for n, _ in want.named_modules()]
        assert each.original_name == want.original_name


@pytest.mark.parametrize("pair", MODULES, ids=name)
def test_source_of_modules_is_the_same(pair):
    (mine, _), (theirs, _) = pair
    assert unmangled(ours.jit.script(mine()).code) == unmangled(torch.jit.script(theirs()).code)


def unmangled(text):
    return re.sub(r"___torch_mangle_\d+\.", "", text)


def error_of(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error)
    return None


#: Programs whose errors differ in the order of overloads.
OTHER_TEXTS = {"generator"}


@pytest.mark.parametrize(
    "pair", list(zip(script_refusals.refused(ours), script_refusals.refused(torch), strict=True)),
    ids=lambda pair: pair[0].__name__,
)  # fmt: skip
def test_programs_that_are_refused(pair):
    """The error comes when the source is asked for, not when the function is scripted."""
    mine, theirs = pair
    scripted = ours.jit.script(mine)
    found = error_of(lambda: scripted.code)
    want = error_of(lambda: torch.jit.script(theirs))
    assert error_of(lambda: written(scripted)) == found
    if mine.__name__ in OTHER_TEXTS:
        assert found[0] == want[0]
        lines = [sorted(line.strip() for line in text.splitlines()) for _, text in (found, want)]
        assert lines[0] == lines[1]
    else:
        assert found == want


def test_what_the_compiler_refuses_runs_as_before():
    def tries(x):
        try:
            return x + 1
        except ValueError:
            return x

    scripted = ours.jit.script(tries)
    assert scripted(ours.ones(1)).item() == 2
    assert error_of(lambda: scripted.graph)[0] == "UnsupportedNodeError"
    assert scripted(ours.ones(1)).item() == 2


def sized(*sizes):
    return ("t", *sizes)


IMAGE, SIGNAL, VOLUME = sized(2, 4, 8, 8), sized(2, 4, 8), sized(1, 4, 6, 6, 6)
#: Layers by name: arguments of the layer, named ones, arguments of ``forward``.
LAYERS = [
    *((n, (), {}, (IMAGE,)) for n in (
        "ReLU ReLU6 GELU SiLU Sigmoid Tanh ELU SELU CELU LeakyReLU PReLU RReLU Hardtanh Hardswish "
        "Hardsigmoid Mish Softplus Softshrink Hardshrink Tanhshrink Softsign LogSigmoid Softmax2d "
        "Identity Flatten Dropout Dropout2d AlphaDropout FeatureAlphaDropout"
    ).split()),
    *((n, (1,), {}, (IMAGE,)) for n in (
        "Softmax LogSoftmax Softmin GLU ZeroPad2d ReflectionPad2d ReplicationPad2d CircularPad2d"
    ).split()),
    *((n, (2,), {}, (IMAGE,)) for n in (
        "MaxPool2d AvgPool2d AdaptiveAvgPool2d AdaptiveMaxPool2d PixelShuffle PixelUnshuffle "
        "ChannelShuffle LocalResponseNorm Unfold"
    ).split()),
    *((n, (2,), {}, (SIGNAL,)) for n in (
        "MaxPool1d AvgPool1d AdaptiveAvgPool1d AdaptiveMaxPool1d ZeroPad1d ReflectionPad1d "
        "ReplicationPad1d CircularPad1d"
    ).split()),
    *((n, (2,), {}, (VOLUME,)) for n in (
        "MaxPool3d AvgPool3d AdaptiveAvgPool3d AdaptiveMaxPool3d ZeroPad3d ReflectionPad3d "
        "ReplicationPad3d CircularPad3d"
    ).split()),
    ("Threshold", (0.1, 2.0), {}, (IMAGE,)), ("ConstantPad2d", ((1, 2, 0, 1), 0.5), {}, (IMAGE,)),
    ("ConstantPad1d", (1, 2.0), {}, (SIGNAL,)), ("ConstantPad3d", (1, 1.0), {}, (VOLUME,)),
    ("Linear", (8, 3), {}, (IMAGE,)), ("Linear", (8, 3), {"bias": False}, (IMAGE,)),
    ("Conv1d", (4, 2, 3), {}, (SIGNAL,)), ("Conv2d", (4, 2, 3), {"padding": "same"}, (IMAGE,)),
    ("Conv2d", (4, 4, 3), {"stride": 2, "groups": 2, "bias": False}, (IMAGE,)),
    ("Conv2d", (4, 2, 3), {"padding": 1, "padding_mode": "reflect"}, (IMAGE,)),
    ("Conv3d", (4, 2, 3), {}, (VOLUME,)), ("ConvTranspose1d", (4, 2, 3), {}, (SIGNAL,)),
    ("ConvTranspose2d", (4, 2, 3), {"stride": 2}, (IMAGE,)),
    ("ConvTranspose2d", (4, 2, 3), {"stride": 2}, (IMAGE, [18, 18])),
    ("ConvTranspose3d", (4, 2, 2), {}, (VOLUME,)), ("BatchNorm1d", (4,), {}, (SIGNAL,)),
    ("BatchNorm2d", (4,), {"momentum": None}, (IMAGE,)), ("BatchNorm3d", (4,), {}, (VOLUME,)),
    ("BatchNorm2d", (4,), {"affine": False, "track_running_stats": False}, (IMAGE,)),
    ("InstanceNorm1d", (4,), {}, (SIGNAL,)), ("InstanceNorm2d", (4,), {"affine": True}, (IMAGE,)),
    ("InstanceNorm3d", (4,), {}, (VOLUME,)), ("GroupNorm", (2, 4), {}, (IMAGE,)),
    ("LayerNorm", (8,), {}, (IMAGE,)), ("RMSNorm", (8,), {}, (IMAGE,)),
    ("LPPool1d", (2, 2), {}, (SIGNAL,)), ("LPPool2d", (2.0, (2, 2), 1), {}, (IMAGE,)),
    ("LPPool3d", (2, 2), {}, (VOLUME,)), ("Unflatten", (1, (2, 2)), {}, (IMAGE,)),
    ("Fold", ((4, 5), (2, 2)), {}, (sized(1, 8, 12),)),
    ("Upsample", (), {"scale_factor": 2.0}, (IMAGE,)), ("Upsample", (), {"size": 5}, (IMAGE,)),
    ("Upsample", (), {"scale_factor": 2, "mode": "bilinear"}, (IMAGE,)),
    ("Upsample", (), {"size": (4, 3), "mode": "bicubic", "align_corners": True}, (IMAGE,)),
    ("Upsample", (), {"scale_factor": 2, "mode": "trilinear"}, (VOLUME,)),
    ("UpsamplingNearest2d", (), {"scale_factor": 2.0}, (IMAGE,)),
    ("UpsamplingBilinear2d", (), {"scale_factor": 2}, (IMAGE,)),
    ("Dropout1d", (), {}, (SIGNAL,)), ("Dropout3d", (), {}, (VOLUME,)),
    ("LSTMCell", (3, 2), {}, (sized(2, 3),)), ("GRUCell", (3, 2), {}, (sized(2, 3), sized(2, 2))),
    ("RNNCell", (3, 2), {}, (sized(3),)),
    ("RNNCell", (3, 2), {"nonlinearity": "relu"}, (sized(2, 3),)),
    ("Bilinear", (2, 3, 2), {}, (sized(4, 2), sized(4, 3))),
    ("CosineSimilarity", (), {}, (sized(3, 4), sized(3, 4))),
    ("PairwiseDistance", (), {}, (sized(3, 4), sized(3, 4))),
    ("Embedding", (5, 3, 0), {}, (("i", 5),)),
    ("Embedding", (7, 3), {"max_norm": 0.5}, (("i", 5),)),
    ("EmbeddingBag", (7, 3), {}, (("i", 2, 3),)),
    ("EmbeddingBag", (7, 3), {"mode": "sum"}, (("i", 2, 3),)),
    ("MultiheadAttention", (8, 2), {}, (SIGNAL, SIGNAL, SIGNAL)),
    ("MultiheadAttention", (8, 2), {"batch_first": True, "bias": False}, (SIGNAL,) * 3),
    ("MultiheadAttention", (8, 2),
     {"add_bias_kv": True, "add_zero_attn": True, "kdim": 4, "vdim": 6},
     (sized(3, 2, 8), sized(4, 2, 4), sized(4, 2, 6))),
    ("TransformerEncoderLayer", (8, 2, 16), {}, (SIGNAL,)),
    ("TransformerEncoderLayer", (8, 2, 16), {"norm_first": True, "activation": "gelu"}, (SIGNAL,)),
    ("TransformerDecoderLayer", (8, 2, 16), {}, (SIGNAL, SIGNAL)),
    ("Transformer", (8, 2, 1, 1, 16), {}, (SIGNAL, SIGNAL)),
    *((n, (), {}, (sized(3, 4), sized(3, 4))) for n in (
        "L1Loss MSELoss SmoothL1Loss HuberLoss KLDivLoss BCEWithLogitsLoss SoftMarginLoss "
        "MultiLabelSoftMarginLoss PoissonNLLLoss HingeEmbeddingLoss"
    ).split()),
    ("MSELoss", (), {"reduction": "sum"}, (sized(3, 4), sized(3, 4))),
    ("KLDivLoss", (), {"reduction": "batchmean"}, (sized(3, 4), sized(3, 4))),
    ("CrossEntropyLoss", (), {"label_smoothing": 0.1}, (sized(3, 7), ("i", 3))),
    ("NLLLoss", (), {}, (sized(3, 7), ("i", 3))),
    ("MultiMarginLoss", (), {}, (sized(3, 7), ("i", 3))),
    ("MultiLabelMarginLoss", (), {}, (sized(1, 7), ("i", 1, 7))),
    ("CosineEmbeddingLoss", (), {}, (sized(3, 4), sized(3, 4), sized(3))),
    ("MarginRankingLoss", (), {}, (sized(3), sized(3), sized(3))),
    ("TripletMarginLoss", (), {}, (sized(3, 4), sized(3, 4), sized(3, 4))),
]  # fmt: skip


@pytest.mark.parametrize("row", LAYERS, ids=lambda row: row[0])
def test_layers_compute_the_same(row):
    """Alone, as torch and mindtorch read it; the parameters are as they were."""
    kind, args, kwargs, given_ = row
    ours.manual_seed(0)
    layer = getattr(ours.nn, kind)(*args, **kwargs).eval()
    data = written(ours.jit.script(layer))
    want = layer(*given(ours, given_))
    for t in (ours, torch):
        loaded = read(t, data)
        agrees(loaded(*given(t, given_)), want)
        assert list(loaded.state_dict()) == list(layer.state_dict())


#: Layers whose ``forward`` is written otherwise than torch's, with the same numbers.
OTHER_SOURCES = frozenset(
    "BCEWithLogitsLoss CircularPad1d CircularPad2d CircularPad3d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d GRUCell InstanceNorm1d InstanceNorm2d InstanceNorm3d LSTMCell RNNCell "
    "MultiheadAttention Threshold Transformer TransformerEncoderLayer".split()
)


@pytest.mark.parametrize(
    "row", [row for row in LAYERS if row[0] not in OTHER_SOURCES], ids=lambda row: row[0]
)
def test_source_of_layers_is_the_same(row):
    kind, args, kwargs, _ = row
    mine, theirs = (t.jit.script(getattr(t.nn, kind)(*args, **kwargs)).code for t in (ours, torch))
    assert unmangled(mine) == unmangled(theirs)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("options", [{}, {"batch_first": True, "bidirectional": True}])
def test_recurrent_layers_compute_the_same(kind, options):
    class Inside(ours.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = getattr(ours.nn, kind)(8, 3, 2, **options)

        def forward(self, x):
            return self.layer(x)

    ours.manual_seed(0)
    module = Inside().eval()
    data = written(ours.jit.script(module))
    for shape in (SIGNAL, sized(4, 8)):
        want = module(given(ours, shape))
        for t in (ours, torch):
            agrees(read(t, data)(given(t, shape)), want)


def test_tensors_of_source_and_files_beside():
    class Holder(ours.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = ours.arange(3.0)
            self.pairs = {"a": 1}
            self.twice = [self.table, self.table]

        def forward(self, x):
            return x + self.table + self.pairs["a"] + self.twice[0] * 2

    scripted = ours.jit.script(Holder())
    data = io.BytesIO()
    ours.jit.save(scripted, data, _extra_files={"a.txt": "hello"})
    more = {"a.txt": ""}
    data.seek(0)
    loaded = torch.jit.load(data, _extra_files=more)
    assert more == {"a.txt": b"hello"}
    agrees(loaded(torch.ones(3)), scripted(ours.ones(3)))
    text, constants = scripted.code_with_constants
    assert text == scripted.code and constants.const_mapping == {}
    assert not scripted.inlined_graph.findAllNodes("prim::CallMethod")
    assert [str(v.type()) for v in scripted.graph.inputs()][1] == "Tensor"


def test_graphs_are_inlined():
    def inner(x):
        return x * 2

    def called(x):
        return inner(x) + inner(x + 1)

    mine, theirs = (t.jit.script(called).inlined_graph for t in (ours, torch))
    assert canonical(mine) == canonical(theirs)


def test_methods_of_scripts_of_older_programs():
    class Older(ours.jit.ScriptModule):
        def __init__(self):
            super().__init__()
            self.layer = ours.nn.Linear(2, 2)

        @ours.jit.script_method
        def forward(self, x):
            return self.layer(x) * 2

    module = Older()
    agrees(read(torch, written(module))(torch.ones(1, 2)), module(ours.ones(1, 2)))


def test_functions_without_source_are_refused():
    scope = {"__name__": "written"}
    exec("def f(x):\n    return x", scope)
    for t in (ours, torch):
        with pytest.raises(OSError, match="Can't get source for <function f at"):
            print(t.jit.script(scope["f"]).code)


def test_traced_and_loaded_modules_inside_are_refused():
    traced = ours.jit.trace(ours.nn.Linear(1, 1), ours.ones(1, 1), check_trace=False)
    for inner in (traced, read(ours, written(traced))):
        with pytest.raises(NotImplementedError, match="inside of one that was scripted"):
            written(ours.jit.script(ours.nn.Sequential(inner)))


def test_modules_with_hooks_are_refused():
    layer = ours.nn.Linear(1, 1)
    layer.register_forward_hook(lambda module, args, result: result)
    with pytest.raises(NotImplementedError, match="hook"):
        written(ours.jit.script(layer))
