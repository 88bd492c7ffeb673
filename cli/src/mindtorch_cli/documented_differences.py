"""The differences between our tables of kernels and torch's that are meant to be, each exactly.

A class names its keys one by one and the two kinds of entry that stand there; where the reason is
a property of the op, the op is asked for it. So what is equal except for these is equal except for
exactly this: a key, a kind or an op that is not said here is a finding. ``docs/dispatching.md``
has the same list, and a test holds the page to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

__all__ = ["DOCUMENTED", "MISSING", "MOVED", "NO_BIT", "Difference", "Slot", "difference"]

MISSING = "missing"
#: What stands for a key's place in the order, where the two orders differ; and for an alias key,
#: which in torch is in no key set.
MOVED, NO_BIT = "moved", "no bit"
KERNEL, DEFAULT, MATH = "kernel", "default backend kernel", "math kernel"
AUTOGRAD, NESTED, BATCHED = "autograd kernel", "nested kernel", "batched kernel"
FALLBACK, FALLS_THROUGH = "backend fallback", "fallthrough backend fallback"
SKIPPED = "fallthrough kernel"
#: The kinds of entry that run something of the op itself.
OF_THE_OP = frozenset((KERNEL, DEFAULT, MATH))

OWN = ("CPU", "NPU", "Meta")
OTHERS = (
    "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "PrivateUse2",
    "PrivateUse3",
)  # fmt: skip
LAYOUTS = ("Sparse", "SparseCsr", "Quantized", "NestedTensor")
#: Backends that are one key, without the functionalities of the others.
SINGLE = ("FPGA", "Vulkan", "Metal", "MkldnnCPU", "CustomRNGKeyId")
#: Every slot of a backend that mindtorch has no kernels for.
ELSEWHERE = frozenset(
    (*OTHERS, *SINGLE, *(layout + backend for layout in LAYOUTS for backend in (*OWN, *OTHERS)))
)
MAIA = ("MAIA", *(f"{part}MAIA" for part in (*LAYOUTS, "Autograd", "Autocast")))
#: Where torch's kernels for layouts and backends of its own stand.
LAYOUT_KERNELS = (
    "MkldnnCPU", "NestedTensorCPU", "NestedTensorHPU", "NestedTensorMeta", "QuantizedCPU",
    "QuantizedMeta", "SparseCPU", "SparseCsrCPU", "SparseCsrMeta", "SparseMeta",
)  # fmt: skip
SPARSE = ("SparseCPU", "SparseCsrCPU")
EXPLICIT = frozenset(("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"))
IMPLICIT, NESTED_IMPLICIT = "CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"
#: Ops that torch gives a composite beside kernels, and mindtorch kernels alone.
BESIDE = ("aten::mish_backward", "aten::silu_backward")
#: Ops that have kernels here, and in torch a composite beside one.
COMPOSED = ("aten::native_channel_shuffle",)
#: Ops that are composites here and have kernels in torch: families, by how their names begin, and
#: single ones.
WRITTEN_OUT = ("aten::_foreach_", "aten::_fused_", "aten::_amp_")
WRITTEN_OUT_TOO = (
    "aten::split_copy.Tensor_out", "aten::split_with_sizes_copy.out", "aten::unbind_copy.int_out",
)  # fmt: skip
#: Composites that every backend has here, and only some have in torch.
EVERYWHERE = (
    "aten::linalg_pinv.atol_rtol_tensor", "aten::linalg_eigvals.out",
    "aten::record_stream", "aten::rrelu_with_noise",
    "aten::rrelu_with_noise_", "aten::_native_batch_norm_legit",
    "aten::_native_batch_norm_legit.no_stats", "aten::_batch_norm_with_update",
    "aten::batch_norm_backward", "aten::_sparse_coo_tensor_with_dims",
    "aten::_sparse_coo_tensor_with_dims_and_tensors", "aten::_spdiags",
)  # fmt: skip
LAYERS = (
    "FuncTorchDynamicLayerFrontMode", "FuncTorchDynamicLayerBackMode", "FuncTorchGradWrapper",
)  # fmt: skip


class Slot(NamedTuple):
    """One place of an op's table, here and there, and what the reasons depend on."""

    key: str
    ours: str
    torch: str
    op: str = ""
    #: The composite keys at which a kernel is registered.
    we_have: frozenset[str] = frozenset()
    they_have: frozenset[str] = frozenset()
    #: The rest of both tables.
    mine: Mapping[str, str] = {}
    theirs: Mapping[str, str] = {}
    #: Whether a tensor among the op's arguments says which backend it is for.
    takes_tensors: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """Both kinds of entry."""
        return self.ours, self.torch


