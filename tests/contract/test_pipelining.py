"""Microbatches, stages and cut models of pipelines in one process, as torch has them."""

from __future__ import annotations

import importlib
import math
import random

import pytest

from .both_frameworks import BOTH, agree, outcome, part, refuse, same
from .crew_pipelining import LOOPED, gradients, parts
from .crew_training import batch, filled
from .one_process_groups import groups_of_one

for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.distributed.pipelining")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def group():
    """A group of one process in both frameworks."""
    with groups_of_one():
        yield


def near(got, want, at=""):
    """The same structure, and numbers that differ by rounding only."""
    if isinstance(want, float):
        assert math.isclose(got, want, rel_tol=1e-4, abs_tol=1e-6), (at, got, want)
    elif isinstance(want, list | tuple):
        assert len(got) == len(want), (at, got, want)
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            near(g, w, f"{at}/{i}")
    else:
        assert got == want, (at, got, want)


def alike(fn):
    """Both frameworks return nearly the same numbers."""
    (got, _), (want, _) = (outcome(fn, t) for t in BOTH)
    assert want[0] == "value", want
    near(got, want)


def micro(t):
    return part(t, "distributed.pipelining.microbatch")


def stage(t):
    return part(t, "distributed.pipelining.stage")


def pipelining(t):
    return part(t, "distributed.pipelining")


# Microbatches


def value(t, r, depth=0):
    """A tensor, a number, or several of them."""
    kind = r.randrange(5 if depth < 2 else 3)
    if kind < 2:
        return t.arange(float(r.choice([2, 4, 5]) * 3)).view(-1, 3) + r.randrange(3)
    if kind == 2:
        return r.choice([3, "text", None, 2.5])
    inside = [value(t, r, depth + 1) for _ in range(r.randrange(3))]
    return inside if kind == 3 else {str(i): v for i, v in enumerate(inside)}


@pytest.mark.parametrize("seed", range(25))
def test_arguments_are_cut_and_put_together(seed):
    def run(t):
        r = random.Random(seed)
        args = tuple(value(t, r) for _ in range(r.randrange(3)))
        kwargs = {name: value(t, r) for name in "ab"[: r.randrange(3)]}
        cut = micro(t).split_args_kwargs_into_chunks(args, kwargs, r.choice([1, 2, 3, 4]))
        again = []
        for chunks in cut:
            try:
                again.append(micro(t).merge_chunks(chunks, None))
            except (TypeError, ValueError, AssertionError) as e:
                again.append(type(e).__name__)
        return cut, again

    same(run)


def test_specs_say_how_arguments_are_cut_and_results_put_together():
    def run(t):
        m = micro(t)
        x = t.arange(12.0).view(2, 6)
        specs = m.TensorChunkSpec.from_tuple((1, 0))
        named = m.TensorChunkSpec.from_dict({"z": 1})
        replicated = (specs[0], m._Replicate)
        cut = m.split_args_kwargs_into_chunks((x, x), {"z": x}, 2, specs, named)
        whole = m.split_args_kwargs_into_chunks((x, x), {}, 3, replicated)
        results = [(x, 1, t.tensor(i)) for i in range(3)]
        merged = m.merge_chunks(results, (specs[0], None, m.sum_reducer))
        leaf = t.ones(4, 2, requires_grad=True)
        parts = m.split_args_kwargs_into_chunks((leaf,), None, 2)[0]
        (parts[0][0] * 3).sum().backward()
        texts = str(specs[0]), repr(specs).replace("mindtorch.", "torch.")
        return cut, whole, merged, texts, parts[0][0].grad, leaf.grad

    agree(run)


def test_masks_of_attention_are_cut_with_their_batch():
    def run(t):
        flex = part(t, "nn.attention.flex_attention")
        m, found = micro(t), []
        for rows in (1, 5):
            mask = flex.create_block_mask(
                lambda b, h, q, kv: q >= kv + b, rows, 1, 8, 8, device="cpu", BLOCK_SIZE=4
            )
            chunks, _ = m.split_args_kwargs_into_chunks((mask,), {}, 2)
            index = [t.tensor(i) for i in (1, 0, 5, 4)]
            found += [(c.shape, c.kv_indices, c.mask_mod(*index)) for (c,) in chunks]
        return found

    agree(run)


