"""Checkpoints: torch reads what we write, and we read what torch writes."""

from __future__ import annotations

import importlib
import io
import os
import warnings

import pytest

from .both_frameworks import BOTH, agree, ours, outcome, torch

pytestmark = pytest.mark.filterwarnings("ignore")


def dcp(t):
    return importlib.import_module(f"{t.__name__}.distributed.checkpoint")


def sub(t, name):
    return importlib.import_module(f"{t.__name__}.distributed.checkpoint.{name}")


def state(t):
    return {
        "a": t.arange(6.0).reshape(2, 3),
        "b": {"c": [1, t.ones(2)], "d": "x", "e": {}},
        "lr": 0.1,
        "h": t.ones(3, dtype=t.bfloat16),
        "i": t.tensor(3),
        "part": t.arange(10)[2:5],
        "none": None,
    }


def empty(t):
    return {
        "a": t.zeros(2, 3),
        "b": {"c": [0, t.zeros(2)], "d": "y", "e": {}},
        "lr": 0,
        "h": t.zeros(3, dtype=t.bfloat16),
        "i": t.tensor(0),
        "part": t.zeros(3, dtype=t.int64),
        "none": 1,
    }


def quiet(fn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fn()


@pytest.mark.parametrize("writer", BOTH, ids=lambda t: t.__name__)
@pytest.mark.parametrize("reader", BOTH, ids=lambda t: t.__name__)
def test_each_reads_what_the_other_writes(tmp_path, writer, reader):
    quiet(lambda: dcp(writer).save(state(writer), checkpoint_id=str(tmp_path)))
    assert sorted(os.listdir(tmp_path)) == [".metadata", "__0_0.distcp"]
    got = empty(reader)
    quiet(lambda: dcp(reader).load(got, checkpoint_id=str(tmp_path)))
    want = state(reader)
    assert got.keys() == want.keys()
    for key, value in want.items():
        if isinstance(value, reader.Tensor):
            assert got[key].dtype == value.dtype and reader.equal(got[key], value), key
        elif key != "b":
            assert got[key] == value, key
    assert got["b"]["c"][0] == 1 and got["b"]["d"] == "x" and got["b"]["c"][1].tolist() == [1, 1]


def test_metadata_is_what_torchs_is(tmp_path):
    def run(t):
        path = tmp_path / t.__name__
        dcp(t).save(state(t), checkpoint_id=str(path))
        known = dcp(t).FileSystemReader(str(path)).read_metadata()
        return [
            repr(known.state_dict_metadata),
            known.planner_data,
            sorted(
                (k.fqn, k.offset and tuple(k.offset), k.index, v.relative_path)
                for k, v in known.storage_data.items()
            ),
            known.version,
        ]

    agree(run)


@pytest.mark.parametrize("writer", BOTH, ids=lambda t: t.__name__)
def test_files_for_each_item(tmp_path, writer):
    made = dcp(writer).FileSystemWriter(str(tmp_path), single_file_per_rank=False)
    quiet(lambda: dcp(writer).save({"a": writer.ones(2), "b": 3}, storage_writer=made))
    for t in BOTH:
        got = {"a": t.zeros(2), "b": 0}
        quiet(lambda t=t, got=got: dcp(t).load(got, checkpoint_id=str(tmp_path)))
        assert got["a"].tolist() == [1, 1] and got["b"] == 3


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_items_are_shared_out_to_as_many_files_as_threads(tmp_path, single, threads):
    def run(t):
        path = tmp_path / t.__name__
        tensors = {"x": t.arange(4.0), "y": t.ones(100), "z": t.ones(10, dtype=t.int8)}
        made = dcp(t).FileSystemWriter(
            path, single_file_per_rank=single, thread_count=threads, sync_files=False
        )
        dcp(t).save({**tensors, "o": {"a": 1}, "p": 2}, storage_writer=made, no_dist=True)
        known = dcp(t).FileSystemReader(path).read_metadata().storage_data
        return [
            sorted(os.listdir(path)),
            sorted((k.fqn, v.relative_path) for k, v in known.items()),
        ]

    agree(run)


def test_items_are_written_one_by_one():
    def run(t):
        files, helpers = sub(t, "filesystem"), sub(t, "planner_helpers")
        items = [
            helpers._create_write_items(name, value)[0]
            for name, value in {"x": t.arange(4.0), "o": {"a": 1}, "y": t.ones(100)}.items()
        ]
        given = [
            (t.arange(4.0), items[0]),
            (io.BytesIO(b"12"), items[1]),
            (t.ones(2), items[1]),
            (io.BytesIO(b"12"), items[0]),
            (t.ones(2, device="meta"), items[0]),
        ]
        found = []
        for data, item in given:
            stream = io.BytesIO()
            stream.write(b"abc")
            try:
                written = files._write_item(
                    files._StorageWriterTransforms(),
                    stream,
                    data,
                    item,
                    "name",
                    files.SerializationFormat.TORCH_SAVE,
                )
            except AssertionError as error:
                found.append(str(error))
            else:
                place = written.storage_data
                found.append((written.index.fqn, place.relative_path, place.offset))
        names = [[i.index.fqn for i in part] for part in files._split_by_size_and_type(2, items)]
        return found, names, files._item_size(items[2]), files._StorageInfo.__module__[-10:]

    agree(run)


def test_what_does_not_fit_is_refused(tmp_path):
    def run(given):
        def load(t):
            path = tmp_path / t.__name__
            dcp(t).save({"a": t.ones(2)}, checkpoint_id=str(path))
            try:
                dcp(t).load(given(t), checkpoint_id=str(path))
            except dcp(t).CheckpointException as e:
                return [str(f[0]) for f in e.failures.values()]

        return load

    for given in (lambda t: {"z": t.ones(2)}, lambda t: {"a": t.ones(3)}):
        got, want = (outcome(run(given), t)[0] for t in BOTH)
        assert got == want and want[1]


def test_an_asynchronous_save_has_the_state_of_its_call(tmp_path):
    def run(t):
        path = tmp_path / t.__name__
        x = t.ones(3)
        dist = t.distributed
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        try:
            done = dcp(t).async_save({"x": x}, checkpoint_id=str(path))
            x.fill_(7)
            done.result()
            got = {"x": t.zeros(3)}
            dcp(t).load(got, checkpoint_id=str(path))
        finally:
            dist.destroy_process_group()
        return got

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and got[0] == "value"


def test_objects_with_a_state_give_and_take_it(tmp_path):
    class Counter:
        def __init__(self):
            self.count = 0

        def state_dict(self):
            return {"count": self.count}

        def load_state_dict(self, state):
            self.count = state["count"]

    def run(t):
        path, counter = tmp_path / t.__name__, Counter()
        counter.count = 5
        dcp(t).save({"c": counter}, checkpoint_id=str(path))
        other = Counter()
        dcp(t).load({"c": other}, checkpoint_id=str(path))
        return other.count, isinstance(counter, sub(t, "stateful").Stateful)

    agree(run)


def test_one_file_and_a_folder_are_made_of_each_other(tmp_path):
    def run(t):
        utils = sub(t, "format_utils")
        folder, file, back = (str(tmp_path / f"{n}{t.__name__}") for n in ("d", "f", "b"))
        dcp(t).save(state(t), checkpoint_id=folder)
        utils.dcp_to_torch_save(folder, file)
        found = t.load(file, weights_only=False)
        utils.torch_save_to_dcp(file, back)
        return [found["a"], found["lr"], found["b"]["c"], sorted(os.listdir(back))]

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and got[0] == "value"


def test_keys_of_a_checkpoint(tmp_path):
    def run(t):
        path = str(tmp_path / t.__name__)
        dcp(t).save(state(t), checkpoint_id=path)
        load = sub(t, "state_dict_loader")._load_state_dict_from_keys
        return load("b", checkpoint_id=path), sorted(load(checkpoint_id=path))

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and got[0] == "value"


def trained(t):
    model = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.Linear(2, 1))
    with t.no_grad():
        for p in model.parameters():
            p.fill_(0.5)
    optim = t.optim.Adam(model.parameters(), lr=0.25)
    model(t.ones(1, 2)).sum().backward()
    optim.step()
    return model, optim


