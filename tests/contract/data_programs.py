"""Programs with loaders' workers, which print what they see: run with the name of a framework."""

from __future__ import annotations

import gc
import importlib
import itertools
import random
import re
import sys
import time
import warnings
from collections import namedtuple

import numpy as np

# Spawned workers import this module under another name, with the same arguments.
torch = importlib.import_module(sys.argv[1])
data = importlib.import_module(f"{torch.__name__}.utils.data")
mp = importlib.import_module(f"{torch.__name__}.multiprocessing")
Point = namedtuple("Point", "x y")


def plain(value):
    """*value* without tensors."""
    if isinstance(value, torch.Tensor):
        return f"{value.dtype} {value.tolist()}".replace("mindtorch", "torch")
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(v) for v in value]
    return value


class Random(data.Dataset):
    """Numbers of all generators, and what the worker knows of itself."""

    def __len__(self):
        return 7

    def __getitem__(self, i):
        info = data.get_worker_info()
        known = (info.id, info.num_workers, info.dataset is self, torch.get_num_threads())
        seeds = (info.seed == torch.initial_seed(), info.seed % 1000)
        return i, random.random(), np.random.rand(), torch.rand(1), (*known, *seeds)


class Kinds(data.Dataset):
    """Samples with all kinds of members."""

    def __len__(self):
        return 5

    def __getitem__(self, i):
        return {
            "t": torch.arange(3) + i,
            "half": torch.full((2,), i, dtype=torch.bfloat16),
            "odd": torch.arange(6).reshape(2, 3).t() + i,
            "empty": torch.ones(0, 2),
            "array": np.arange(2) + i,
            "n": i,
            "x": i / 2,
            "s": f"s{i}",
            "p": Point(i, [i, (i,)]),
        }


class Stream(data.IterableDataset):
    """Each worker every so-manieth number."""

    def __init__(self, n, length=None, split=True):
        self.n, self.length, self.split = n, length, split

    def __iter__(self):
        info = data.get_worker_info()
        if info is None or not self.split:
            return iter(range(self.n))
        return iter(range(info.id, self.n, info.num_workers))

    def __len__(self):
        if self.length is None:
            raise TypeError("no length")
        return self.length

    def __repr__(self):
        return "Stream"


class Bad(data.Dataset):
    """Raises *error* at 3."""

    def __init__(self, kind, *args):
        self.kind, self.args = kind, args

    def __len__(self):
        return 6

    def __getitem__(self, i):
        if i == 3:
            raise self.kind(*self.args)
        return i


class Slow(data.Dataset):
    """The first sample of the first worker takes its time."""

    def __len__(self):
        return 6

    def __getitem__(self, i):
        if i == 0:
            time.sleep(0.8)
        return i


def started(worker_id):
    random.seed(worker_id)
    torch.manual_seed(worker_id + 5)


def refuses(worker_id):
    raise ValueError(f"worker {worker_id} does not begin")


def no_line_numbers(text):
    """A traceback without the lines of the framework's own files."""
    kept = []
    lines = iter(text.splitlines())
    for line in lines:
        if re.match(r'  File ".*(torch|collate|worker|fetch).*", line', line):
            for following in itertools.takewhile(lambda x: x.startswith("    "), lines):
                del following
            continue
        kept.append(re.sub(r"line \d+", "line N", line))
    return kept[:2] + kept[-1:]