MISCUT = {
    "few rows": lambda t: micro(t)._split_tensor(t.ones(2), micro(t).TensorChunkSpec(0), 3),
    "keys": lambda t: micro(t).split_args_kwargs_into_chunks((t.ones(2),), {}, 2, ()),
    "no spec": lambda t: micro(t).split_args_kwargs_into_chunks((t.ones(2),), {}, 2, (3,)),
    "no tensor": lambda t: micro(t).split_args_kwargs_into_chunks(
        (3,), {}, 2, (micro(t).TensorChunkSpec(0),)
    ),
    "other results": lambda t: micro(t).merge_chunks([(1, 2)], (micro(t).TensorChunkSpec(0),)),
    "unequal": lambda t: micro(t).merge_chunks([1, 2], 0),
}


@pytest.mark.parametrize("what", MISCUT)
def test_what_cannot_be_cut_is_refused(what):
    def text(t):
        try:
            return MISCUT[what](t)
        except Exception as e:
            raise type(e)(str(e).replace(f"{t.__name__}.", "torch.")) from None

    refuse(text)


# Backward in parts


def net(t):
    return filled(
        t, t.nn.Sequential(*[t.nn.Linear(3, 3, bias=i != 1) for i in range(3)], t.nn.Tanh())
    )


@pytest.mark.parametrize("loss", [True, False])
def test_backward_of_inputs_and_of_weights_is_a_whole_one(loss):
    def run(t):
        b, found = part(t, "distributed.pipelining._backward"), []
        for parted in (True, False):
            model = net(t)
            x = t.linspace(-1, 1, 6).view(2, 3).requires_grad_()
            out = model(x) + model[0](x)
            out = out.sum() if loss else out
            grads = None if loss else [t.ones(2, 3) * 2]
            if parted:
                dx, groups = b.stage_backward_input([out], grads, [x, 3], model.parameters())
                found.append([len(group["params"]) for group in groups])
                found.append(out.requires_grad)
                b.stage_backward_weight(model.parameters(), groups)
            else:
                dx = b.stage_backward((out,), grads, [x, 3])
            found += [dx, x.grad, [p.grad for p in model.parameters()]]
        return found

    alike(run)


def test_nested_outputs_have_nested_gradients():
    def run(t):
        b = part(t, "distributed.pipelining._backward")
        x = t.ones(2, requires_grad=True)
        out = {"a": (x * 2, [x * 3, t.ones(2)]), "b": 5, "c": x + 1}
        given = {"a": (t.ones(2), [t.ones(2), None]), "b": None, "c": t.full((2,), 4.0)}
        return b.stage_backward(out, given, [x, "text"]), b._null_coalesce_accumulate(x, None)

    agree(run)


@pytest.mark.parametrize("case", range(4))
def test_gradients_that_do_not_fit_are_refused(case):
    def run(t):
        b = part(t, "distributed.pipelining._backward")
        x = t.ones(2, requires_grad=True) * 2
        output, grads = [((x,), 3), ((x,), (x, x)), ({"a": x}, {"b": x}), (x, "text")][case]
        b.stage_backward(output, grads, [x])

    refuse(run)


# Stages


@pytest.mark.parametrize("name", LOOPED)
def test_all_stages_of_a_model_may_be_in_one_process(name, group):
    """Chains of four, with losses that are sums and outputs that nobody keeps."""

    def run(t):
        p = pipelining(t)
        made = [p.PipelineStage(m, i, 4, t.device("cpu")) for i, m in enumerate(parts(t, 4))]
        for s in made:
            s._runtime_validate = True  # as with TORCH_DISTRIBUTED_DEBUG=DETAIL
        loss = t.nn.MSELoss(reduction="sum")
        schedule = getattr(p, name)(made, 4, loss_fn=loss, scale_grads=False)
        x, y = batch(t, 0, 8)
        losses, found = ["old"], []
        for keep in (True, False):
            out = schedule.step(x, target=y, losses=losses, return_outputs=keep)
            found.append((None if out is None else out.tolist(), [v.item() for v in losses]))
        metas = [[str(v) for v in (s._stage_meta.inputs, s._stage_meta.output_grads)] for s in made]
        return found, gradients(t, made), metas

    alike(run)


