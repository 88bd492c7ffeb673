"""A function of ``nn.functional`` that a program replaces is the one that others call."""

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

#: Functions that call others by name, each with what it is called with.
FUNCTIONS = """
multi_head_attention_forward(*heads())
multi_head_attention_forward(*heads(), need_weights=False)
multi_head_attention_forward(*heads(), attn_mask=mask())
multi_head_attention_forward(*heads(), attn_mask=mask(), is_causal=True, need_weights=False)
multi_head_attention_forward(*heads(), attn_mask=mask() < 0, need_weights=False)
multi_head_attention_forward(*heads(), key_padding_mask=padding())
multi_head_attention_forward(*heads(), key_padding_mask=padding(), attn_mask=mask() < 0)
multi_head_attention_forward(*heads(key=1))
multi_head_attention_forward(*heads(key=1, value=2))
multi_head_attention_forward(*heads(bias=True), attn_mask=mask(), key_padding_mask=padding())
multi_head_attention_forward(*heads(bias=True, zero=True), attn_mask=mask())
multi_head_attention_forward(*heads(zero=True), key_padding_mask=padding(), need_weights=False)
multi_head_attention_forward(*heads(dropout=0.5), training=True)
multi_head_attention_forward(*heads(dropout=0.5), training=True, need_weights=False)
multi_head_attention_forward(*heads(dropout=0.5), training=False)
multi_head_attention_forward(*heads(), average_attn_weights=False)
multi_head_attention_forward(*heads(batched=False), attn_mask=mask())
multi_head_attention_forward(*heads(separate=True), **weights())
linear_cross_entropy(v, t.rand(5, 8), l)
linear_cross_entropy(v, t.rand(5, 8), l, linear_bias=t.rand(5), reduction="sum")
linear_cross_entropy(v, t.rand(5, 2, 8), l[:, None].expand(2, 2))
linear_cross_entropy(v, t.rand(5, 8), t.rand(2, 5), label_smoothing=0.1)
local_response_norm(y, 2)
local_response_norm(x, 2)
local_response_norm(z, 2)
lp_pool1d(y, 2, 2)
lp_pool1d(y, 2, 2, stride=1, ceil_mode=True)
lp_pool1d(y, math.inf, 2)
lp_pool2d(x, 2, 2)
lp_pool2d(x, 2, (2, 1), stride=1, ceil_mode=True)
lp_pool2d(x, math.inf, 2)
lp_pool3d(z, 2, 2)
lp_pool3d(z, 2, (2, 1, 1), stride=1, ceil_mode=True)
lp_pool3d(z, math.inf, 2, 2)
interpolate(y, 4, mode="area")
interpolate(x, 4, mode="area")
interpolate(z, 4, mode="area")
interpolate(x, scale_factor=2)
upsample(x, scale_factor=2)
upsample(x, 4, mode="bilinear", align_corners=True)
upsample_nearest(x, 4)
upsample_bilinear(x, scale_factor=2)
multilabel_soft_margin_loss(v, v)
multilabel_soft_margin_loss(v, v, weight=v[0], reduction="none")
triplet_margin_with_distance_loss(v, v, v)
triplet_margin_with_distance_loss(v, v, v, swap=True)
softmin(v, 0)
gumbel_softmax(v)
gumbel_softmax(v, hard=True)
normalize(v)
threshold(v, 0.1, 2)
max_pool2d(x, 2)
max_pool2d(x, 2, return_indices=True)
max_pool2d_with_indices(x, 2)
adaptive_max_pool1d(y, 2)
adaptive_max_pool2d(x, 2, return_indices=True)
fractional_max_pool2d(x, 2, output_size=3)
adaptive_avg_pool2d(x, (None, 2))
cross_entropy(v, l)
nll_loss(x, t.zeros(2, 8, 8).long())
cosine_embedding_loss(v, v, l)
gaussian_nll_loss(v, v, v)
poisson_nll_loss(v, v)
huber_loss(v, v, weight=v)
smooth_l1_loss(v, v, beta=0.0)
mse_loss(v, v, weight=v)
l1_loss(v, v, weight=v)
instance_norm(x)
group_norm(x, 2)
grid_sample(x, t.rand(2, 3, 3, 2))
affine_grid(t.rand(2, 2, 3), [2, 3, 4, 4])
rrelu(v)
pad(y, (1, 1), "reflect")
fold(t.rand(1, 8, 9), (4, 4), 2)
unfold(x, 2)
dropout1d(y)
dropout3d(z)
softsign(v)
tanhshrink(v)
glu(v)
ctc_loss(t.rand(4, 2, 3), t.ones(2, 2).long(), (4, 4), (2, 2))
""".strip().splitlines()

PROGRAM = """
import importlib, json, math, sys
t = importlib.import_module(sys.argv[1])
nn, F = t.nn, t.nn.functional
heard, inside = [], []
deep = False

def hearing(name, function):
    def call(*args, **kwargs):
        if deep or not (inside or name.startswith("_")):
            heard.append([*inside, name, len(args), sorted(kwargs)])
        inside.append(name)
        try:
            return function(*args, **kwargs)
        finally:
            inside.pop()
    return call

parts = '''_in_projection _in_projection_packed _mha_shape_check _canonical_mask _none_or_dtype
_check_key_padding_mask _verify_batch_size _verify_spatial_size _get_softmax_dim'''.split()
for name in {*dir(F), *parts}:
    function = getattr(F, name)
    hears = name in parts or not name.startswith(("_", "has_torch_function"))
    if hears and callable(function) and not isinstance(function, type):
        setattr(F, name, hearing(name, function))
x, y, z = t.rand(2, 4, 8, 8), t.rand(2, 4, 8), t.rand(2, 4, 8, 8, 8)
l, v = t.randint(0, 4, (2,)), t.rand(2, 8)

def pooled(x, n):
    return getattr(nn, f"MaxPool{n}d")(2, return_indices=True)(x)

def heads(key=0, value=None, bias=False, zero=False, dropout=0.0, batched=True, separate=False):
    "What attention over two heads of four takes."
    several = [t.rand(4, 2, 8) for _ in range(3)]
    given = several[0], several[key], several[key if value is None else value]
    if not batched:
        given = [x[:, 0] for x in given]
    weight = None if separate else t.rand(24, 8)
    more = t.rand(1, 1, 8) if bias else None
    return *given, 8, 2, weight, t.rand(24), more, more, zero, dropout, t.rand(8, 8), t.rand(8)

def mask():
    return t.full((4, 4), -math.inf).triu(1)

def padding():
    return t.tensor([[False, False, False, True]] * 2)

def weights():
    names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
    return {"use_separate_proj_weight": True, **{name: t.rand(8, 8) for name in names}}

found = {}
modules, functions = json.loads(sys.stdin.read())
for line in modules:
    made, _, given = line.rpartition(": ")
    module = eval("nn." + made)
    for training in (True, False):
        arguments = eval(f"({given.rstrip(',')},)")
        heard.clear()
        module.train(training)(*arguments)
        found[f"{line} {training}"] = list(heard)
deep = True
for line in functions:
    heard.clear()
    eval("F." + line)
    found[line] = list(heard)
print(json.dumps(found))
"""


def _heard(framework: str) -> dict[str, list[object]]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, framework],
        input=json.dumps([MODULES, FUNCTIONS]), capture_output=True, text=True, check=True,
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


@pytest.mark.parametrize("line", FUNCTIONS)
def test_functions_call_what_stands_in_functional(line, heard):
    """Whoever calls whom, the parts of attention among them."""
    assert heard["mindtorch"][line] == heard["torch"][line]
