"""Starting groups of several processes, and what becomes of the others when one fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .crew import free_port, needs_mpi, quiet_environment

pytestmark = needs_mpi

#: Sums the ranks, then does what its argument says in the last process while the others wait.
TRAIN = """
import datetime, os, sys, time
import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=float(sys.argv[2])))
rank, size = dist.get_rank(), dist.get_world_size()
x = torch.tensor([rank + 1.0])
dist.all_reduce(x)
env = os.environ
said = [rank, size, env["LOCAL_RANK"], env["LOCAL_WORLD_SIZE"], env["RANK"], env["WORLD_SIZE"]]
sys.stdout.write("said %s %s\\n" % (said, x.item()))
sys.stdout.flush()
how = sys.argv[1]
if rank == size - 1:
    if how == "raise":
        raise ValueError("no luck in this process")
    if how == "exit":
        sys.exit(7)
    if how == "kill":
        os.kill(os.getpid(), 9)
    if how == "hang":
        time.sleep(600)
if how != "well":
    dist.all_reduce(x)
dist.destroy_process_group()
"""

NPROC = ["-m", "mindtorch_cli", "run", "--nproc"]
MPIEXEC = str(Path(sys.executable).with_name("mpiexec"))


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(TRAIN)
    return str(path)


def shared_memory():
    return {p.name for p in Path("/dev/shm").glob("mpich*")} if os.path.isdir("/dev/shm") else set()


def stays_of(before):
    """What of shared memory has come since *before* and stays; other tests' worlds come and go."""
    left = shared_memory() - before
    until = time.monotonic() + 5
    while left and time.monotonic() < until:
        time.sleep(0.05)
        left &= shared_memory()
    return left


def alive(word):
    """The processes whose command line has *word*."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in each.read_text():
                found.append(each.parent.name)
        except OSError:
            pass
    return found


@pytest.fixture
def run(program):
    """Runs a command on the program; nothing of it may be left."""

    def start(*command, how="well", seconds=60):
        before = shared_memory()
        begin = time.monotonic()
        done = subprocess.run(
            [*command, program, how, str(seconds)],
            capture_output=True,
            text=True,
            timeout=100,
            env=quiet_environment(),
        )
        until = time.monotonic() + 5
        while alive(program) and time.monotonic() < until:
            time.sleep(0.05)
        assert not alive(program) and not stays_of(before)
        return done, time.monotonic() - begin

    return start


def nproc(count):
    return [sys.executable, *NPROC, str(count)]


def mpiexec(count):
    return [MPIEXEC, "-n", str(count), sys.executable, "-m", "mindtorch_cli", "run"]


def said(size):
    total = sum(range(1, size + 1))
    return sorted(
        f"said [{r}, {size}, '{r}', '{size}', '{r}', '{size}'] {float(total)}" for r in range(size)
    )


@pytest.mark.parametrize("launcher", [nproc, mpiexec])
def test_launchers_tell_programs_what_torchrun_tells(run, launcher):
    done, _ = run(*launcher(4))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split("\n"))[1:] == said(4)


def test_an_error_ends_all_and_is_shown_once(run):
    done, seconds = run(*nproc(2), how="raise")
    assert done.returncode == 1 and seconds < 30
    assert done.stderr.count("ValueError: no luck in this process") == 1
    assert "Connection closed" not in done.stderr
    assert "train.py FAILED" in done.stderr and "rank      : 1 (local_rank: 1)" in done.stderr


def test_a_killed_process_ends_all(run):
    done, seconds = run(*nproc(2), how="kill")
    assert done.returncode == 1 and seconds < 30
    assert "exitcode  : -9" in done.stderr and "Signal 9 (SIGKILL) received by PID" in done.stderr


def test_a_process_that_hangs_is_given_up_in_time(run):
    done, seconds = run(*nproc(2), how="hang", seconds=2)
    assert done.returncode == 1 and seconds < 30
    text = " Timed out waiting 2000ms for recv operation to complete"
    assert len(re.findall(rf"^RuntimeError: .*{text}", done.stderr, re.MULTILINE)) == 1
    assert "rank      : 0 (local_rank: 0)" in done.stderr


@pytest.mark.parametrize("how", ["raise", "exit"])
def test_mpiexec_ends_all_when_one_fails(run, how):
    done, seconds = run(*mpiexec(2), how=how)
    assert done.returncode and seconds < 30  # its own code, or the signal that mpiexec sends


def test_processes_are_started_again(tmp_path):
    script = tmp_path / "again.py"
    script.write_text(
        "import os, sys\n"
        "print('count', os.environ['TORCHELASTIC_RESTART_COUNT'], flush=True)\n"
        "sys.exit(os.environ['TORCHELASTIC_RESTART_COUNT'] == '0' and os.environ['RANK'] == '1')\n"
    )
    command = ["-m", "mindtorch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [sys.executable, *command, "--max-restarts", "1", "-r", "1", "--log-dir", tmp_path, script],
        capture_output=True,
        text=True,
        env=quiet_environment(),
    )
    assert done.returncode == 0, done.stderr
    logs = [p.read_text() for p in sorted(tmp_path.glob("*/attempt_1/*/stdout.log"))]
    assert logs == ["count 1\n", "count 1\n"] and done.stdout == ""


SPAWN = """
import os, sys
import mindtorch as torch
import mindtorch.distributed as dist
import mindtorch.multiprocessing as mp
from mindtorch.distributed.launcher import LaunchConfig, elastic_launch