@pytest.mark.parametrize("flat", [False, True])
def test_states_by_bare_names(flat):
    def run(t):
        model, optim = trained(t)
        home = sub(t, "state_dict")
        options = home.StateDictOptions(flatten_optimizer_state_dict=flat)
        own, opt = home.get_state_dict(model, optim, options=options)
        other = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.Linear(2, 1))
        other_optim = t.optim.Adam(other.parameters())
        home.set_state_dict(
            other, other_optim, model_state_dict=own, optim_state_dict=opt, options=options
        )
        loaded = other_optim.state_dict()
        return [
            {k: v.round(decimals=4) for k, v in own.items()},
            sorted(opt),
            sorted(opt["state"]) if not flat else None,
            opt["param_groups"][0]["params"] if not flat else None,
            loaded["param_groups"][0]["lr"],
            sorted(loaded["state"]),
            loaded["state"][0]["step"],
        ]

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and got[0] == "value"


def test_states_of_wrapped_models_have_bare_names():
    def run(t):
        dist = t.distributed
        importlib.import_module(f"{t.__name__}.nn.parallel")
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        try:
            model = t.nn.parallel.DistributedDataParallel(trained(t)[0])
            home = sub(t, "state_dict")
            own = home.get_model_state_dict(model)
            return list(own), home.set_model_state_dict(model, own).missing_keys
        finally:
            dist.destroy_process_group()

    got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and got[0] == "value"


