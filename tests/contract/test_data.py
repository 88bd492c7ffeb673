"""``torch.utils.data`` in one process against torch's: datasets, samplers, loaders."""

from __future__ import annotations

import importlib
import inspect
import random
import types

import pytest

from .both_frameworks import agree, ours, refuse, torch

MODULES = """
utils.data utils.data.dataset utils.data.sampler utils.data.dataloader utils.data.distributed
utils.data.graph utils.data.graph_settings utils.data.datapipes utils.data.datapipes.iter
utils.data.datapipes.map utils.data.datapipes.datapipe utils.data.datapipes.dataframe
utils.data.datapipes.utils.common utils.data.datapipes.utils.decoder
utils.data.datapipes.iter.callable utils.data.datapipes.iter.combinatorics
utils.data.datapipes.iter.combining utils.data.datapipes.iter.grouping
utils.data.datapipes.iter.sharding utils.data.datapipes.map.callable
utils.data.datapipes.map.combining utils.data._utils.collate utils.data._utils.fetch
utils.data._utils.pin_memory utils.data._utils.worker utils.data._utils.signal_handling
multiprocessing multiprocessing.spawn multiprocessing.reductions multiprocessing.queue
""".split()
#: What their modules have beyond ``__all__`` and libraries ask for by name.
PRIVATE = """
utils.data._utils.collate.default_collate_fn_map utils.data._utils.collate.collate
utils.data._utils.collate.default_collate_err_msg_format utils.data._utils.MP_STATUS_CHECK_INTERVAL
utils.data._utils.collate.collate_tensor_fn utils.data._utils.worker._worker_loop
utils.data._utils.collate.collate_numpy_array_fn utils.data._utils.collate.collate_str_fn
utils.data._utils.collate.np_str_obj_array_pattern utils.data._utils.python_exit_status
utils.data._utils.worker.WorkerInfo utils.data._utils.worker.ManagerWatchdog
utils.data._utils.worker._IterableDatasetStopIteration utils.data._utils.worker._ResumeIteration
utils.data._utils.worker._generate_state utils.data._utils.fetch._MapDatasetFetcher
utils.data._utils.fetch._IterableDatasetFetcher utils.data._utils.pin_memory._pin_memory_loop
utils.data._utils.signal_handling._set_SIGCHLD_handler utils.data.dataloader._DatasetKind
utils.data.dataloader._BaseDataLoaderIter utils.data.dataloader._SingleProcessDataLoaderIter
utils.data.dataloader._MultiProcessingDataLoaderIter utils.data.dataloader._sharding_worker_init_fn
utils.data.dataloader._InfiniteConstantSampler utils.data.backward_compatibility.worker_init_fn
_utils.ExceptionWrapper _utils.KeyErrorMessage
""".split()


def found(t, path):
    """What *path* names in framework *t*."""
    space, _, name = f"{t.__name__}.{path}".rpartition(".")
    try:
        return importlib.import_module(f"{space}.{name}")
    except ModuleNotFoundError:
        return getattr(importlib.import_module(space), name)


def own(t, path):
    """Public classes and functions that are defined in *path* of *t*, by name."""
    space = found(t, path)
    names = {n for n in vars(space) if n[0] != "_"} | set(getattr(space, "__all__", ()))
    kinds = (type, types.FunctionType)
    here = f"{t.__name__}.{path}"
    return {
        n: getattr(space, n)
        for n in sorted(names)
        if isinstance(getattr(space, n), kinds) and getattr(space, n).__module__ == here
    }


def parameters(f):
    """Names and kinds of parameters; None where there is no signature."""
    try:
        return [(p.name, p.kind.name) for p in inspect.signature(f).parameters.values()]
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize("path", MODULES)
def test_names_and_signatures_are_torchs(path):
    """What a module defines, where it is defined, and by which arguments it is called."""
    mine, theirs = found(ours, path), found(torch, path)
    assert set(getattr(theirs, "__all__", ())) == set(
        getattr(mine, "__all__", ())
    ) or path.endswith(("reductions", "queue"))
    for name, want in own(torch, path).items():
        if path == "multiprocessing.reductions" and name not in mine.__all__:
            continue  # sparse and nested tensors, and events between processes
        got = getattr(mine, name)
        assert got.__module__.replace("mindtorch", "torch") == want.__module__, name
        if isinstance(want, types.FunctionType):
            assert parameters(got) == parameters(want), name
            continue
        assert parameters(got) == parameters(want), name
        assert [b.__name__ for b in want.__mro__] == [b.__name__ for b in got.__mro__], name
        for method, f in vars(want).items():
            if isinstance(f, types.FunctionType) and (method[0] != "_" or method[:2] == "__"):
                assert parameters(getattr(got, method)) == parameters(f), (name, method)


