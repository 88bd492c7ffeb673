"""Quantized tensors: how they are made, what they answer, and which ops they have.

Each case is an expression of ``quantized_tensors.txt``, evaluated with torch and with mindtorch
over the same tensors; values, dtypes, strides, texts and errors are compared as they print.
"""

from __future__ import annotations

import copy
import io
import re
import warnings
from pathlib import Path

import mindtorch
import pytest
import torch

from .batches import every

_SETUP = """
y = torch.tensor([[-1.0, 0.1, 1.25, 2.7], [3.0, 4.0, -7.0, 0.75]])
odd = torch.tensor([[-1.0, 0.0, 1.0, 1e20], [-1e20, 4.0, float("nan"), float("inf")]])
scales, places = torch.tensor([0.1, 0.2]), torch.tensor([10, 0])
q = torch.quantize_per_tensor(y, 0.1, 10, torch.quint8)
q8 = torch.quantize_per_tensor(y, 0.5, 0, torch.qint8)
q32 = torch.quantize_per_tensor(y, 0.1, 10, torch.qint32)
qc = torch.quantize_per_channel(y, scales, places, 0, torch.quint8)
qf = torch.quantize_per_channel(y, scales, torch.tensor([10.0, 0.5]), 0, torch.quint8)
x4 = (torch.arange(96).reshape(2, 3, 4, 4) * 37 % 97).float() * 0.11 - 3
q4 = torch.quantize_per_tensor(x4, 0.1, 10, torch.quint8)
q48 = torch.quantize_per_tensor(x4, 0.07, -3, torch.qint8)
ql = q4.contiguous(memory_format=torch.channels_last)
three = torch.linspace(-3, 3, 24).reshape(2, 3, 4)
F = torch.nn.functional


def facts(z):
    if z.qscheme() == torch.per_tensor_affine:
        return z.q_scale(), z.q_zero_point(), z.shape
    scale = z.q_per_channel_scales(), z.q_per_channel_zero_points()
    return z.qscheme(), z.q_per_channel_axis(), scale, z.shape


def put(t, index, value):
    t[index] = value
    return t
"""


def _space(library):
    space = {"torch": library}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(_SETUP, space)
    return space


def _cases(subject):
    text = Path(__file__).with_name("quantized_tensors.txt").read_text("utf-8")
    return text.partition(f"[{subject}]\n")[2].partition("\n\n")[0].splitlines()


def _shown(value):
    if callable(getattr(value, "stride", None)):
        return f"{value!r} {value.dtype} {value.stride()}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({[_shown(v) for v in value]})"
    return repr(value)


def _outcome(library, expression):
    """What an expression gives, as text; of an error its type and text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _shown(eval(expression, _space(library)))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def _same_words(text):
    text = text.partition("Exception raised from")[0].replace("mindtorch", "torch").rstrip()
    text = text.partition(" This could be because the operator")[0]  # then come torch's backends
    if "INTERNAL ASSERT" in text:
        text = text.partition(": ")[0] + ": " + text.rpartition("report a bug to PyTorch. ")[2]
    return text


_SUBJECTS = ("making", "answers", "views", "changes", "ops", "bad calls")
_EXPRESSIONS = [case for subject in _SUBJECTS for case in _cases(subject)]


@every("expression", _EXPRESSIONS)
def test_expressions_come_to_the_same(expression):
    want, got = (_same_words(_outcome(lib, expression)) for lib in (torch, mindtorch))
    assert got == want


@pytest.mark.parametrize("expression", _cases("refused"))
def test_an_op_without_a_kernel_is_refused(expression):
    """torch names the ``out=`` form where its functional form only calls that."""
    sentences = [
        _outcome(lib, expression).partition(" with arguments")[0] for lib in (torch, mindtorch)
    ]
    want, got = (re.sub(r"\.[\w.]*'|'", "", s) for s in sentences)
    assert "Could not run aten::" in want
    assert got == want


def test_views_share_memory():
    for library in (torch, mindtorch):
        space = _space(library)
        view = space["q"][0]
        view.fill_(2.0)
        assert space["q"][0].dequantize().tolist() == [2.0] * 4
        assert view.data_ptr() == space["q"].data_ptr()


@pytest.mark.parametrize("name", ("q", "q8", "q32", "qc", "qf"))
def test_random_numbers_are_rounded_as_torch_does(name):
    theirs, ours = _space(torch), _space(mindtorch)
    numbers = torch.randn(2, 1001, generator=torch.Generator().manual_seed(5)) * 9
    for scale in (0.1, 0.037, 1e-3):
        if name in ("q", "q8", "q32"):
            dtype = str(theirs[name].dtype).partition(".")[2]
            want = torch.quantize_per_tensor(numbers, scale, 3, getattr(torch, dtype))
            got = mindtorch.quantize_per_tensor(
                mindtorch.from_numpy(numbers.numpy()), scale, 3, getattr(mindtorch, dtype)
            )
        else:
            factor = scale * torch.tensor([1.0, 2.5])
            places = theirs[name].q_per_channel_zero_points()
            want = torch.quantize_per_channel(numbers, factor, places, 0, torch.quint8)
            got = mindtorch.quantize_per_channel(
                mindtorch.from_numpy(numbers.numpy()),
                mindtorch.from_numpy(factor.numpy()),
                ours[name].q_per_channel_zero_points(),
                0,
                mindtorch.quint8,
            )
        assert (got.int_repr().numpy() == want.int_repr().numpy()).all()
        assert (got.dequantize().numpy() == want.dequantize().numpy()).all()


# -- files and copies ------------------------------------------------------------------------------


def _of_each(space):
    return [space[n] for n in ("q", "q8", "q32", "qc", "qf")] + [space["q8"].t(), space["q"][1:]]


def _saved(library, value, **options):
    file = io.BytesIO()
    library.save(value, file, **options)
    return file.getvalue()


@pytest.mark.parametrize("zipped", (True, False))
@pytest.mark.parametrize("weights_only", (True, False))
def test_files_of_one_are_read_by_the_other(zipped, weights_only):
    want = repr(_of_each(_space(torch)))
    for source in (torch, mindtorch):
        value = _of_each(_space(source))
        data = _saved(source, value, _use_new_zipfile_serialization=zipped)
        for reader in (torch, mindtorch):
            got = reader.load(io.BytesIO(data), weights_only=weights_only)
            assert repr(got).replace("mindtorch", "torch") == want


def test_deep_copies_have_memory_of_their_own():
    space = _space(mindtorch)
    made = copy.deepcopy(_of_each(space))
    assert repr(made) == repr(_of_each(space))
    made[0].fill_(0.0)
    assert space["q"].int_repr().tolist() != made[0].int_repr().tolist()


def test_calls_that_come_again_look_at_the_quantizer():
    """Nothing of a call on one quantizer is kept for tensors that look the same."""
    y = _space(mindtorch)["y"]
    for scale in (0.1, 0.5, 0.1, 0.25, 0.5, 0.1):
        q = mindtorch.quantize_per_tensor(y, scale, 2, mindtorch.quint8)
        assert q.relu().q_scale() == scale
        assert q[0].q_scale() == scale
        assert mindtorch.cat([q, q]).q_scale() == scale


def test_storages_of_old():
    for library in (torch, mindtorch):
        q = _space(library)["q8"]
        assert isinstance(q.storage(), library.QInt8Storage)
        assert q.storage()[0] == -2
