"""Every row says all that a row must say, and its schemas and names are the oracle's."""

from __future__ import annotations

import re

import mindtorch
import torch
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.row import ROWS

from ..samples import find
from .batches import every
from .known import HOMES, KNOWN
from .rows import (
    DTYPES,
    NAMES,
    OWN,
    SPARSE_NAMES,
    derived,
    has_own_functionality,
    samples,
    writes_self,
)

_EVERY = [*NAMES, *SPARSE_NAMES]
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

#: A result that only the kernel can shape: no meta is possible.
SHAPED_BY_DATA = {"data_dependent_output", "dynamic_output_shape"}


#: torch writes past the memory that wrong calls of these give it, so that the generic tests end its
#: process: test_unchecked_kernels.py calls them as they are meant to be.
_WRITE_ANYWHERE = {
    *("_cummax_helper", "_cummin_helper", "_logcumsumexp", "_compute_linear_combination"),
    *("_weight_int8pack_mm", "_transform_bias_rescale_qkv", "_native_multi_head_attention"),
    "_transformer_encoder_layer_fwd",
}


def public(row):
    """Rows that users call by name; helpers of gradients are tested through those.

    Ops over lists have a test file of their own, which asks the rows what there is.
    """
    if row.base in _WRITE_ANYWHERE:
        return False
    return bool(row.variants) and "alias" not in row.tags and not of_lists(row)


def of_lists(row):
    """Those that test_foreach.py, test_amp_scaler.py and test_optim_interface.py test.

    And test_quantized_tensors.py, test_copies_into_lists.py; and test_quasirandom.py and
    test_lstm_layers.py, of whose wrong arguments the oracle dies.
    """
    if "Tensor(a!)[] out" in row.schema or "quantizes" in row.tags:
        return True
    return row.base.startswith(("_foreach_", "_fused_", "_amp_", "_sobol_engine_", "mkldnn_rnn"))


@every("name", [n for n in NAMES if public(ROWS[n])])
def test_row_has_samples(name):
    """A row without samples is a row without tests."""
    row = ROWS[name]
    if writes_self(row) and derived_from(row):
        return  # tested as the in-place form of another row
    assert row.samples, "the row names no generator of samples"
    assert find(row.samples), f"there is no generator {row.samples!r}"
    assert any(samples(row, dtype) for dtype in DTYPES), f"{row.samples!r} yields nothing"


def derived_from(row):
    """The row of which this is the in-place or ``out=`` form, written out by hand."""
    base = row.base.removesuffix("_")
    return next((r for r in ROWS.values() if r.base == base and r is not row), None)


@every("name", _EVERY)
def test_row_says_what_its_result_looks_like(name):
    """Shape and dtype come from ``meta``, ``promote`` or ``view``, or a composite's own ops.

    Kernels of sparse tensors make tensors themselves.
    """
    row = ROWS[name]
    if has_own_functionality(row):
        return
    says = row.meta or row.promote or row.view or row.composite
    assert says or SHAPED_BY_DATA & set(row.tags), "no meta, promote, view or composite"
    assert row.kernel or row.ufunc or row.view or row.composite, "nothing computes the result"


@every("name", _EVERY)
def test_gradient_formulas_name_arguments(name):
    """Each formula belongs to arguments of the schema, and no name is given twice."""
    row = ROWS[name]
    arguments = [a.name for a in OVERLOADS["aten::" + name].schema.arguments]
    named = [a.strip() for key in row.grad or {} for a in key.split(",")]
    assert set(named) <= set(arguments)
    assert len(named) == len(set(named))


@every("name", sorted(n for n, o in OVERLOADS.items() if o.base not in OWN))
def test_schema_is_the_oracles(name):
    """Every overload, written out or derived from a row, has torch's schema to the letter."""
    base, _, overload = name.removeprefix("aten::").partition(".")
    packet = getattr(torch.ops.aten, base)
    assert (overload or "default") in packet.overloads(), "torch has no such overload"
    assert str(OVERLOADS[name].schema) == str(getattr(packet, overload or "default")._schema)


def test_functions_are_torchs():
    """A function is in ``torch``, or among the private ones of its module, by the same name."""
    for module, functions in MODULES.items():
        home = getattr(torch._C, "_" + module) if module else torch
        assert not [n for n in functions if not hasattr(home, n) and n not in OWN]


def test_methods_are_torchs():
    """``Tensor`` has no method that torch's lacks."""
    assert not [n for n in METHODS if not hasattr(torch.Tensor, n) and n not in OWN]


def test_no_form_of_a_row_is_left_out():
    """Where torch has a function, method or in-place method of a row's name, so do we."""
    bases = {o.base for o in OVERLOADS.values()}
    # torch's process dies of a wrong call of these: ops.aten only
    bases -= {"_reshape_alias_copy", "_embedding_bag", "_embedding_bag_forward_only"}
    bases -= {"_scaled_dot_product_flash_attention_for_cpu"}  # see test_attention_operator.py
    bases -= {"_ctc_loss", "_trilinear"}  # tested through ctc_loss and bilinear
    bases -= {"_euclidean_dist"}  # tested through cdist, which checks its arguments
    # tested through fake_quantize_per_tensor_affine
    bases -= {"_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"}
    missing = [b for b in bases if hasattr(torch, b) and not hasattr(mindtorch, b)]
    methods = bases - {"index"}  # torch's method of that name binds first-class dims
    missing += [b for b in methods if hasattr(torch.Tensor, b) and not hasattr(mindtorch.Tensor, b)]
    both = [b + "_" for b in bases if hasattr(torch.Tensor, b + "_")]
    missing += [b for b in both if not hasattr(mindtorch.Tensor, b)]
    assert sorted(missing) == []


@every("name", [n for n in NAMES if derived(ROWS[n], "inplace")])
def test_in_place_form_can_exist(name):
    """Only ops whose first argument is called self can work in place."""
    assert OVERLOADS["aten::" + name].schema.arguments[0].name == "self"


def test_known_differences_name_rows():
    """The table of known differences speaks of rows that exist, and gives reasons."""
    assert {k.category for k in KNOWN} == {c for categories in HOMES.values() for c in categories}
    for known in KNOWN:
        assert known.row in ROWS
        assert len(known.reason) > 20


def test_samples_are_deterministic():
    """Two makers give the same calls; the comparison of frameworks rests on it."""
    for name in NAMES[::10]:
        first, second = samples(ROWS[name]), samples(ROWS[name])
        first_texts, second_texts = [
            [_ADDRESS.sub("", repr(s)) for s in x] for x in (first, second)
        ]
        assert first_texts == second_texts


def test_names_of_samples_are_names_of_generators():
    """A row's samples are yielded one by one, so that one bad call does not hide the others.

    What a row names is there, and of no other kind.
    """
    assert [row.name for row in ROWS.values() if row.samples and not find(row.samples)] == []
