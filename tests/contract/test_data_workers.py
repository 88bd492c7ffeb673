"""Loaders with workers: what they give against torch's, and what is left after faults."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

_PROGRAMS = Path(__file__).with_name("data_programs.py")

#: The texts are what the test waits for; the rest of a program is put in place of BODY.
_FAULTY = """
import gc, os, signal, sys, threading, time, warnings
import mindtorch as torch
from mindtorch.utils.data import DataLoader, Dataset, IterableDataset
import mindtorch.multiprocessing as mp
import mindtorch.utils.data._utils as utils

class Numbers(Dataset):
    def __init__(self, pause=0): self.pause = pause
    def __len__(self): return 2000
    def __getitem__(self, i):
        time.sleep(self.pause)
        return torch.full((1000,), i)

def gone(pids, seconds=4):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        alive = [p for p in pids if os.path.exists(f"/proc/{p}") and state(p) != "Z"]
        if not alive:
            return "gone"
        time.sleep(0.02)
    return f"alive {alive}"

def state(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"

def pids(it): return [w.pid for w in it._workers]

if __name__ == "__main__":
    warnings.simplefilter("ignore", ResourceWarning)
"""

FAULTS = {
    # What the program does, and what it prints.
    "a killed worker is noticed at once": (
        """
it = iter(DataLoader(Numbers(0.01), num_workers=2, batch_size=40))
ps, begin = pids(it), time.monotonic()
threading.Timer(0.1, os.kill, (ps[1], signal.SIGKILL)).start()
try:
    for _ in it: pass
except RuntimeError as error:
    print(str(error) == f"DataLoader worker (pid(s) {ps[1]}) exited unexpectedly", end=" ")
    print(str(error.__cause__) == f"DataLoader worker (pid {ps[1]}) is killed by signal: Killed. ")
print(time.monotonic() - begin < 3)
del it
print(gone(ps))
""",
        ["True True", "True", "gone"],
    ),
    "a worker that leaves is noticed": (
        """
class Leaves(Numbers):
    def __getitem__(self, i):
        time.sleep(0.3)
        return i if i == 0 else os._exit(7)
it = iter(DataLoader(Leaves(), num_workers=2))
ps = pids(it)
try:
    for _ in it: pass
except RuntimeError as error:
    text = str(error)
    print("exited unexpectedly" in text and str(ps[1]) in text)
    cause = str(error.__cause__ or error)
    print("with exit code 7. Details are lost due to multiprocessing. Rerunning" in cause)
""",
        ["True", "True"],
    ),
    "a killed worker is noticed in another thread": (
        """
utils.MP_STATUS_CHECK_INTERVAL = 0.2
from mindtorch.utils.data.dataloader import _MultiProcessingDataLoaderIter as Pass
Pass._try_get_data.__defaults__ = (0.2,)
def read():
    it = iter(DataLoader(Numbers(0.01), num_workers=1, batch_size=40))
    os.kill(pids(it)[0], signal.SIGKILL)
    try:
        for _ in it: pass
    except RuntimeError as error:
        print("exited unexpectedly" in str(error))
thread = threading.Thread(target=read)
thread.start(); thread.join()
""",
        ["True"],
    ),
    "an exception in the loop ends the workers": (
        """
def read():
    it = iter(DataLoader(Numbers(), num_workers=2))
    ps.extend(pids(it))
    for _ in it: raise KeyError
ps = []
try: read()
except KeyError: pass
print(gone(ps), mp.active_children())
""",
        ["gone []"],
    ),
    "an error of a worker ends them": (
        """
class Bad(Numbers):
    def __getitem__(self, i): raise ValueError("x")
def read():
    it = iter(DataLoader(Bad(), num_workers=2))
    ps.extend(pids(it))
    next(it)
ps = []
begin = time.monotonic()
try: read()
except ValueError as error: print(str(error).splitlines()[0])
print(gone(ps), time.monotonic() - begin < 3)
""",
        ["Caught ValueError in DataLoader worker process 0.", "gone True"],
    ),
    "an abandoned iterator ends its workers": (
        """
def read():
    it = iter(DataLoader(Numbers(), num_workers=2))
    ps.extend(pids(it))
    return next(it)
ps = []
read()
print(gone(ps))
""",
        ["gone"],
    ),
    "one that the collector finds ends them, too": (
        """
def read():
    it = iter(DataLoader(Numbers(), num_workers=2))
    ps.extend(pids(it))
    it.me = it
    next(it)
ps = []
gc.disable(); read(); begin = time.monotonic(); gc.collect()
print(gone(ps), time.monotonic() - begin < 3)
""",
        ["gone True"],
    ),
    "workers do not end their parent's iterators": (
        """
def read():
    it = iter(DataLoader(Numbers(), num_workers=1))
    it.me = it
    next(it)
gc.disable(); read()
class Collects(Numbers):
    def __getitem__(self, i):
        gc.collect()
        return i
kept = iter(DataLoader(Collects(), num_workers=1))
print([next(kept).item() for _ in range(3)])
""",
        ["[0, 1, 2]"],
    ),
    "no descriptors are left": (
        """
def read(n):
    for _ in zip(range(n), DataLoader(Numbers(), num_workers=2, batch_size=8)): pass
def descriptors():  # once the queues' own threads have closed theirs
    counts, until = [], time.monotonic() + 10
    while len(set(counts[-10:])) != 1 or len(counts) < 10:
        assert time.monotonic() < until, counts
        gc.collect()
        counts.append(len(os.listdir("/proc/self/fd")))
        time.sleep(0.05)
    return counts[-1]
read(9)
before = descriptors()
for n in (1, 30, 9999): read(n)
print(descriptors() - before)
""",
        ["0"],
    ),
    "streams of an accelerator do not keep a worker from anything": (
        """
stream = torch.npu.Stream()
with torch.npu.stream(stream):
    x = torch.ones(1000, device="npu") * 2
for pin in (False, True):
    for batch in DataLoader(Numbers(), num_workers=2, batch_size=1000, pin_memory=pin):
        print(batch.is_pinned(), batch.npu().sum().item(), x.sum().item())
""",
        [
            "False 499500000 2000.0",
            "False 1499500000 2000.0",
            "True 499500000 2000.0",
            "True 1499500000 2000.0",
        ],
    ),
    "pinned workers that stay end with the program": (
        """
loader = DataLoader(Numbers(), num_workers=1, pin_memory=True, persistent_workers=True)
print([next(iter(loader)).is_pinned() for _ in range(2)])
""",
        ["[True, True]"],
    ),
    "an error in pinning is raised": (
        """
class Bad(list):
    def pin_memory(self): raise ValueError("not pinned")
try:
    list(DataLoader([1], num_workers=1, pin_memory=True, collate_fn=Bad))
except ValueError as error:
    print(str(error).splitlines()[0])
""",
        ["Caught ValueError in pin memory thread for device 0."],
    ),
    "a batch that cannot be sent is an error": (
        """
def odd(batch):
    class Odd(Exception): pass
    raise Odd("odd")
for collate, text in ((lambda b: lambda: 1, "Can't pickle"), (odd, "Odd: odd")):
    begin, it = time.monotonic(), iter(DataLoader(Numbers(), num_workers=1, collate_fn=collate))
    try: next(it)
    except Exception as error:
        lines = str(error).splitlines()
        print(lines[0], text in lines[-1], time.monotonic() - begin < 4)
""",
        [
            "Caught AttributeError in DataLoader worker process 0. True True",
            "Caught RuntimeError in DataLoader worker process 0. True True",
        ],
    ),
    "a batch has as many tensors as it likes": (
        """
many = {str(i): torch.full((2,), i) for i in range(600)}
for batch in DataLoader([many] * 3, num_workers=2, batch_size=2):
    print(len(batch), sum(t.sum().item() for t in batch.values()))
""",
        ["600 718800", "600 359400"],
    ),
    "too many descriptors are an error": (
        """
import resource
it = iter(DataLoader([[torch.ones(1) for _ in range(300)]] * 3, batch_size=None, num_workers=1))
limits = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, limits[1]))
try: next(it)
except RuntimeError as error: print(str(error)[:20])
resource.setrlimit(resource.RLIMIT_NOFILE, limits)
it = iter(DataLoader([torch.ones(1) for _ in range(200)], batch_size=None, num_workers=1))
resource.setrlimit(resource.RLIMIT_NOFILE, (100, limits[1]))
try: kept = [x for x in it]
except RuntimeError as error: print(str(error)[:20])
resource.setrlimit(resource.RLIMIT_NOFILE, limits)
""",
        ["Too many open files."] * 2,
    ),
    "who draws while a worker is forked does not stop it": (
        """