def test_distributed_tensors_pass_between_stages(group):
    """Meshes are found by their names; what is sent is a part, what arrives is the whole again."""

    def run(t):
        dt = part(t, "distributed.tensor")
        mesh = part(t, "distributed.device_mesh").init_device_mesh(
            "cpu", (1,), mesh_dim_names=("tp",)
        )

        class Scattering(t.nn.Linear):
            def forward(self, x):
                y = super().forward(x.full_tensor() if isinstance(x, dt.DTensor) else x)
                return dt.DTensor.from_local(y, mesh, [dt.Shard(1)])

        asked = []

        def get_mesh(names, layout):
            asked.append(names)
            return mesh

        class Gathering(t.nn.Linear):
            def forward(self, x):
                assert isinstance(x, dt.DTensor)
                return super().forward(x.full_tensor())

        modules = [filled(t, Scattering(4, 4)), filled(t, Gathering(4, 1))]
        made = [one(t, m, i, 2, get_mesh=get_mesh) for i, m in enumerate(modules)]
        schedule = pipelining(t).ScheduleLoopedBFS(made, 2, loss_fn=t.nn.functional.mse_loss)
        x, y = batch(t, 0, 4)
        losses = []
        schedule.step(x, target=y, losses=losses)
        metas = [
            type(m).__name__
            for m in (*made[0]._stage_meta.outputs, *made[1]._stage_meta.input_grads)
        ]
        return asked, [v.item() for v in losses], gradients(t, made), metas

    alike(run)


def _told(t, first, second):
    """The stages of a chain of two after a step, and that chain's schedule."""
    modules = [filled(t, t.nn.Linear(4, 4)), filled(t, t.nn.Linear(4, 1))]
    made = [one(t, m, i, 2, **how) for i, (m, how) in enumerate(zip(modules, (first, second)))]
    schedule = pipelining(t).ScheduleInterleaved1F1B(made, 4, loss_fn=t.nn.functional.mse_loss)
    x, y = batch(t, 0, 8)
    schedule.step(x, target=y)
    return made


def test_stages_know_their_tensors_if_they_are_told(group):
    def run(t):
        h = t.ones(2, 4, requires_grad=True)
        first = {"input_args": t.ones(2, 4), "output_args": h}
        made = _told(t, first, {"input_args": [h], "output_args": (t.ones(2, 1),)})
        infos = [repr(info) for s in made for info in s.args_recv_info[0]]
        return [s._inference_mode.value for s in made], infos, gradients(t, made)

    alike(run)
    refuse(lambda t: _told(t, {}, {"input_args": t.ones(2, 4), "output_args": t.ones(9)}))


def test_gradients_may_be_computed_by_the_program(group):
    """``dw_builder`` gives what runs at the time of the weights."""

    def run(t):
        p, seen = pipelining(t), []

        def builder(i):
            return lambda: lambda: seen.append(i)

        modules = [filled(t, t.nn.Linear(4, 4)), filled(t, t.nn.Linear(4, 1))]
        made = [
            p.PipelineStage(m, i, 2, t.device("cpu"), dw_builder=builder(i))
            for i, m in enumerate(modules)
        ]
        schedule = p.ScheduleInterleavedZeroBubble(made, 3, loss_fn=t.nn.functional.mse_loss)
        x, y = batch(t, 0, 6)
        schedule.register_custom_function(
            part(t, "distributed.pipelining.schedules").REDUCE_GRAD,
            lambda action, context: seen.append((str(action), len(context.arg_mbs))),
        )
        schedule.step(x, target=y)
        return seen, gradients(t, made)

    alike(run)


def one(t, module=None, index=0, count=1, **more):
    return stage(t).PipelineStage(
        module or t.nn.Linear(4, 4), index, count, t.device("cpu"), **more
    )


def _run(t, module=None, **more):
    made = one(t, module)
    schedule = pipelining(t).ScheduleGPipe(made, 2, **more)
    return schedule.step(t.ones(4, 4))


