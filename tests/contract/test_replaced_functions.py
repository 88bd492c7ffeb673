"""A function of ``nn.functional`` that a program replaces is the one that modules call."""

import json
import subprocess
import sys

import pytest

#: The modules, each with what it is called with; x, y, z have 4, 3 and 5 dimensions.
MODULES = """
Linear(8, 3): x
Bilinear(8, 8, 3): x, x
Conv1d(4, 3, 3): y
Conv2d(4, 3, 3): x
Conv2d(4, 3, 3, padding=1, padding_mode="circular"): x
Conv3d(4, 3, 3): z
ConvTranspose1d(4, 3, 3): y
ConvTranspose2d(4, 3, 3): x
ConvTranspose3d(4, 3, 3): z
Embedding(8, 3): l
EmbeddingBag(8, 3): l[None]
LayerNorm(8): x
RMSNorm(8): x
GroupNorm(2, 4): x
BatchNorm1d(4): y
BatchNorm2d(4): x
InstanceNorm2d(4): x
LocalResponseNorm(2): x
MaxPool1d(2): y
MaxPool2d(2): x
MaxPool3d(2): z
AvgPool1d(2): y
AvgPool2d(2): x
AvgPool3d(2): z
AdaptiveAvgPool1d(2): y
AdaptiveAvgPool2d(2): x
AdaptiveMaxPool2d(2): x
LPPool2d(2, 2): x
FractionalMaxPool2d(2, output_size=3): x
FractionalMaxPool3d(2, output_size=3): z
Upsample(scale_factor=2): x
UpsamplingBilinear2d(scale_factor=2): x
MaxUnpool1d(2): *pooled(y, 1),
MaxUnpool2d(2): *pooled(x, 2),
MaxUnpool3d(2): *pooled(z, 3),
PixelShuffle(2): x
PixelUnshuffle(2): x
ChannelShuffle(2): x
Fold((4, 4), (2, 2)): t.randn(1, 8, 9)
Unfold(2): x
ZeroPad2d(1): x
ReflectionPad2d(1): x
CircularPad2d(1): x
CosineSimilarity(): x, x
PairwiseDistance(): x, x
MultiheadAttention(8, 2, batch_first=True): y, y, y
GRU(8, 4): y
CrossEntropyLoss(): y[:, :, 0], l
NLLLoss(): y[:, :, 0], l
MSELoss(): x, x
L1Loss(): x, x
SmoothL1Loss(): x, x
HuberLoss(): x, x
BCELoss(): x.sigmoid(), x.sigmoid()
BCEWithLogitsLoss(): x, x
KLDivLoss(): x, x
TripletMarginLoss(): x, x, x
PoissonNLLLoss(): x, x
ReLU(): x
ReLU(inplace=True): x.clone()
ReLU6(): x
ELU(): x
SELU(): x
CELU(): x
GELU(): x
GELU("tanh"): x
SiLU(): x
Mish(): x
Sigmoid(): x
Tanh(): x
Softmax(-1): x
LogSoftmax(-1): x
Softplus(): x
Softshrink(): x
Hardshrink(): x
Hardtanh(): x
Hardsigmoid(): x
Hardswish(): x
LeakyReLU(): x
LogSigmoid(): x
PReLU(): x
Softsign(): x
GLU(): x
Threshold(0.1, 20): x
Dropout(): x
Dropout2d(): x
AlphaDropout(): x
""".strip().splitlines()

PROGRAM = """
import importlib, json, sys
t = importlib.import_module(sys.argv[1])
nn, F = t.nn, t.nn.functional
heard, inside = [], []

def hearing(name, function):
    def call(*args, **kwargs):
        if not inside:
            heard.append([name, len(args), sorted(kwargs)])
        inside.append(name)
        try:
            return function(*args, **kwargs)
        finally:
            inside.pop()
    return call

for name in dir(F):
    function = getattr(F, name)
    asks = name.startswith("has_torch_function")
    if name[0] != "_" and not asks and callable(function) and not isinstance(function, type):
        setattr(F, name, hearing(name, function))
x, y, z = t.rand(2, 4, 8, 8), t.rand(2, 4, 8), t.rand(2, 4, 8, 8, 8)
l = t.randint(0, 4, (2,))

def pooled(x, n):
    return getattr(nn, f"MaxPool{n}d")(2, return_indices=True)(x)

found = {}
for line in json.loads(sys.stdin.read()):
    made, _, given = line.rpartition(": ")
    module = eval("nn." + made)
    for training in (True, False):
        arguments = eval(f"({given.rstrip(',')},)")
        heard.clear()
        module.train(training)(*arguments)
        found[f"{line} {training}"] = list(heard)
print(json.dumps(found))
"""


def _heard(framework: str) -> dict[str, list[object]]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, framework],
        input=json.dumps(MODULES), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def heard():
    return {framework: _heard(framework) for framework in ("mindtorch", "torch")}


@pytest.mark.parametrize("line", MODULES)
def test_modules_call_what_stands_in_functional(line, heard):
    """By the same name, with as many arguments and the same keywords, as profilers expect."""
    for training in (True, False):
        case = f"{line} {training}"
        assert heard["mindtorch"][case] == heard["torch"][case]
