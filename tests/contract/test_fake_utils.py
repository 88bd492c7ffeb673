"""What fake tensors are made from and compared with: converters, modes that cross-check, copies."""

from __future__ import annotations

import copy
import gc
import weakref

from tests.contract.programs import made, ones, submodule, suite

program, test_same_program_same_notes = suite()


def fakes(torch):
    """The module of fake tensors."""
    return submodule(torch, "_subclasses.fake_tensor")


def utils(torch):
    """The module of comparisons."""
    return submodule(torch, "_subclasses.fake_utils")


def metas(torch):
    """The module of tensors on meta."""
    return submodule(torch, "_subclasses.meta_utils")


@program
def converters_know_what_lives(torch, ns, note):
    mode = fakes(torch).FakeTensorMode()
    converter = mode.fake_tensor_converter
    x = torch.rand(4, 2)
    y = torch.rand(2)
    y.set_(x.untyped_storage(), 1, (3,), (2,))
    z, w = x[0], x.data[1:]
    fake = [mode.from_tensor(t) for t in (x, y, z, w)]
    memory = {torch._C._storage_id(t) for t in fake}
    note([len(memory), [t.storage_offset() for t in fake], fake[0].untyped_storage().nbytes()])
    note([mode.from_tensor(x) is fake[0], len(converter.meta_converter.storage_memo)])
    storage = fake[0].untyped_storage()
    del fake
    gc.collect()
    note(len(converter.tensor_memo))
    note(mode.from_tensor(z).untyped_storage() is storage)
    note(converter._get_memo(x) is None)
    del x, y, z, w, storage
    gc.collect()
    note([len(converter.tensor_memo), len(converter.meta_converter.storage_memo)])


@program
def converters_hold_nothing(torch, ns, note):
    x = torch.rand(4)
    mode = fakes(torch).FakeTensorMode()
    y = mode.from_tensor(x)
    known = [weakref.ref(mode), weakref.ref(y)]
    del mode, y
    note([each() is None for each in known])


@program
def fake_tensors_of_meta_tensors(torch, ns, note):
    mode = fakes(torch).FakeTensorMode()
    converter = mode.fake_tensor_converter
    x = torch.rand(2, device="meta")
    fake = converter.from_meta_and_device(mode, x, torch.device("cpu"))
    note(str(fake))
    note(converter.from_meta_and_device(mode, x, torch.device("cpu")) is fake)
    note(lambda: converter.from_meta_and_device(mode, torch.ones(1), "cpu"))
    y = torch.rand(2)
    converter.set_tensor_memo(y, fake)
    note([mode.from_tensor(y) is fake, mode.is_our_fake(fake), mode.is_our_fake(x)])
    mode.cache_clear()
    note(mode.cache_info())


@program
def tensors_on_meta(torch, ns, note):
    convert = metas(torch).MetaConverter()
    weight = torch.nn.Parameter(torch.ones(2, 3))
    weight.grad = torch.ones(2, 3)
    double = weight * 2
    for t in (
        torch.ones(2), torch.ones(2, 3).t(), torch.ones(6)[1:3], torch.ones(2, requires_grad=True),
        weight, weight[:1], double, double[:1], weight.detach()[:1],
        torch.ones(2, dtype=torch.cfloat), torch.ones(2, dtype=torch.cfloat).conj(),
        torch.ones(2, dtype=torch.cfloat).real, torch.ones(2, 2).as_strided((2,), (2,), 1),
        torch.view_as_complex(torch.ones(2, 2)), torch.ones(2, device="meta"), torch.tensor(3),
        torch.empty(2, 0, 3), torch.ones(2)._neg_view(), torch.zeros(3).expand(2, 3),
    ):  # fmt: skip
        meta = convert(t)
        note([convert(t) is meta, meta.is_leaf, meta._is_view(), isinstance(meta, type(weight))])
        note([meta, meta.storage_offset(), meta.is_conj(), meta.is_neg(), meta.grad is None])
        compared = []
        metas(torch).assert_metadata_eq(lambda a, b: compared.append((str(a), a == b)), t, meta)
        note(compared)
    note([convert.hit >= 19, convert.miss, convert.successful(), convert(3)])
    note(convert(torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.quint8)))
    note([convert.miss, convert.successful()])
    note(lambda: metas(torch).assert_metadata_eq(metas(torch).assert_eq, weight, double))
    note(
        lambda: metas(torch).assert_metadata_eq(
            metas(torch).assert_eq, torch.ones(2), torch.ones(3), skip_symbolic=True
        )
    )
    sparse = torch.eye(2).to_sparse()
    rows = torch.eye(2).to_sparse_csr()
    for name in ("is_sparse_any", "is_sparse_coo", "is_sparse_compressed"):
        note([name, [getattr(metas(torch), name)(t) for t in (weight, sparse, rows, 3)]])
    note([metas(torch).safe_is_leaf(double), metas(torch).safe_grad(double)])
    note(metas(torch).safe_grad(weight))