def _prepared(t, last=False):
    made = one(t)
    made.has_backward = True
    made._inference_mode = part(t, "distributed.pipelining._utils").InferenceMode.DYNAMIC
    return made


class Failing:
    """A module that fails."""

    def __new__(cls, t):
        class Module(t.nn.Module):
            def forward(self, x):
                if t.is_grad_enabled() and x.shape[0] == 2 and self.training:
                    self.training = False
                    return x
                raise ValueError("failed")

        return Module()


WRONG = {
    "index": lambda t: one(t, index=1),
    "none": lambda t: one(t, input_args=(None,)),
    "kind": lambda t: one(t, input_args=(3,)),
    "type": lambda t: one(t, output_args="x"),
    "chunks": lambda t: one(t)._check_chunk_id(0),
    "mode": lambda t: one(t)._prepare_forward_infra(2, ()),
    "no tensors": lambda t: _prepared(t)._prepare_forward_infra(2, None),
    "order": lambda t: _prepared(t)._prepare_backward_infra(2),
    "weights": lambda t: _prepared(t).backward_weight_one_chunk(0),
    "way": lambda t: one(t).backward_maybe_with_nosync("x", {"stage_output": None}),
    "local": lambda t: one(t).get_local_bwd_output(0),
    "first": lambda t: _prepared(t).get_local_bwd_output(0),
    "last": lambda t: _prepared(t).set_local_bwd_input((), 0),
    "tuple": lambda t: _prepared(t).set_local_bwd_input([], 0),
    "no target": lambda t: _run(t, loss_fn=t.nn.functional.mse_loss),
    "output": lambda t: _run(t, returning(t, 3)),
    "argument": lambda t: pipelining(t).ScheduleGPipe(one(t), 2).step(3),
    "forward": lambda t: one(t, Failing(t)).forward_one_chunk(0, (t.ones(3), {"a": [1]}), {"k": 2}),
    "forward only": lambda t: (
        pipelining(t)._ScheduleForwardOnly(one(t), 2).step(t.ones(2, 4), target=t.ones(2))
    ),
    "both": lambda t: pipelining(t).pipeline(t.nn.Linear(2, 2), (), split_spec={}, split_policy=id),
    "no module": lambda t: pipelining(t).pipeline(
        t.nn.Linear(2, 2), (), split_spec={"a.b": pipelining(t).SplitPoint.END}
    ),
    "no point": lambda t: pipelining(t).pipeline(
        t.nn.Sequential(t.nn.Tanh()), (), split_spec={"0": 1}
    ),
    "untraced": lambda t: pipelining(t).pipeline(returning(t, None), (t.ones(2),)),
}


def returning(t, result):
    """A module that returns *result*; one that depends on numbers, if that is None."""

    class Module(t.nn.Module):
        def forward(self, x):
            return x if result is None and x.sum() > 0 else result

    return Module()


@pytest.mark.parametrize("what", WRONG)
def test_wrong_calls_are_refused(what, group):
    refuse(WRONG[what])


def test_metadata_are_compared():
    def run(t):
        u = part(t, "distributed.pipelining._utils")
        a, b = t.ones(2, 3), t.ones(3, 2, dtype=t.float64).t()
        meta, found = u.extract_tensor_metas((a, None), allow_none=True), []
        for given in ((a, None), (b, None), (a, a), (a,)):
            try:
                found.append(u.validate_tensors_metadata("what", meta, given))
            except u.PipeliningMetadataError as e:
                found.append(str(e))
            found.append(u.validate_tensors_metadata("what", meta, given, raise_on_mismatch=False))
        kinds = [
            (x, bool(y), bool(z))
            for x in (a, a.clone().requires_grad_())
            for y, z in ((0, 1), (1, 0))
        ]
        for x, has, is_input in kinds:
            try:
                u.validate_static_arg_grad_correspondence(3, (x,), (a if has else None,), is_input)
                u.validate_static_arg_grad_correspondence(3, (x,), (), is_input)
            except u.PipeliningMetadataError as e:
                found.append(str(e))
        return found, u.flatten_args({"a": [a, 2]}), u._MeshCache().__len__()

    same(run)


# Models that are cut