def fill(rank, method, how):
    dist.init_process_group("gloo", init_method=method, rank=rank, world_size=2)
    x = torch.ones(2) * rank
    dist.all_reduce(x)
    if how == "raise" and rank == 1:
        raise ValueError("no luck")
    if how == "exit" and rank == 1:
        os._exit(3)
    dist.all_reduce(x)
    print(f"got {x.tolist()}\\n", end="", flush=True)  # one write, for two processes print at once

def count(extra):
    dist.init_process_group("gloo")
    found = [None] * dist.get_world_size()
    dist.all_gather_object(found, dist.get_rank() + extra)
    dist.destroy_process_group()
    return found

if __name__ == "__main__":
    method, how = sys.argv[1:]
    if how == "launch":
        config = LaunchConfig(1, 1, 2, rdzv_backend="static", max_restarts=0)
        print(elastic_launch(config, count)(10))
    else:
        try:
            mp.spawn(fill, (method, how), nprocs=2)
        except Exception as e:
            print(type(e).__name__, str(e).split("\\n")[2 if how == "raise" else 0])
            print(str(e).rstrip().split("\\n")[-1])
"""


@pytest.mark.parametrize(
    ("how", "want"),
    [
        ("well", ["got [2.0, 2.0]", "got [2.0, 2.0]"]),
        (
            "raise",
            [
                "ProcessRaisedException -- Process 1 terminated with the following error:",
                "ValueError: no luck",
            ],
        ),
        (
            "exit",
            [
                "ProcessExitedException process 1 terminated with exit code 3",
                "process 1 terminated with exit code 3",
            ],
        ),
        ("launch", ["{0: [10, 11], 1: [10, 11]}"]),
    ],
)
def test_functions_are_started_as_groups(tmp_path, how, want):
    """Under the names of gloo, by an address or a file."""
    script = tmp_path / "spawned.py"
    script.write_text(SPAWN)
    method = f"tcp://127.0.0.1:{free_port()}" if how == "well" else f"file://{tmp_path}/meeting"
    before = shared_memory()
    done = subprocess.run(
        [sys.executable, script, method, how],
        capture_output=True,
        text=True,
        timeout=100,
        env=quiet_environment(),
    )
    assert done.stdout.splitlines() == want, done.stderr
    assert not stays_of(before)


def test_processes_that_share_nothing_but_a_file_are_a_group(tmp_path):
    """Started by hand, one after the other."""
    code = (
        "import sys, mindtorch as t, mindtorch.distributed as d\n"
        f"d.init_process_group('gloo', init_method='file://{tmp_path}/meeting', "
        "rank=int(sys.argv[1]), world_size=3)\n"
        "x = t.ones(1); d.all_reduce(x); print(x.item()); d.destroy_process_group()\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(rank)],
            stdout=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for rank in range(3)
    ]
    assert [each.communicate(timeout=60)[0] for each in started] == ["3.0\n"] * 3


def test_a_process_may_have_one_group_after_the_other(tmp_path):
    """Of the same processes, in any order."""
    code = (
        "import sys, mindtorch as t, mindtorch.distributed as d\n"
        "rank = int(sys.argv[1])\n"
        "for name, mine in (('a', rank), ('b', 1 - rank)):\n"
        f"    d.init_process_group('gloo', init_method='file://{tmp_path}/' + name, rank=mine, "
        "world_size=2)\n"
        "    x = t.tensor([float(d.get_rank())])\n"
        "    d.broadcast(x, 1)\n"
        "    print(x.item(), d.get_rank())\n"
        "    d.destroy_process_group()\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(rank)],
            stdout=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for rank in range(2)
    ]
    found = [each.communicate(timeout=60)[0].split() for each in started]
    assert found == [["1.0", "0", "1.0", "1"], ["1.0", "1", "1.0", "0"]]


#: Begins MPI alone, in some processes, before the first group; what its words say follows then.
BEGUN_ALONE = """
import sys
import mindtorch as t, mindtorch.distributed as d
rank, who, how, place = int(sys.argv[1]), *sys.argv[2:]
if who == "all" or rank == 0:
    from mpi4py import MPI
    assert MPI.COMM_WORLD.Get_size() == 1
    if how == "ended":
        MPI.Finalize()