@pytest.mark.parametrize("path", PRIVATE)
def test_private_names_that_libraries_use_are_there(path):
    """Private ones, with torch's parameters where they are called."""
    assert parameters(found(ours, path)) == parameters(found(torch, path))


# Datasets -----------------------------------------------------------------------------------------


def rows(t):
    return t.utils.data.TensorDataset(t.arange(12).reshape(6, 2), t.arange(6.0))


class Count:
    """``range`` as an iterable dataset of framework *t*."""

    def __new__(cls, t, n, length=None):
        class CountDataset(t.utils.data.IterableDataset):
            def __iter__(self):
                return iter(range(n))

            def __repr__(self):
                return f"Count({n})"

        if length is not None:
            CountDataset.__len__ = lambda self: length
        return CountDataset()


class Batched:
    """Squares, a batch at a time; *more* of them than were asked for."""

    def __init__(self, more=0):
        self.more = more

    def __len__(self):
        return 5

    def __getitem__(self, i):
        return i * i

    def __getitems__(self, indices):
        return [-i * i for i in indices] + [0] * self.more


def strange_subset(t):
    class Strange(t.utils.data.Subset):
        def __getitem__(self, i):
            return i

    return Strange([1, 2], [0])


GOOD = {
    "a tensor dataset": lambda t, d: [len(rows(t)), rows(t)[2], rows(t)[1:3], rows(t)[[0, 5]]],
    "a stack of two": lambda t, d: [
        d.StackDataset(rows(t), range(6))[1],
        d.StackDataset(a=rows(t), b=range(6))[1],
        len(d.StackDataset(rows(t))),
        d.StackDataset(rows(t), range(6)).__getitems__([0, 3]),
        d.StackDataset(a=Batched(), b=range(5)).__getitems__([1, 3]),
    ],
    "a sum": lambda t, d: [
        (rows(t) + rows(t))[7],
        len(rows(t) + rows(t) + rows(t)),
        d.ConcatDataset([range(3), range(10, 12)]).cumulative_sizes,
        d.ConcatDataset([range(3), range(10, 12)]).cummulative_sizes,
        [d.ConcatDataset([range(3), [], range(10, 12)])[i] for i in (-5, -1, 0, 2, 3, 4)],
    ],
    "a chain": lambda t, d: [
        list(Count(t, 2) + Count(t, 3)),
        len(Count(t, 2, 2) + Count(t, 3, 3)),
        type(Count(t, 2) + Count(t, 3)).__name__,
    ],
    "a subset": lambda t, d: [
        d.Subset(range(10, 20), [3, 1])[1],
        d.Subset(rows(t), [3, 1])[[0, 1]],
        d.Subset(Batched(), [3, 1]).__getitems__([1, 0]),
        d.Subset(range(10, 20), [3, 1]).__getitems__([1, 0]),
        len(d.Subset([], [3, 1])),
    ],
    "a split": lambda t, d: [
        [list(s.indices) for s in d.random_split(range(10), n, t.Generator().manual_seed(3))]
        for n in ([3, 7], [0.3, 0.3, 0.4], [0.25, 0.25, 0.5], [10], [1.0], [5, 5, 0])
    ],
    "a split by the default generator": lambda t, d: [
        t.manual_seed(4) and list(d.random_split(range(7), [0.5, 0.5])[0].indices)
    ],
    "a split with an empty part": lambda t, d: [len(s) for s in d.random_split([1], [0.5, 0.5])],
    "generic classes": lambda t, d: [
        str(d.Dataset[int]).replace("mindtorch", "torch"),
        d.DataLoader[int].__origin__.__name__,
        d.Sampler[int].__origin__.__name__,
    ],
}