torch.rand(1 << 16)  # so many that the engine is numpy's
generator = torch.default_generator
for lock in (generator.lock, generator._engine.lock):
    held, end = threading.Event(), threading.Event()
    def hold():
        with lock: held.set(); end.wait()
    thread = threading.Thread(target=hold)
    thread.start(); held.wait()
    class Drawn(Numbers):
        def __getitem__(self, i): return torch.rand(1).numel() + i
    loader = DataLoader(Drawn(), num_workers=1, generator=torch.Generator(), timeout=9)
    print(next(iter(loader)))
    end.set(); thread.join()
""",
        ["tensor([1])", "tensor([1])"],
    ),
    "memory by names is freed once": (
        """
mp.set_sharing_strategy("file_system")
print(sum(len(b) for b in DataLoader(Numbers(), num_workers=2, batch_size=700)))
mp.set_sharing_strategy("file_descriptor")
""",
        ["2000"],
    ),
    "the program's own handler still hears of its children": (
        """
heard = []
signal.signal(signal.SIGCHLD, lambda *_: heard.append(1))
signal.signal(signal.SIGTERM, lambda *_: heard.append(2))
it = iter(DataLoader(Numbers(0.2), num_workers=1))
next(it)
try:
    it._workers[0].terminate()
    list(it)