d.init_process_group("gloo", init_method=f"file://{place}", rank=rank, world_size=3)
x = t.full((70_000,), rank + 1.0)
d.all_reduce(x)
pair = d.new_group([0, 2])
if rank != 1:
    d.all_reduce(x, group=pair)
from mpi4py import MPI
print(x[0].item(), x[-1].item(), MPI.COMM_WORLD.Get_size(), MPI.COMM_WORLD.Get_rank(), flush=True)
if how == "fails":
    if rank == 1:
        raise SystemExit(7)
    d.all_reduce(x)
d.destroy_process_group()
"""


@pytest.mark.parametrize(
    ("who", "how"), [("all", "well"), ("first", "well"), ("first", "ended"), ("all", "fails")]
)
def test_processes_that_have_begun_mpi_alone_may_be_one_group(tmp_path, who, how):
    """The program goes on to see a world of one process, as it has before."""
    before = shared_memory()
    words = [sys.executable, "-c", BEGUN_ALONE]
    started = [
        subprocess.Popen(
            [*words, str(rank), who, how, str(tmp_path / "meeting")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for rank in range(3)
    ]
    printed = [each.communicate(timeout=60) for each in started]
    assert [out for out, _ in printed] == [
        *("12.0 12.0 1 0\n", "6.0 6.0 1 0\n", "12.0 12.0 1 0\n")
    ], printed
    codes = [each.returncode for each in started]
    assert codes == ([1, 7, 1] if how == "fails" else [0, 0, 0]), printed
    if how == "fails":
        assert "Connection closed by peer: rank 1 has ended" in printed[0][1]
    assert not stays_of(before)


def test_mpi_that_cannot_begin_again_is_told_in_words():
    code = (
        "import mindtorch.distributed as d\n"
        "from mpi4py import MPI\n"
        "MPI.Get_version = lambda: (3, 1)\n"
        "try:\n"
        "    d.init_process_group('gloo', store=d.HashStore(), rank=0, world_size=2)\n"
        "except RuntimeError as e:\n"
        "    print(e, MPI.COMM_WORLD.Get_size())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.startswith("the program has begun MPI in this process alone"), done.stderr
    assert "has no sessions, in which it could begin again" in done.stdout
    assert done.stdout.endswith(" 1\n")


def test_a_missing_mpi_is_told_in_words():
    code = (
        "import mindtorch.distributed as d, sys\n"
        "sys.modules['mpi4py'] = None\n"
        "try:\n"
        "    d.init_process_group('gloo', store=d.HashStore(), rank=0, world_size=2)\n"
        "except RuntimeError as e:\n"
        "    print(e, d.is_initialized())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == (
        "a process group of world_size 2 needs MPI, which is not installed: pip install "
        '"mindtorch[distributed]", or mpi4py and an MPI of your own False\n'
    ), done.stderr


@pytest.mark.parametrize("meets", ["numbered", "at an endpoint"])
def test_launches_of_several_hosts_are_one_group(program, meets):
    """Two launches on this host stand for two hosts."""
    port = str(free_port())
    words = [sys.executable, "-m", "mindtorch_cli", "run", "-m", "torch.distributed.run"]
    words += ["--nnodes", "2", "--nproc-per-node", "1"]
    if meets == "numbered":
        words += ["--master-addr", "127.0.0.1", "--master-port", port]
        hosts = [[*words, "--node-rank", str(node)] for node in range(2)]
    else:
        words += ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"localhost:{port}"]
        hosts = [[*words, "--rdzv-id", "job", "--local-addr", "127.0.0.1"]] * 2
    started = [
        subprocess.Popen(
            [*host, program, "well", "60"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for host in hosts
    ]
    printed = [each.communicate(timeout=90) for each in started]
    assert [each.returncode for each in started] == [0, 0], printed
    assert sorted(out for out, _ in printed) == [
        f"said [{r}, 2, '0', '1', '{r}', '2'] 3.0\n" for r in range(2)
    ]


def test_a_process_without_a_share_in_the_world_is_refused_in_words(tmp_path):
    """Processes that were in groups of two cannot be in one of three, nor can forked ones."""
    code = (
        "import os, sys, mindtorch as t, mindtorch.distributed as d\n"
        "rank = int(sys.argv[1])\n"
        f"place = 'file://{tmp_path}/'\n"
        "d.init_process_group('gloo', init_method=place + 'a', rank=rank, world_size=2)\n"
        "d.barrier()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    try:\n"
        "        d.all_reduce(t.ones(1))\n"
        "    except RuntimeError as e:\n"
        "        print(str(e).split(',')[0], flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "d.barrier()\n"
        "d.destroy_process_group()\n"
        "try:\n"
        "    d.init_process_group('gloo', store=d.PrefixStore(str(rank), d.HashStore()),\n"
        "                         rank=0, world_size=3)\n"
        "except RuntimeError as e:\n"
        "    print(str(e).split('.')[0], flush=True)\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(rank)],
            stdout=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for rank in range(2)
    ]
    forked = "this process was forked from one that had begun MPI"
    strangers = "the processes of this group are not of one MPI world"
    for each in started:
        assert each.communicate(timeout=60)[0].splitlines() == [forked, strangers]


def test_a_new_process_and_one_of_another_world_hear_at_once_that_they_are_strangers(tmp_path):
    code = (
        "import sys, mindtorch.distributed as d\n"
        "def group(name, rank):\n"
        f"    place = 'file://{tmp_path}/' + name\n"
        "    d.init_process_group('gloo', init_method=place, rank=rank, world_size=2)\n"
        "    d.barrier()\n"
        "    d.destroy_process_group()\n"
        "who = int(sys.argv[1])\n"
        "if who < 2:\n"
        "    group('a', who)\n"
        "if who > 0:\n"
        "    try:\n"
        "        group('b', who - 1)\n"
        "    except RuntimeError as e:\n"
        "        print(str(e).split('.')[0], flush=True)\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(who)],
            stdout=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        for who in range(3)
    ]
    said = "the processes of this group are not of one MPI world\n"
    assert [each.communicate(timeout=60)[0] for each in started] == ["", said, said]