#: What is loaded into a model, from its state and the home of functions; what stays in the dict.
LOADS = {
    "as it is": lambda home, model, inner, own: home.set_model_state_dict(model, own),
    "strange": lambda home, model, inner, own: home.set_model_state_dict(model, {**own, "x": 1}),
    "strange, not strict": lambda home, model, inner, own: home.set_model_state_dict(
        model, own | {"x": 1}, options=home.StateDictOptions(strict=False)
    ),
    "missing": lambda home, model, inner, own: (
        own.pop("0.bias"),
        home.set_model_state_dict(model, own),
    ),
    "missing, not strict": lambda home, model, inner, own: (
        own.pop("0.bias"),
        home.set_model_state_dict(model, own, options=home.StateDictOptions(strict=False)),
    )[1],
    "whole": lambda home, model, inner, own: home.set_model_state_dict(
        model, own, options=home.StateDictOptions(full_state_dict=True)
    ),
    "sent": lambda home, model, inner, own: home.set_model_state_dict(
        model,
        own,
        options=home.StateDictOptions(full_state_dict=True, broadcast_from_rank0=True),
    ),
    "of modules": lambda home, model, inner, own: home.set_model_state_dict(
        model, {inner[0]: inner[0].state_dict(), inner[1]: inner[1].state_dict()}
    ),
    "empty": lambda home, model, inner, own: home.set_model_state_dict(model, {}),
    "empty, not strict": lambda home, model, inner, own: home.set_model_state_dict(
        model, {}, options=home.StateDictOptions(strict=False)
    ),
    "of a part": lambda home, model, inner, own: sorted(
        home.get_model_state_dict(model, submodules={inner[0]})
    ),
    "of a part by its own names": lambda home, model, inner, own: sorted(
        home.get_model_state_dict(
            model,
            submodules={inner[1]},
            options=home.StateDictOptions(keep_submodule_prefixes=False),
        )
    ),
}


@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
@pytest.mark.parametrize("load", LOADS)
def test_states_are_loaded_as_torch_loads_them(load, wrapped):
    """What is missing or strange, and the names that the given dict has afterwards."""

    def run(t):
        dist = t.distributed
        parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        try:
            inner = trained(t)[0]
            model = parallel.DistributedDataParallel(inner) if wrapped else inner
            home = sub(t, "state_dict")
            own = home.get_model_state_dict(model)
            try:
                told = str(LOADS[load](home, model, inner, own))
            except (RuntimeError, ValueError) as error:
                told = f"{type(error).__name__}: {error}"
            return told, list(own)
        finally:
            dist.destroy_process_group()

    got, want = (quiet(lambda t=t: run(t)) for t in BOTH)
    assert got == want


def test_a_distributed_tensor_is_saved_whole(tmp_path):
    dist = ours.distributed
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        mesh = dist.init_device_mesh("cpu", (1,))
        x = dist.tensor.distribute_tensor(ours.arange(4.0), mesh, [dist.tensor.Shard(0)])
        quiet(lambda: dcp(ours).save({"x": x}, checkpoint_id=str(tmp_path)))
        got = {"x": dist.tensor.zeros(4, device_mesh=mesh)}
        quiet(lambda: dcp(ours).load(got, checkpoint_id=str(tmp_path)))
    finally:
        dist.destroy_process_group()
    assert got["x"].full_tensor().tolist() == [0, 1, 2, 3]
    plain = {"x": torch.zeros(4)}
    quiet(lambda: dcp(torch).load(plain, checkpoint_id=str(tmp_path)))
    assert plain["x"].tolist() == [0, 1, 2, 3]


#: The size of a tensor, and the offsets and sizes of its chunks.
PLANS = [
    ((4, 4), [((0, 0), (2, 4)), ((2, 0), (2, 4))]),
    ((4, 4), [((0, 0), (2, 4)), ((1, 0), (2, 4)), ((0, 2), (4, 2))]),
    ((4, 4), [((0, 0), (2, 5)), ((3, 0), (2, 4)), ((-1, 0), (1, 4))]),
    ((4, 4), [((0, 0), (2, 4))]),
    ((2, 8), [((0, 0), (2, 3)), ((0, 3), (2, 3)), ((0, 5), (1, 3)), ((1, 6), (1, 2))]),
    ((), []),
    ((0, 3), [((0, 0), (0, 3))]),
]


def test_what_is_wrong_with_the_chunks_of_a_plan():
    """Those that stick out, that overlap, and that leave elements out."""

    def run(t):
        planners, data = sub(t, "default_planner"), sub(t, "metadata")
        found = []
        for size, chunks in PLANS:
            parts = [data.ChunkStorageMetadata(t.Size(o), t.Size(n)) for o, n in chunks]
            tensor = data.TensorStorageMetadata(data.TensorProperties(), t.Size(size), parts)
            metadata = data.Metadata({"k": tensor, "b": data.BytesStorageMetadata()})
            found += [planners._validate_global_plan([None] * n, metadata) for n in (1, 2)]
        return found

    agree(run)