@program
def facts_of_tensors(torch, ns, note):
    facts = fakes(torch).extract_tensor_metadata
    for t in (
        torch.ones(2), ones(torch, 2, 3).t(), torch.ones(2, 3)[:, 1:], torch.eye(2).to_sparse(),
        torch.eye(2).to_sparse_csr(), torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last),
        torch.ones(2, dtype=torch.cfloat).conj(), torch.ones(2, device="meta"),
    ):  # fmt: skip
        note(lambda t=t: facts(t))
    with fakes(torch).FakeTensorMode():
        note(lambda: facts(torch.ones(3)))
    note(fakes(torch).tree_flatten_only(int, {"a": [1, "b"], "c": 2}))


def _cross(torch, run, **options):
    with utils(torch).CrossRefFakeMode(**options):
        return run()


@program
def operators_that_fake_tensors_tell_right(torch, ns, note):
    x, w = torch.arange(6.0).reshape(2, 3), ones(torch, 3, 3)
    for run in (
        lambda: x @ w, lambda: x.t().contiguous(), lambda: x.split(1), lambda: x.nonzero(),
        lambda: x.sum().item(), lambda: (x * 2).add_(1), lambda: torch.cat([x, x]).view(-1),
        lambda: torch.nn.functional.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)),
        lambda: torch.nn.Linear(3, 2)(x).shape, lambda: x.max(0), lambda: x[x > 2],
        lambda: x.unsqueeze(0).expand(2, 2, 3), lambda: x.resize_(2, 2).t_(),
        lambda: torch.linalg.eigh(torch.eye(2))[0], lambda: torch.tensor([1.0, 2.0]) + 1,
        lambda: torch.autograd.grad((w * w).sum(), w)[0],
        lambda: torch.eye(2).to_sparse().to_dense(),
        lambda: torch.nn.functional.scaled_dot_product_attention(*[torch.ones(1, 1, 2, 2)] * 3),
    ):  # fmt: skip
        note(lambda run=run: _cross(torch, run))


def _op(torch, ns, name, real, fake, schema="(Tensor x) -> Tensor"):
    library = torch.library.Library(ns, "FRAGMENT")
    library.define(f"{name}{schema}")
    library.impl(name, real, "CPU")
    library.impl(name, fake, "Meta")
    return library, getattr(getattr(torch.ops, ns), name)


@program
def operators_that_fake_tensors_tell_wrong(torch, ns, note):
    kept, pair = [], "(Tensor x) -> (Tensor, Tensor)"
    for i, (real, fake, schema) in enumerate(
        (
            (lambda x: x * 2, lambda x: x.new_empty(3), None),
            (lambda x: x * 2, lambda x: x.new_empty(2, 3, dtype=torch.double), None),
            (lambda x: (x * 2).t(), lambda x: x.new_empty(3, 2), None),
            (lambda x: torch.ones(8)[2:].view(2, 3), lambda x: x.new_empty(2, 3), None),
            (lambda x: x * 2, lambda x: x.view(2, 3), None),
            (lambda x: x.view(2, 3), lambda x: x.new_empty(2, 3), "(Tensor(a) x) -> Tensor(a)"),
            (lambda x: x, lambda x: x.new_empty(2, 3), None),
            (lambda x: (x * 2, x * 3), lambda x: (x.new_empty(2, 3),) * 2, pair),
            (lambda x: (x * 2, x * 3), lambda x: (x.new_empty(2, 3), x.new_empty(2)), pair),
            (lambda x: x * 2, lambda x: x.new_empty(2, 3), None),
        )
    ):
        library, op = _op(torch, ns, f"f{i}", real, fake, schema or "(Tensor x) -> Tensor")
        kept.append(library)
        x = torch.ones(2, 3)
        for options in ({}, {"check_aliasing": False}, {"check_strides": False}):
            note(lambda op=op, options=options, x=x: _cross(torch, lambda: op(x), **options))
        note(lambda op=op, x=x: _cross(torch, lambda: op(x), ignore_op_fn=lambda f: True))
    library = torch.library.Library(ns, "FRAGMENT")
    library.define("none(Tensor x) -> Tensor")
    library.impl("none", lambda x: x * 2, "CPU")
    op = getattr(torch.ops, ns).none
    note(lambda: _cross(torch, lambda: op(torch.ones(2))))
    library.define("changes(Tensor(a!) x) -> ()")
    library.impl("changes", lambda x: x.add_(1) and None, "CPU")
    changes = getattr(torch.ops, ns).changes
    for allowed in (True, False):
        with fakes(torch).FakeTensorMode(allow_fallback_kernels=allowed):
            note(lambda: str(op(torch.ones(2))))
            note(lambda: changes(torch.ones(2)))