def outcome(run):
    """What *run* gives, raises and warns about."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            got = plain(run())
        except Exception as error:
            got = (type(error).__name__, no_line_numbers(str(error)))
    texts = [str(w.message) for w in heard if "worker processes in total" not in str(w.message)]
    return got, texts


def passes(dataset, n=2, **kwargs):
    """The batches of *n* passes, then what the default generator gives."""
    loader = data.DataLoader(dataset, **kwargs)
    return [list(loader) for _ in range(n)], torch.rand(1)


def seeded(k):
    return torch.Generator().manual_seed(k)


def in_order_of_workers():
    loader = data.DataLoader(Slow(), num_workers=2, in_order=False, batch_size=1)
    got = [int(b) for b in loader]
    return sorted(got), got[-1] == 0 or got[0] != 0


def left_early():
    loader = data.DataLoader(range(40), num_workers=2, persistent_workers=True)
    first = [b.item() for b, _ in zip(loader, range(3))]
    return first, [b.item() for b in loader][:5], len(loader._iterator._workers)


def ends():
    """After the last batch an iterator stays at its end."""
    it = iter(data.DataLoader(range(3), num_workers=2))
    list(it)
    return (
        next(it, "end"),
        [w.is_alive() for w in it._workers],
        sorted(set(vars(it)) - {"_made_in"}),
    )


def shared():
    """Batches lie in memory that the worker has shared."""
    batch = next(iter(data.DataLoader(Kinds(), batch_size=2, num_workers=1)))
    return [batch[k].is_shared() for k in ("t", "half", "odd", "array", "n", "x")]


def cached():
    """A tensor that a worker keeps goes by its memory."""
    kept = torch.arange(4)
    loader = data.DataLoader([kept[:2], kept[2:]], batch_size=None, num_workers=1)
    return list(loader), kept


def sums(batch):
    return torch.stack([torch.as_tensor(b) for b in batch]).sum().reshape(1)


PROGRAMS = {
    "numbers drawn by workers": lambda: passes(Random(), num_workers=2, generator=seeded(1)),
    "numbers from the default generator": lambda: passes(Random(), num_workers=2, batch_size=3),
    "numbers after another start": lambda: passes(
        Random(), 1, num_workers=2, worker_init_fn=started, generator=seeded(2)
    ),
    "workers that stay": lambda: passes(
        Random(), 3, num_workers=2, persistent_workers=True, generator=seeded(3), shuffle=True
    ),
    "all kinds of members": lambda: passes(Kinds(), 1, batch_size=2, num_workers=2),
    "samples one by one": lambda: passes(Kinds(), 1, batch_size=None, num_workers=1),
    "shuffled": lambda: passes(range(11), 2, batch_size=3, shuffle=True, num_workers=2),
    "shuffled by a generator": lambda: passes(
        range(11), 2, batch_size=2, shuffle=True, num_workers=2, generator=seeded(4), drop_last=True
    ),
    "a collate function": lambda: passes(
        range(9), 1, batch_size=4, num_workers=2, collate_fn=sums, prefetch_factor=1
    ),
    "a batch sampler": lambda: passes(range(9), 1, batch_sampler=[[1], [2, 3]], num_workers=2),
    "a stream": lambda: passes(Stream(11), 2, batch_size=2, num_workers=2),
    "a stream, drop_last": lambda: passes(
        Stream(11), 1, batch_size=2, num_workers=3, drop_last=True
    ),
    "a stream of workers that stay": lambda: passes(
        Stream(7), 3, batch_size=2, num_workers=2, persistent_workers=True
    ),
    "a stream longer than promised": lambda: (lambda loader: (len(loader), len(list(loader))))(
        data.DataLoader(Stream(3, 3, False), num_workers=2)
    ),
    "more workers than batches": lambda: passes(range(2), 2, num_workers=4),
    "no samples": lambda: passes([], 2, num_workers=2),
    "out of order": in_order_of_workers,
    "a pass left early": left_early,
    "an iterator at its end": ends,
    "batches in shared memory": shared,
    "tensors as they are": cached,
    "a ValueError": lambda: passes(Bad(ValueError, "x"), 1, num_workers=2),
    "a KeyError": lambda: passes(Bad(KeyError, "x"), 1, num_workers=1),
    "an error of two arguments": lambda: passes(
        Bad(UnicodeDecodeError, "utf8", b"a", 0, 1, "r"), 1, num_workers=1
    ),
    "a StopIteration of a map": lambda: passes(Bad(StopIteration), 1, num_workers=1),
    "a batch that is not collated": lambda: passes([{1}, {2}], 1, num_workers=1),
    "a worker that does not begin": lambda: passes([1], 1, num_workers=1, worker_init_fn=refuses),
    "a batch that takes too long": lambda: passes(Slow(), 1, num_workers=1, timeout=0.2),
    "after an error the rest": lambda: rest_after_error(),
    "pipes": lambda: passes(
        importlib.import_module(f"{data.__name__}.datapipes.iter")
        .IterableWrapper(range(12))
        .shuffle()
        .sharding_filter(),
        2,
        batch_size=3,
        num_workers=2,
        generator=seeded(9),
    ),
    "spawned": lambda: passes(
        Random(), 1, num_workers=1, multiprocessing_context="spawn", generator=seeded(5)
    ),
    "from a fork server": lambda: passes(
        Kinds(),
        1,
        num_workers=1,
        batch_size=5,
        multiprocessing_context=mp.get_context("forkserver"),
    ),
    "by names": lambda: by_names(),
    "what cannot be sent to a spawned worker": lambda: passes(
        [lambda: 1], 1, num_workers=1, multiprocessing_context="spawn"
    ),
}


def rest_after_error():
    it = iter(data.DataLoader(Bad(ValueError, "x"), num_workers=2))
    got = []
    while True:
        try:
            got.append(next(it).item())
        except StopIteration:
            return got
        except ValueError as error:
            got.append(type(error).__name__)


def by_names():
    before = mp.get_sharing_strategy()
    mp.set_sharing_strategy("file_system")
    try:
        return passes(Kinds(), 1, batch_size=2, num_workers=2)
    finally:
        mp.set_sharing_strategy(before)


if __name__ == "__main__":
    torch.set_num_threads(1)
    data._utils.MP_STATUS_CHECK_INTERVAL = 0.2  # how long the oracle waits for some workers' end
    for name, program in PROGRAMS.items():
        torch.manual_seed(3)
        print(f"{name}: {outcome(program)}", flush=True)
        gc.collect()  # workers of the next would inherit what waits to be collected