class Difference(NamedTuple):
    """One kind of difference that is meant to be."""

    name: str
    #: One sentence for people.
    why: str
    matches: Callable[[Slot], bool]


def at(keys: tuple[str, ...], *pairs: tuple[str, str]) -> Callable[[Slot], bool]:
    """One of *pairs*, ours and torch's, at one of *keys*."""
    return lambda slot: slot.key in keys and slot.pair in pairs


def _composite_of_all(slot: Slot) -> bool:
    """Whether torch has one kernel for all backends, and we have none such."""
    return bool(slot.they_have & EXPLICIT) and not slot.we_have & EXPLICIT


def _one_kernel(slot: Slot) -> bool:
    ours = KERNEL if slot.key in OWN else MISSING
    place = slot.key in OWN or slot.key in ELSEWHERE or slot.key == "Undefined"
    return place and slot.pair == (ours, DEFAULT) and _composite_of_all(slot)


def _layout_kernel(slot: Slot) -> bool:
    ours = DEFAULT if slot.we_have & EXPLICIT else MATH if IMPLICIT in slot.we_have else MISSING
    return slot.key in LAYOUT_KERNELS and slot.pair in ((ours, KERNEL), (MISSING, KERNEL))


def _nested(slot: Slot) -> bool:
    if slot.key == "AutogradNestedTensor":
        return slot.ours in (AUTOGRAD, MATH) and slot.torch in (KERNEL, AUTOGRAD, NESTED)
    return slot.key.startswith("NestedTensor") and slot.key in ELSEWHERE and (
        slot.torch == NESTED and NESTED_IMPLICIT in slot.they_have
    )  # fmt: skip


def _written_out(slot: Slot) -> bool:
    named = slot.op.startswith(WRITTEN_OUT) or slot.op in WRITTEN_OUT_TOO
    filled = slot.ours == MATH and slot.torch in (MISSING, KERNEL, DEFAULT, AUTOGRAD, FALLBACK)
    view = slot.key == "ADInplaceOrView" and slot.pair == (FALLS_THROUGH, KERNEL)
    return named and IMPLICIT in slot.we_have and (filled or view)


def _everywhere(slot: Slot) -> bool:
    return slot.op in EVERYWHERE and bool(slot.we_have & EXPLICIT) and (
        slot.pair == (DEFAULT, MISSING) or slot.key == "CPU" and slot.pair == (DEFAULT, KERNEL)
        or slot.key == "Meta" and slot.pair == (DEFAULT, FALLBACK)
    )  # fmt: skip


def _declared(slot: Slot) -> bool:
    theirs = (KERNEL, DEFAULT, AUTOGRAD, MATH)
    alone = bool(slot.mine) and OF_THE_OP.isdisjoint(slot.mine.values())
    return alone and (
        slot.ours in (MISSING, FALLBACK, FALLS_THROUGH) and slot.torch in theirs
        or slot.key == "AutocastNPU" and slot.pair == (FALLS_THROUGH, MISSING)
    )  # fmt: skip


def _of_sparse(slot: Slot) -> bool:
    if slot.op == "aten::sspaddmm":
        return slot.torch in (MATH, KERNEL)
    if slot.key in SPARSE:
        return slot.pair == (KERNEL, MISSING)
    of_layout = KERNEL in map(slot.mine.get, SPARSE) and slot.mine.get("NPU") != KERNEL
    return of_layout and (
        slot.key == "ADInplaceOrView" and slot.pair == (FALLS_THROUGH, KERNEL)
        or slot.key == "Meta" and slot.pair in ((FALLBACK, KERNEL), (FALLBACK, DEFAULT))
        or slot.key == "NPU" and slot.pair == (MISSING, DEFAULT)
    )  # fmt: skip


def _fused(slot: Slot) -> bool:
    pairs = {"NPU": (KERNEL, MATH), "AutogradNPU": (AUTOGRAD, MATH)}
    return pairs.get(slot.key) == slot.pair and IMPLICIT in slot.we_have


#: Made of another op on CUDA, cuDNN's, which has the kernel there.
_RECURRENT = ("aten::gru.", "aten::lstm.", "aten::rnn_relu.", "aten::rnn_tanh.")


def _npu_autocast(slot: Slot) -> bool:
    casts = slot.theirs.get("AutocastCUDA") == KERNEL or slot.op.startswith(_RECURRENT)
    kind = KERNEL if casts else FALLS_THROUGH
    return slot.key == "AutocastNPU" and slot.pair == (kind, MISSING)


def _maia(slot: Slot) -> bool:
    twin = slot.theirs.get(slot.key.replace("MAIA", "MTIA"), MISSING)
    return slot.key in MAIA and slot.ours == MISSING and slot.torch == twin