BAD = {
    "an abstract dataset": lambda t, d: d.Dataset()[0],
    "a dataset without length": lambda t, d: len(d.Dataset()),
    "tensors of two lengths": lambda t, d: d.TensorDataset(t.ones(2), t.ones(3)),
    "no tensors": lambda t, d: len(d.TensorDataset()),
    "a stack of nothing": lambda t, d: d.StackDataset(),
    "a stack of both kinds": lambda t, d: d.StackDataset([1], a=[2]),
    "a stack of two lengths": lambda t, d: d.StackDataset([1], [2, 3]),
    "a named stack of two lengths": lambda t, d: d.StackDataset(a=[1], b=[2, 3]),
    "a nested batch of another size": lambda t, d: d.StackDataset(Batched(1)).__getitems__([1]),
    "a named one": lambda t, d: d.StackDataset(a=Batched(1)).__getitems__([1]),
    "a sum of nothing": lambda t, d: d.ConcatDataset([]),
    "a sum of iterables": lambda t, d: d.ConcatDataset([Count(t, 2)]),
    "an index before a sum": lambda t, d: d.ConcatDataset([[1], [2]])[-3],
    "an index after a sum": lambda t, d: d.ConcatDataset([[1], [2]])[2],
    "a chain of lists": lambda t, d: list(d.ChainDataset([[1]])),
    "its length": lambda t, d: len(d.ChainDataset([[1]])),
    "half an override of Subset": lambda t, d: strange_subset(t),
    "a split of another sum": lambda t, d: d.random_split([1, 2], [1, 3]),
    "a negative fraction": lambda t, d: d.random_split([1, 2], [1.2, -0.2]),
    "an abstract sampler": lambda t, d: iter(d.Sampler()),
    "a sampler with no number": lambda t, d: d.RandomSampler([1], replacement=1),
    "a sampler of nothing": lambda t, d: d.RandomSampler([]),
    "a sampler of minus one": lambda t, d: d.RandomSampler([1], num_samples=-1),
    "a weighted sampler of True": lambda t, d: d.WeightedRandomSampler([1.0], True),
    "one of zero": lambda t, d: d.WeightedRandomSampler([1.0], 0),
    "one with a number for a bool": lambda t, d: d.WeightedRandomSampler([1.0], 1, 1),
    "one of two dims": lambda t, d: d.WeightedRandomSampler([[1.0]], 1),
    "more than there are": lambda t, d: list(d.WeightedRandomSampler([1.0], 2, False)),
    "a batch size of zero": lambda t, d: d.BatchSampler([1], 0, False),
    "a batch size of True": lambda t, d: d.BatchSampler([1], True, False),
    "drop_last as a number": lambda t, d: d.BatchSampler([1], 1, 0),
    "a rank too high": lambda t, d: d.DistributedSampler([1], 2, 2),
    "a rank below zero": lambda t, d: d.DistributedSampler([1], 2, -1),
    "a subset sampler of an int": lambda t, d: len(d.SubsetRandomSampler(3)),
}

LOADERS_REFUSED = """
num_workers=-1 | timeout=-1 | prefetch_factor=2 | num_workers=1, prefetch_factor=-1
persistent_workers=True | shuffle=True, sampler=[0] | batch_sampler=[[0]], batch_size=2
batch_sampler=[[0]], shuffle=True | batch_sampler=[[0]], sampler=[0] | batch_size=0
batch_sampler=[[0]], drop_last=True | batch_size=None, drop_last=True | batch_size=2.5
multiprocessing_context="fork" | num_workers=1, multiprocessing_context="x" | drop_last=1
num_workers=1, multiprocessing_context=3 | nope=1 | batch_size=True
"""
ITERABLE_REFUSED = "shuffle=True | sampler=[0] | batch_sampler=[[0]] | shuffle=3"


def settings(text):
    return [s.strip() for s in text.replace("\n", "|").split("|") if s.strip()]


@pytest.mark.parametrize("name", GOOD)
def test_datasets_do_as_torchs(name):
    """Values, and what is warned about."""
    agree(lambda t: GOOD[name](t, t.utils.data))


@pytest.mark.parametrize("name", BAD)
def test_refusals_read_as_torchs(name):
    """Type and text."""
    refuse(lambda t: BAD[name](t, t.utils.data))


@pytest.mark.parametrize("code", settings(LOADERS_REFUSED))
def test_loaders_refuse_as_torchs(code):
    """Arguments that exclude each other, or make no sense."""
    refuse(lambda t: eval(f"t.utils.data.DataLoader(range(3), {code})", {"t": t}))


@pytest.mark.parametrize("code", settings(ITERABLE_REFUSED))
def test_loaders_of_iterables_refuse_as_torchs(code):
    """What only a dataset with indices can have."""
    refuse(lambda t: eval(f"t.utils.data.DataLoader(c, {code})", {"t": t, "c": Count(t, 3)}))


@pytest.mark.parametrize(
    "name", "batch_size batch_sampler sampler drop_last dataset persistent_workers".split()
)
def test_some_attributes_of_loaders_are_not_set_later(name):
    """Others are."""
    refuse(lambda t: setattr(t.utils.data.DataLoader([1]), name, 2))


def test_a_loader_keeps_what_it_was_given():
    """Attributes by name, and their order."""

    def kept(t):
        loader = t.utils.data.DataLoader(range(9), 4, num_workers=1, multiprocessing_context="fork")
        loader.timeout, loader.collate_fn, loader.num_workers = 3, list, 0
        values = [(k, v) for k, v in vars(loader).items() if isinstance(v, (int, str, type))]
        return [list(vars(loader)), values, len(loader), loader.prefetch_factor]

    agree(kept)


