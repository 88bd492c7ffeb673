"""What ``torch.vmap`` refuses, in torch's words."""

from __future__ import annotations

ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error "
    "is occurring somewhere inside PyTorch internals, please file a bug report."
)
CONTROL_FLOW = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. "
    "We don't support that yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues ."
)
#: What is said of either inside of another transform.
ITEM_OR_CONTROL_FLOW = (
    "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a "
    "Tensor in some data-dependent control flow or (3) encountering this error in PyTorch "
    "internals. For (1): we don't support vmap over calling .item() on a Tensor, please try to "
    "rewrite what you're doing with other operations. For (2): we don't support data-dependent "
    "control flow in vmap yet, please file an issue at https://github.com/pytorch/pytorch/issues . "
    "For (3): please file an issue."
)
DATA = "accessing `data` under vmap transform is not allowed"
SET_DATA = "mutating directly with `.data` under vmap transform is not allowed."
IS_CONTIGUOUS = (
    "NYI: querying is_contiguous inside of vmap for memory_format other than "
    "torch.contiguous_format"
)
ONE_HOT = (
    "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
    "argument."
)
#: Running statistics that all samples share would be changed by each.
BATCH_NORM = (
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will be "
    "updated in place, were not batched.\nIf you are using a module and do not need eval mode, "
    "please set `track_running_stats` to be False.If you are using a prebuilt module and do not "
    "need eval mode, please see the functorch website for resources on how to patch your module to "
    "work with vmap"
)
NO_DATA = "Cannot access data pointer of Tensor that doesn't have storage"
RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' "
    "or 'different' randomness flags on vmap or perform the randomness operation out of vmap"
)
SAME_BATCHED = (
    "Vmap does not currently support same randomness with a batched tensor input. Please file an "
    "issue with functorch"
)
DIFFERENT_IN_PLACE = (
    "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear "
    "like same randomness. If this is necessary for your usage, please file an issue with "
    "functorch."
)
BOOLEAN_MASK = (
    "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
    "batch over indexing with a boolean mask."
)
#: A sample is used when its ``vmap`` is over.
ESCAPED = (
    "Either your tensor may have escaped from inside a function being vmapped and this is a user "
    "error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal "
    "functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the latter"
)
MASKED_SELECT = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this "
    "because for each batch this would return a differently shaped Tensor. Please file an issue "
    "at https://github.com/pytorch/pytorch/issues if you need this feature."
)
#: In-place ops that torch has no batching rule of, so that its loop over samples refuses them.
_BY_LOOP = frozenset(
    ("addbmm_", "addcdiv_", "addcmul_", "addmm_", "addmv_", "baddbmm_", "conj_physical_",
     "cumprod_", "cumsum_", "eq_", "floor_divide_", "fmod_", "ge_", "gt_", "heaviside_", "hypot_",
     "index_copy_", "le_", "lerp_", "lt_", "masked_scatter_", "ne_", "nextafter_", "polygamma_",
     "pow_", "put_", "remainder_", "scatter_", "set_", "tril_", "triu_", "xlogy_")
)  # fmt: skip
#: Composite ops that cannot be decomposed over a batch.
COMPOSITES = {
    "allclose": (
        "vmap over torch.allclose isn't supported yet. Please file an issue at "
        "https://github.com/pytorch/pytorch/issues if you need this feature."
    ),
    "is_nonzero": CONTROL_FLOW,
    "where": (
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to "
        "vmap over aten::where. Please file an issue at https://github.com/pytorch/pytorch/issues "
        "if you need this feature."
    ),
}


def not_drawn(name: str) -> str:
    """A random op, ``aten::rrelu``, that no ``vmap`` takes."""
    return f"vmap: we do not yet support {name}. Please file an issue"


def in_place(name: str, level: int) -> str:
    """An in-place op whose target is shared by all samples, of values that are not.

    :param name: the op's, ``aten::mul_.Tensor``.
    """
    where = "in a vmap"
    base = name.removeprefix("aten::").partition(".")[0]
    named = {"bernoulli_": "inplace bernoulli"}
    named.update((own, own) for own in ("index_add_", "index_put_", "_index_put_impl_"))
    what = named.get(base, "inplace arithmetic")
    if base in _BY_LOOP:
        what, where = f"aten::{base}", f"at level {level}"
    return (
        f"vmap: {what}(self, *extra_args) is not possible because there exists a Tensor `other` in "
        "extra_args that has more elements than `self`. This happened due to `other` being vmapped "
        f"over but `self` not being vmapped over {where}. Please try to use out-of-place operators "
        f"instead of {what}. If said operator is being called inside the PyTorch framework, please "
        "file a bug report instead."
    )


def no_rule(name: str) -> str:
    """``out=`` forms have no rule, and some views."""
    return (
        f"Batching rule not implemented for {name}; the fallback path doesn't work on out= or "
        "view ops."
    )


def no_fallback(name: str) -> str:
    """A result that is no tensor cannot be stacked, and torch stacks no lists of tensors."""
    return f"Batching rule not implemented for {name}. We could not generate a fallback."


def needs_a_rule(name: str) -> str:
    """A loop over samples would not be right."""
    return (
        f"Error: {name} requires special handling, and does not yet have a batching rule. Feel "
        "free to file a github issue!"
    )


def clone_format(name: str) -> str:
    """A sample cannot have a layout of its own.

    :param name: C++'s of the memory format, ``ChannelsLast``.
    """
    return (
        "NYI: Tensor.clone(memory_format) inside vmap is only supported with memory_format "
        f"torch.preserve_format or torch.contiguous_format (got {name})"
    )


def wrong_ranks(op: str, found: tuple[int, int], wanted: tuple[int, int]) -> str:
    """A product of samples that have not the dimensions for it."""
    if op == "dot":
        return "Got wrong shapes for dot"
    return (
        f"Shape mismatch: Got incorrect dims for {op}(a, b). a has dim {found[0]}and b has dim "
        f"{found[1]}but expected them to have dim {wanted[0]} and dim {wanted[1]}"
    )


def outside_of_sample(call: str, result: tuple[int, int], sample: tuple[int, int]) -> str:
    """``as_strided`` that would show another sample; ranges are of elements of the memory."""
    return (
        f"result = tensor.as_strided({call}) can access memory outside of `tensor`. `result` can "
        f"access some memory in range [{result[0]}, {result[1]}], but `tensor` can only access "
        f"some memory in range [{sample[0]}, {sample[1]}]. This is not supported inside of vmap, "
        "please try to rewrite the `as_strided` call as a sequence of PyTorch view operations"
    )


def dynamic_shape(name: str) -> str:
    """Samples whose results have shapes of their own."""
    return (
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to "
        f"vmap over {name}. Please file an issue at https://github.com/pytorch/pytorch/issues if "
        "you need this feature."
    )