@program
def errors_of_attention(torch, ns, note):
    aten = torch.ops.aten
    error = RuntimeError("Devices cpu and cuda are not equal")
    for op in (
        aten._scaled_dot_product_flash_attention.default, aten._flash_attention_forward.default,
        aten._scaled_dot_product_efficient_attention.default, aten.add.Tensor,
        aten._scaled_dot_product_cudnn_attention.default,
    ):  # fmt: skip
        note([i for i in range(9) if utils(torch).is_sdpa_error(op, i, error)])
        note(utils(torch).is_sdpa_error(op, 6, ValueError("a")))


@program
def fake_tensors_become_real_again(torch, ns, note):
    back = utils(torch).try_convert_fake_to_real
    x = torch.arange(6.0)
    note(back([x, 3]))
    mode = fakes(torch).FakeTensorMode()
    first, second = mode.from_tensor(x), mode.from_tensor(x[2:].view(2, 2).t())
    with mode:
        other, part = torch.ones(2), first[1:]
    found = back([first, second, "a", other, part])
    note(found[:3])
    note([found[3] is other, type(found[4]).__name__])
    note(found[0].data_ptr() == x.data_ptr())


@program
def copies_that_are_fake(torch, ns, note):
    mode = fakes(torch).FakeTensorMode()
    layer = torch.nn.Linear(2, 3)
    layer.tied = layer.weight
    with fakes(torch).FakeCopyMode(mode):
        fake = copy.deepcopy(layer)
        tensor = copy.deepcopy(torch.ones(3))
    note([type(fake.weight).__name__, str(fake.weight), fake.tied is fake.weight, str(tensor)])
    note([type(layer.weight).__name__, fake.weight.requires_grad, fake.weight.fake_mode is mode])
    with mode:
        note(lambda: str(fake(torch.ones(4, 2))))


@program
def what_real_tensors_may_do(torch, ns, note):
    real = torch.ones(2)
    said = fakes(torch).fake_tensor_tls
    for allowed in (None, True, False):
        for mode in (True, False):
            said.allow_non_fake_inputs_override = allowed
            try:
                with fakes(torch).FakeTensorMode(allow_non_fake_inputs=mode):
                    note(lambda: str(real + torch.ones(2)))
            finally:
                said.allow_non_fake_inputs_override = None
    with fakes(torch).disable_fake_tensor_cache(fakes(torch).FakeTensorMode()):
        note(fakes(torch).FakeTensorConfig.debug)


@program
def what_needs_numbers(torch, ns, note):
    mode = fakes(torch).FakeTensorMode()
    x = mode.from_tensor(torch.arange(4.0))
    with mode:
        for run in (
            lambda: x.nonzero(), lambda: x.unique(), lambda: x[x > 1], lambda: x.sum().item(),
            lambda: x.masked_select(x > 1), lambda: bool(x[0]), lambda: int(x[0]),
            lambda: x.tolist(),
            lambda: torch.repeat_interleave(x.long()), lambda: torch.equal(x, x), lambda: x.numpy(),
            lambda: torch.bincount(x.long()), lambda: torch.tensor(3.0).item(), lambda: len(x),
            lambda: x.allclose(x), lambda: torch.nn.functional.one_hot(x.long()),
            lambda: x.data_ptr(), lambda: x.data_ptr(),
            lambda: torch.tensor([1, 2]).tolist(), lambda: x.unique_consecutive(),
            lambda: torch.combinations(x), lambda: f"{x.sum():.2f}", lambda: x.argwhere(),
            lambda: x.index_put((x > 1,), x[0]),
            lambda: torch.histc(x), lambda: x.is_nonzero(),
        ):  # fmt: skip
            note(lambda run=run: str(run()))


@program
def functions_of_ones_own_on_fake_tensors(torch, ns, note):
    twice = made(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 2)
    with fakes(torch).FakeTensorMode():
        x = ones(torch, 3)
        y = twice.apply(x)
        note([y.shape, y.grad_fn.name()])
        y.sum().backward()
        note(str(x.grad))


@program
def names_of_the_package(torch, ns, note):
    package = submodule(torch, "_subclasses")
    note(sorted(package.__all__))
    note([getattr(package, name).__name__ for name in sorted(package.__all__)])
    impls = submodule(torch, "_subclasses.fake_impls")
    aten = torch.ops.aten
    note([impls.has_meta(op) for op in (aten.add.Tensor, aten.nonzero.default)])
    note([impls.is_builtin(aten.add.Tensor)])
    note(issubclass(fakes(torch).UnsupportedMutationAliasingException, RuntimeError))