def test_names_of_an_iterators_attributes_are_torchs():
    """Libraries look into them."""
    agree(lambda t: sorted(vars(iter(t.utils.data.DataLoader([1, 2])))))


# Samplers and loaders over random settings --------------------------------------------------------


def sampler_setting(rng):
    """A call of a sampler, as text."""
    n = rng.randint(1, 70)
    k = rng.choice([None, 1, 31, 32, 33, 64, n, 2 * n + 1])
    g = rng.choice(["None", f"t.Generator().manual_seed({rng.randint(0, 99)})"])
    weights = [round(rng.random() + 0.1, 3) for _ in range(n)]
    replicas = rng.randint(1, 5)
    return rng.choice(
        [
            f"d.RandomSampler(range({n}), num_samples={k}, generator={g})",
            f"d.RandomSampler(range({n}), True, {k}, {g})",
            f"d.SubsetRandomSampler(range(5, {n + 5}), {g})",
            f"d.WeightedRandomSampler({weights}, {k or n}, True, {g})",
            f"d.WeightedRandomSampler({weights}, {rng.randint(1, n)}, False, {g})",
            f"d.SequentialSampler(range({n}))",
            f"d.DistributedSampler(range({n}), {replicas}, {rng.randrange(replicas)}, "
            f"{rng.random() < 0.7}, {rng.randint(0, 9)}, {rng.random() < 0.5})",
        ]
    )


SAMPLERS = [sampler_setting(random.Random(i)) for i in range(60)]


@pytest.mark.parametrize("code", SAMPLERS, ids=range(len(SAMPLERS)))
def test_samplers_give_torchs_indices(code):
    """Two passes, lengths, batches, and what it drew of the default generator."""
    size = random.Random(code).randint(1, 9)

    def run(t):
        d = t.utils.data
        t.manual_seed(7)
        sampler = eval(code, {"t": t, "d": d})
        first, second = list(sampler), list(sampler)
        if isinstance(sampler, d.DistributedSampler):
            sampler.set_epoch(3)
        batches = [d.BatchSampler(sampler, size, drop) for drop in (False, True)]
        lists = [list(b) for b in batches]
        return first, second, len(sampler), lists, [len(b) for b in batches], t.rand(1)

    agree(run)


def loader_setting(rng):
    """Arguments of a loader, as text; and whether its dataset is iterable."""
    args = {"batch_size": rng.choice([1, 2, 3, 7, None])}
    if args["batch_size"] is not None and rng.random() < 0.5:
        args["drop_last"] = True
    iterable = rng.random() < 0.3
    if not iterable:
        kind = rng.randrange(4)
        if kind == 0:
            args["shuffle"] = True
        elif kind == 1:
            args["sampler"] = "t.utils.data.RandomSampler(data, True, 11)"
        elif kind == 2:
            args = {"batch_sampler": "[[0, 3], [2], [1, 1, 4]]"}
    if rng.random() < 0.5:
        args["generator"] = f"t.Generator().manual_seed({rng.randint(0, 99)})"
    return ", ".join(f"{k}={v}" for k, v in args.items()), iterable


LOADERS = [loader_setting(random.Random(i)) for i in range(40)]


@pytest.mark.parametrize("code, iterable", LOADERS, ids=range(len(LOADERS)))
def test_loaders_give_torchs_batches(code, iterable):
    """Two passes and the lengths, and the state of the default generator after them."""

    def run(t):
        t.manual_seed(11)
        data = Count(t, 13, 13) if iterable else rows(t)
        loader = eval(f"t.utils.data.DataLoader(data, {code})", {"t": t, "data": data})
        return (
            list(loader),
            len(loader),
            list(loader),
            len(iter(loader)) if not iterable else 0,
            t.rand(2),
        )

    agree(run)


def test_a_loader_warns_of_more_samples_than_were_promised():
    """Each sample too many, once ``len`` has been asked."""

    def run(t):
        loader = t.utils.data.DataLoader(Count(t, 4, 2), batch_size=1)
        before = len(list(loader))
        return before, len(loader), len(list(loader))

    agree(run)


def test_iterators_are_not_pickled():
    """A copy could not know what the other has given."""
    import pickle

    refuse(lambda t: pickle.dumps(iter(t.utils.data.DataLoader([1]))))


def test_timeouts_are_for_workers():
    """One process cannot interrupt itself."""
    refuse(lambda t: iter(t.utils.data.DataLoader([1], timeout=1)))