def model(t):
    nn = t.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = nn.Linear(4, 4)

        def forward(self, x):
            return self.lin(x).relu()

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = Block(), Block(), nn.Linear(4, 1)
            self.w = nn.Parameter(t.ones(4))
            self.d = nn.Linear(4, 4)
            self.register_buffer("shift", t.ones(4))

        def forward(self, x, y=None):
            x = self.b(self.a(x)) * self.w + self.shift
            x = self.d(x) + t.ones(4, device="cpu")
            return self.c(x if y is None else x + y)

    return filled(t, Model())


def cut(t, *args, **kwargs):
    point = pipelining(t).SplitPoint
    spec = {"b": point.BEGINNING, "d": point.END}
    return pipelining(t).pipeline(model(t), args or (t.ones(2, 4),), kwargs, split_spec=spec)


def test_models_are_cut_where_they_are_told(group):
    def run(t):
        pipe, found = cut(t), []
        x, _ = batch(t, 0, 2)
        found.append((pipe.num_stages, pipe.has_loss_and_backward, pipe.replicated_params))
        found.append(str(pipe.split_gm.graph).replace("mindtorch", "torch"))
        found += [pipe(x), pipe(x=x), model(t)(x)]
        for i in range(pipe.num_stages):
            module = pipe.get_stage_module(i)
            found.append([(n, p.tolist()) for n, p in module.named_parameters()])
            found.append([n for n, _ in module.named_buffers()])
            found.append([(n, type(m).__name__) for n, m in module.named_modules() if n])
            made = pipe.build_stage(i, t.device("cpu"))
            made.has_backward = True
            made._prepare_forward_infra(2, (x,))
            made._prepare_backward_infra(2)
            found.append([repr(r) for r in (*made.args_recv_info[0], *made.grad_recv_info[0])])
            found += [made.act_send_info, str(made._stage_meta.outputs)]
        info = pipe.info()
        found.append((info.num_stages, info.has_loss_and_backward))
        for wrong in (lambda: pipe.get_stage_module(3), lambda: pipe.split_gm(x)):
            with pytest.raises((ValueError, RuntimeError)) as refused:
                wrong()
            found.append(str(refused.value))
        return found

    alike(run)


def test_parameters_of_several_stages_are_copied():
    def run(t):
        made = model(t)
        made.d.weight = made.a.lin.weight
        point = pipelining(t).SplitPoint
        pipe = pipelining(t).pipeline(made, (t.ones(2, 4),), split_spec={"d": point.BEGINNING})
        return pipe.replicated_params, pipe(t.ones(2, 4)), sorted(pipe.get_stage_module(1)._modules)

    alike(run)


def test_models_are_cut_by_marks_and_by_policies():
    def run(t):
        ir = part(t, "distributed.pipelining._IR")
        layers = [filled(t, t.nn.Linear(4, 4), i) for i in range(3)]
        chain = ir.PipeSequential.from_sequential(t.nn.Sequential(*layers))

        def policy(graphed):
            for node in list(graphed.graph.nodes):
                if node.op == "call_function" and "linear" in str(node.target):
                    with graphed.graph.inserting_after(node):
                        graphed.graph.call_function(ir.aten_pipe_split_alias, (), {})
            graphed.recompile()
            return graphed

        x, _ = batch(t, 0, 2)
        marked = ir.pipeline(chain, (x,))
        by_policy = ir.pipeline(t.nn.Sequential(*layers[:2]), (x,), split_policy=policy)
        assert ir.pipe_split() is None
        return marked.num_stages, marked(x), by_policy.num_stages, by_policy(x)

    alike(run)


def test_cut_models_train(group):
    def run(t):
        pipe = pipelining(t).pipeline(filled(t, t.nn.Linear(4, 1)), (t.ones(2, 4),))
        made = stage(t).build_stage(pipe.get_stage_module(0), 0, pipe.info(), t.device("cpu"))
        schedule = pipelining(t).Schedule1F1B(made, 4, loss_fn=t.nn.functional.mse_loss)
        x, y = batch(t, 0, 8)
        losses = []
        out = schedule.step(x, target=y, losses=losses)
        seen = out.tolist(), [v.item() for v in losses], schedule.eval(x, target=y).shape
        return seen, gradients(t, [made])

    alike(run)