#: The first that matches names a difference.
DOCUMENTED: tuple[Difference, ...] = (
    Difference(
        "Pipeline",
        "a key of mindtorch, which defers ops; torch has no such key",
        at(("Pipeline",), (KERNEL, MISSING), (FALLBACK, MISSING)),
    ),
    Difference(
        "NPU kernels",
        "NPU is torch's PrivateUse1; mindtorch has kernels there, bare torch has none",
        at(("NPU",), (KERNEL, MISSING)),
    ),
    Difference(
        "NPU autocast",
        "AutocastNPU has the ops that torch's AutocastCUDA has; bare torch has none",
        _npu_autocast,
    ),
    Difference(
        "fused on accelerators",
        "the NPU has CUDA's kernel of an op that is a composite elsewhere, and autograd takes it "
        "for one operator",
        _fused,
    ),
    Difference(
        "one kernel for all backends",
        "torch registers one kernel at CompositeExplicitAutograd, which fills the slot of every "
        "backend and Undefined; a row registers its numpy kernel at CPU, NPU and Meta",
        _one_kernel,
    ),
    Difference(
        "composite on meta",
        "an op that is written in others here has no kernel of its own at Meta, as torch has",
        lambda slot: (
            slot.key == "Meta" and slot.pair == (DEFAULT, KERNEL) and bool(slot.we_have & EXPLICIT)
        ),
    ),
    Difference(
        "meta kernels",
        "every row that a kernel computes has one at Meta; torch has none of some backwards of "
        "losses and pools, geqrf and lstsq",
        at(("Meta",), (KERNEL, FALLBACK)),
    ),
    Difference(
        "out= forms that refuse meta",
        "an op without a Meta kernel has none of its out= form; torch's form is a composite of "
        "every backend, which refuses inside",
        lambda slot: (
            slot.key == "Meta"
            and slot.op.endswith("out")
            and slot.pair == (FALLBACK, DEFAULT)
            and _composite_of_all(slot)
        ),
    ),
    Difference(
        "composites of other backends",
        "mish_backward, silu_backward and native_channel_shuffle have a composite beside torch's "
        "kernels, for backends that have no kernel; here they have kernels alone",
        lambda slot: (
            slot.op in BESIDE
            and slot.torch == MATH
            and slot.ours in (MISSING, KERNEL, AUTOGRAD)
            or slot.op in COMPOSED
            and slot.torch in (MATH, KERNEL)
        ),
    ),
    Difference(
        "written in other ops",
        "ops over lists, whole steps of optimizers and some out= forms are composites here, whose "
        "parts have the gradients; torch has kernels of them",
        _written_out,
    ),
    Difference(
        "composites of every backend",
        "record_stream, rrelu_with_noise, its in-place form, linalg_pinv, four ops of batch norm "
        "and three of sparse tensors are composites of every backend; torch has kernels of them, "
        "or not for every backend",
        _everywhere,
    ),
    Difference(
        "schemas alone",
        "ops that libraries only name have their schemas and no kernels",
        _declared,
    ),
    Difference(
        "formula for CUDA",
        "two ops of torch's tests have another gradient on CUDA, registered at its key",
        lambda slot: (
            slot.op.startswith("aten::_test_autograd_multiple_dispatch")
            and slot.key == "AutogradCUDA"
            and slot.pair == (AUTOGRAD, KERNEL)
        ),
    ),
    Difference(
        "MPS kernel",
        "torch registers a kernel of linalg_lu_solve for MPS in every build",
        lambda slot: (
            slot.op == "aten::linalg_lu_solve.out"
            and slot.key == "MPS"
            and slot.pair == (MISSING, KERNEL)
        ),
    ),
    Difference(
        "kernels of other layouts",
        "mindtorch has no nested or mkldnn tensors, and not all kernels of sparse and quantized "
        "ones: where torch registers one, here stands what any backend without kernels has",
        _layout_kernel,
    ),
    Difference(
        "ops of sparse tensors",
        "torch registers kernels that note a view, or of meta, at ops that take sparse tensors "
        "apart or change their parts, and sspaddmm as a composite; here an op's kernel of a sparse "
        "layout stands at its key alone, with the out= form that follows from it",
        _of_sparse,
    ),
    Difference(
        "one kernel for all layouts",
        "torch registers one kernel at CompositeExplicitAutograd, which fills the slots of "
        "layouts, too; here an op that a layout has registers a kernel there",
        lambda slot: (
            slot.key in LAYOUT_KERNELS
            and slot.pair == (KERNEL, DEFAULT)
            and bool(slot.they_have & EXPLICIT)
        ),
    ),
    Difference(
        "quantized on meta",
        "torch has a kernel of quantize_per_tensor at Meta, whose result is of no further use",
        lambda slot: (
            slot.op.startswith("aten::quantize_per_tensor")
            and slot.key == "Meta"
            and slot.pair == (FALLBACK, KERNEL)
        ),
    ),
    Difference(
        "packed weights",
        "quantized_lstm and quantized_gru take objects that pack weights, so they are no rows: "
        "they fall through the autograd keys, where torch's fallback warns",
        lambda slot: (
            slot.op.startswith(("aten::quantized_lstm.", "aten::quantized_gru."))
            and slot.pair == (FALLS_THROUGH, FALLBACK)
        ),
    ),
    Difference(
        "nested tensors",
        "torch decomposes some ops otherwise for nested tensors, or has a kernel above autograd",
        _nested,
    ),
    Difference(
        "autocast of other devices",
        "mindtorch autocasts on cpu and npu; at AutocastCUDA and AutocastXPU it falls through, "
        "AutocastMTIA and AutocastMPS it has not",
        lambda slot: (
            at(("AutocastCUDA", "AutocastXPU"), (FALLS_THROUGH, KERNEL))(slot)
            or at(("AutocastMTIA", "AutocastMPS"), (MISSING, KERNEL), (MISSING, FALLS_THROUGH))(
                slot
            )
        ),
    ),
    Difference(
        "keys of torch 2.4",
        "keys are those of torch 2.4, where MAIA is no backend; torch has there what MTIA has",
        lambda slot: _maia(slot) or slot.key in MAIA and slot.pair == (MOVED, MOVED),
    ),
    Difference(
        "BackendSelect order",
        "BackendSelect stands above the autograd keys; in torch it is just below Python",
        at(("BackendSelect",), (MOVED, MOVED)),
    ),
    Difference(
        "BackendSelect of tensors",
        "torch registers a BackendSelect kernel at each op with options of tensors; one that is "
        "given a tensor takes its backend from that, and falls through here",
        lambda slot: (
            slot.takes_tensors
            and slot.key == "BackendSelect"
            and slot.pair == (FALLS_THROUGH, KERNEL)
        ),
    ),
    Difference(
        "alias bits",
        "alias keys have bits below every runtime key, so a key set may hold them",
        lambda slot: slot.torch == NO_BIT,
    ),
    Difference(
        "lazy bits",
        "at each op that hands a conjugate or negative bit on torch registers a fallthrough; here "
        "the key's one fallback sees from the op's row that it does",
        at(("Conjugate", "Negative"), (FALLBACK, SKIPPED)),
    ),
    Difference(
        "batching rules",
        "torch registers a batching rule at each op; here the key's one fallback derives it from "
        "the op's row",
        at(("FuncTorchBatched",), (FALLBACK, KERNEL), (FALLBACK, BATCHED)),
    ),
    Difference(
        "randomness under vmap",
        "torch registers a kernel at each random op and lets the others fall through; here the "
        "key's one fallback tells them apart by their rows",
        at(("FuncTorchVmapMode",), (FALLBACK, KERNEL), (FALLBACK, FALLS_THROUGH)),
    ),
    Difference(
        "functorch layers",
        "torch.func's transforms are layers of interpreters in torch; mindtorch has vmap and "
        "functionalize, whose levels stand on the tensors",
        at(LAYERS, (MISSING, KERNEL), (MISSING, FALLBACK), (FALLBACK, KERNEL)),
    ),
    Difference(
        "former vmap",
        "keys of the vmap that torch had before torch.func's, and of nested tensors under vmap",
        lambda slot: (
            at(("Batched", "BatchedNestedTensor"), (MISSING, KERNEL), (MISSING, FALLBACK))(slot)
            or at(("VmapMode",), (FALLS_THROUGH, KERNEL))(slot)
        ),
    ),
    Difference(
        "functionalization",
        "torch registers a kernel at each view and at each op that writes; here the key's one "
        "fallback derives it from the op's row",
        at(("Functionalize",), (FALLBACK, KERNEL)),
    ),
    Difference(
        "zero tensors",
        "gradients known to be zero are plain zeros in mindtorch, or None",
        at(("ZeroTensor",), (MISSING, KERNEL), (MISSING, FALLBACK), (MISSING, SKIPPED)),
    ),
    Difference(
        "jit tracing",
        "torch.jit traces nothing here; make_fx captures through Python and PreDispatch",
        at(("Tracer",), (FALLBACK, KERNEL), (FALLBACK, SKIPPED)),
    ),
)


def difference(slot: Slot) -> str | None:
    """The name of a documented difference; None for one that is not."""
    return next((d.name for d in DOCUMENTED if d.matches(slot)), None)