except RuntimeError as error: print("DataLoader worker (pid" in str(error))
child = mp.Process(target=int); child.start(); child.join()
print(set(heard))
""",
        ["True", "{1}"],
    ),
}


def started(body, **kwargs):
    """The process that runs a program with *body*."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return subprocess.Popen(
        [sys.executable, "-c", _FAULTY + lines],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **kwargs,
    )


def left(pid):
    """Processes of the session *pid*, and shared memory of theirs."""
    processes = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            facts = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(facts[3]) == pid and facts[0] != "Z":
            processes.append(stat.parent.name)
    names = {*processes, str(pid)}
    memory = [p.name for p in Path("/dev/shm").glob("torch_*") if p.name.split("_")[1] in names]
    return processes, memory


def nothing_left(pid, seconds=5):
    """Wait until nothing is left of the session *pid*; say what is."""
    end = time.monotonic() + seconds
    while left(pid) != ([], []) and time.monotonic() < end:
        time.sleep(0.05)
    return left(pid) == ([], [])


def test_workers_give_what_torchs_give():
    """Every line is the oracle's: batches, seeds, orders, errors, warnings."""
    sides = [
        subprocess.Popen(
            [sys.executable, str(_PROGRAMS), name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("mindtorch", "torch")
    ]
    ours, theirs = (side.communicate(timeout=300) for side in sides)
    assert [side.returncode for side in sides] == [0, 0], (ours[1], theirs[1])
    assert ours[0].splitlines() == theirs[0].splitlines()
    assert "Exception ignored" not in ours[1]


#: Programs that leave no trace in their process: they run in one, after each other.
TOGETHER = [
    "a killed worker is noticed at once",
    "a worker that leaves is noticed",
    "an exception in the loop ends the workers",
    "an error of a worker ends them",
    "an abandoned iterator ends its workers",
    "one that the collector finds ends them, too",
    "workers do not end their parent's iterators",
    "an error in pinning is raised",
    "a batch that cannot be sent is an error",
    "a batch has as many tensors as it likes",
    "too many descriptors are an error",
    "who draws while a worker is forked does not stop it",
]


def check(body, expected):
    """The program prints what it should, ends well, and leaves nothing."""
    process = started(body)
    out, err = process.communicate(timeout=60)
    assert (out.splitlines(), process.returncode) == (expected, 0), err
    assert err == ""
    assert nothing_left(process.pid), left(process.pid)


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in TOGETHER])
def test_faults(name):
    """Each in a process of its own."""
    check(*FAULTS[name])


def test_faults_of_one_process():
    """After each other; what is printed first says whose the lines are."""
    bodies = [
        f"print({name!r})\n{FAULTS[name][0]}\nit = kept = None; gc.enable()" for name in TOGETHER
    ]
    check("\n".join(bodies), [line for name in TOGETHER for line in (name, *FAULTS[name][1])])


@pytest.mark.parametrize("strategy", ["file_descriptor", "file_system"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_a_program_that_is_ended(strategy, how):
    """Ctrl-C for all of them, a polite and an impolite end of the parent."""
    process = started(
        f"""
mp.set_sharing_strategy("{strategy}")
utils.worker.MP_STATUS_CHECK_INTERVAL = 0.3
for i, _ in enumerate(DataLoader(Numbers(0.01), num_workers=2, batch_size=4)):
    if i == 3: print("now", flush=True)
"""
    )
    assert process.stdout.readline() == "now\n"
    if how == signal.SIGINT:
        os.killpg(process.pid, how)
    else:
        os.kill(process.pid, how)
    _, err = process.communicate(timeout=30)
    assert process.returncode == -how
    assert nothing_left(process.pid, 10), left(process.pid)
    if how == signal.SIGINT:
        assert err.count("Traceback") == 1 and "\nKeyboardInterrupt\n" in err
