"""Programs started by others: torchrun, spawn, processes that share a model, workers, -m."""

import os
import subprocess
import sys
import tempfile
import textwrap

import torch
import torch.multiprocessing as mp
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


def _launch(words, text):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "train_it.py"), "w") as file:
            file.write(textwrap.dedent(text))
        door = ["-m", "mindtorch"] if "mindtorch" in sys.modules else []
        done = subprocess.run(
            [sys.executable, *door, *words],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=240,
            env=os.environ | {"GLOO_SOCKET_IFNAME": "lo"},
            check=False,
        )
        return [done.returncode, done.stdout.splitlines()]


TRAIN = """
    import os
    import torch, torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel as DDP

    def main():
        dist.init_process_group(backend="gloo")
        torch.manual_seed(0)
        print("rank", dist.get_rank(), "of", os.environ["WORLD_SIZE"], os.environ["LOCAL_RANK"])
        model = DDP(torch.nn.Linear(3, 2))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = model(torch.randn(4, 3)).square().mean()
            loss.backward()
            optimizer.step()
            print(f"{loss.item():.5f}")
        dist.destroy_process_group()

    if __name__ == "__main__":
        main()
"""


def step_torchrun():
    return _launch(
        ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=1", "train_it.py"], TRAIN
    )


def step_torchrun_fails():
    text = "import sys\nprint('begun')\nsys.exit(3)\n"
    code, lines = _launch(
        ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1", "train_it.py"], text
    )
    return [code != 0, lines]


def step_launch_module():
    return _launch(
        ["-m", "torch.distributed.launch", "--nproc_per_node=1", "--use_env", "train_it.py"], TRAIN
    )


def _spawned(rank, queue, offset):
    torch.manual_seed(rank)
    queue.put([rank, (torch.rand(2) + offset).tolist()])


def step_spawn():
    context = mp.get_context("spawn")
    queue = context.SimpleQueue()
    mp.spawn(_spawned, args=(queue, 1), nprocs=2, join=True)
    return sorted([queue.get(), queue.get()])


def _raises(rank):
    raise ValueError(f"no luck in {rank}")


def step_spawn_raises():
    try:
        mp.spawn(_raises, nprocs=1)
    except Exception as error:
        return [type(error).__name__, "no luck in 0" in str(error), "Traceback" in str(error)]
    return None


def _train(rank, model, x, y):
    torch.manual_seed(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    for _ in range(2):
        optimizer.zero_grad()
        F.nll_loss(F.log_softmax(model(x), -1), y).backward()
        optimizer.step()


def step_hogwild():
    """Processes train one shared model, one after another so that the values are known."""
    mp.set_start_method("spawn", force=True)
    model = nn.Linear(3, 2)
    model.share_memory()
    x, y = torch.randn(8, 3), torch.randint(0, 2, (8,))
    for rank in range(2):
        process = mp.Process(target=_train, args=(rank, model, x, y))
        process.start()
        process.join()
    return [model.weight, model.bias, model.weight.is_shared()]


def _send(queue, done):
    t = torch.arange(4.0)
    queue.put(t)
    queue.put({"a": [t, t[1:3]], "text": "words"})
    done.wait()


def step_queues():
    context = mp.get_context("spawn")
    queue, done = context.Queue(), context.Event()
    process = context.Process(target=_send, args=(queue, done))
    process.start()
    first, second = queue.get(), queue.get()
    found = [first.clone(), second["a"][1].clone(), second["text"], first.is_shared()]
    done.set()
    process.join()
    return [*found, process.exitcode]


def _square(x):
    return x * x


def step_pool():
    with mp.get_context("spawn").Pool(2) as pool:
        return pool.map(_square, [torch.tensor(float(i)) for i in range(4)])


class Numbers(Dataset):
    def __init__(self, size=12, fail=None):
        self.size, self.fail = size, fail

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        if i == self.fail:
            raise KeyError(f"sample {i}")
        return {"x": torch.full((2,), float(i)), "random": torch.rand(1), "name": f"n{i}"}


class Stream(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        start, step = (info.id, info.num_workers) if info else (0, 1)
        for i in range(start, 10, step):
            yield torch.tensor([i]), (info.seed % 1000 if info else 0)


def _seed(worker):
    torch.manual_seed(100 + worker)


def step_workers():
    generator = torch.Generator().manual_seed(4)
    loader = DataLoader(
        Numbers(),
        3,
        shuffle=True,
        num_workers=2,
        generator=generator,
        worker_init_fn=_seed,
        persistent_workers=True,
        prefetch_factor=2,
    )
    return [[[b["x"], b["random"], b["name"]] for b in loader] for _ in range(2)]


def step_worker_seeds():
    torch.manual_seed(5)
    return [[b["random"] for b in DataLoader(Numbers(), 3, num_workers=2)] for _ in range(2)]


def step_stream_workers():
    torch.manual_seed(6)
    return [[x, seed] for x, seed in DataLoader(Stream(), batch_size=2, num_workers=2)]


def step_worker_raises():
    try:
        list(DataLoader(Numbers(fail=5), 3, num_workers=2))
    except Exception as error:
        lines = str(error).splitlines()
        return [type(error).__name__, lines[0], lines[-1]]
    return None


def _keep(batch):
    return torch.stack([item["x"] for item in batch]).sum(0)


def step_collate():
    from torch.utils.data import default_collate, default_convert

    return [
        list(DataLoader(Numbers(5), 2, collate_fn=_keep, num_workers=1, drop_last=True)),
        default_collate([{"a": 1, "b": (2.0, "x")}, {"a": 3, "b": (4.0, "y")}]),
        default_convert({"a": [1, 2]}),
        [len(DataLoader(Numbers(5), None)), len(DataLoader(Numbers(5), 2))],
    ]


def step_module_tools():
    text = "import torch\nprint(torch.__name__, torch.nn.Linear.__module__)\n"
    return [_launch(["train_it.py"], text), _launch(["-m", "train_it"], text)]
