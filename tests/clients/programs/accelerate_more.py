"""accelerate: hooks, offloading, batches skipped, metrics gathered, trackers, refusals."""

import os
import subprocess
import sys
import tempfile

import torch
from accelerate import (
    Accelerator,
    DeepSpeedPlugin,
    FullyShardedDataParallelPlugin,
    cpu_offload,
    disk_offload,
    dispatch_model,
    infer_auto_device_map,
    init_on_device,
    load_checkpoint_in_model,
    notebook_launcher,
    skip_first_batches,
)
from accelerate.hooks import ModelHook, SequentialHook, add_hook_to_module, remove_hook_from_module
from accelerate.local_sgd import LocalSGD
from accelerate.state import AcceleratorState, GradientState, PartialState
from accelerate.utils import (
    ProjectConfiguration,
    compute_module_sizes,
    concatenate,
    find_tied_parameters,
    get_balanced_memory,
    honor_type,
    load_state_dict,
    pad_across_processes,
    recursively_apply,
    send_to_device,
    set_module_tensor_to_device,
)
from torch.utils.data import DataLoader, TensorDataset


def _accelerator(**options):
    for state in (AcceleratorState, GradientState, PartialState):
        state._reset_state()
    return Accelerator(cpu=True, **options)


def _net():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))


def _loader(size=4, count=14):
    x = torch.arange(count * 4.0).reshape(count, 4) / 10
    return DataLoader(TensorDataset(x, torch.arange(count) % 2), batch_size=size)


X = torch.ones(2, 4)


def step_cpu_offload():
    model = cpu_offload(_net(), execution_device="cpu")
    return [model(X), str(next(model.parameters()).device)]


def step_disk_offload():
    with tempfile.TemporaryDirectory() as folder:
        model = disk_offload(_net(), folder, execution_device="cpu")
        return [model(X), sorted(os.listdir(folder))]


def step_dispatch():
    with tempfile.TemporaryDirectory() as folder:
        model = dispatch_model(
            _net(), {"0": "cpu", "1": "cpu", "2": "disk"}, main_device="cpu", offload_dir=folder
        )
        return model(X)


def step_hooks():
    class Twice(ModelHook):
        def pre_forward(self, module, *args, **kwargs):
            return (args[0] * 2,), kwargs

        def post_forward(self, module, output):
            return output + 1

    model = add_hook_to_module(_net(), SequentialHook(Twice(), Twice()))
    hooked = model(X)
    return [hooked, remove_hook_from_module(model)(X)]


def step_skipped():
    accelerator = _accelerator()
    loader = accelerator.prepare(_loader())
    return [x.sum() for x, _ in skip_first_batches(loader, 2)]


def step_metrics():
    accelerator = _accelerator()
    model, loader = accelerator.prepare(_net(), _loader())
    found = []
    for x, y in loader:
        with torch.no_grad():
            guess = model(x).argmax(-1)
        found += [g.tolist() for g in accelerator.gather_for_metrics((guess, y))]
    return found


def step_local_sgd():
    accelerator = _accelerator()
    model = _net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, _loader())
    with LocalSGD(accelerator=accelerator, model=model, local_sgd_steps=2, enabled=True) as local:
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            local.step()
    return loss.item()


def step_tracking():
    with tempfile.TemporaryDirectory() as folder:
        accelerator = _accelerator(log_with="tensorboard", project_dir=folder)
        accelerator.init_trackers("x", config={"lr": 0.1})
        accelerator.log({"loss": 1.5}, step=1)
        accelerator.end_training()
        return sorted(os.listdir(folder))


def step_checkpoints():
    with tempfile.TemporaryDirectory() as folder:
        project = ProjectConfiguration(folder, automatic_checkpoint_naming=True, total_limit=2)
        accelerator = _accelerator(project_config=project)
        model = _net()
        optimizer = torch.optim.AdamW(model.parameters())
        model, optimizer = accelerator.prepare(model, optimizer)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer.optimizer, 1)
        accelerator.register_for_checkpointing(schedule)
        for _ in range(3):
            accelerator.backward(model(X).sum())
            optimizer.step()
            schedule.step()
            accelerator.save_state()
        accelerator.load_state()
        return [sorted(os.listdir(f"{folder}/checkpoints")), schedule.get_last_lr(), model(X)]


def step_model_files():
    accelerator = _accelerator()
    model = accelerator.prepare(_net())
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_model(model, folder, max_shard_size="200B")
        other = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        load_checkpoint_in_model(other, folder)
        return [sorted(os.listdir(folder)), other(X)]


def step_state_of_a_file():
    from safetensors.torch import save_file

    with tempfile.TemporaryDirectory() as folder:
        save_file(_net().state_dict(), f"{folder}/m.safetensors", metadata={"format": "pt"})
        return load_state_dict(f"{folder}/m.safetensors", device_map={"": "cpu"})


def step_places():
    with init_on_device(torch.device("meta")):
        model = torch.nn.Sequential(*[torch.nn.Linear(100, 100) for _ in range(4)])
    sizes = compute_module_sizes(model)
    return [
        dict(sizes),
        infer_auto_device_map(model, {0: 60000, "cpu": 90000, "disk": 10**9}),
        get_balanced_memory(model, {"cpu": 10**6}),
    ]


def step_tied():
    model = _net()
    model.add_module("3", torch.nn.Linear(4, 8))
    model[3].weight = model[0].weight
    return [sorted(x) for x in find_tied_parameters(model)]


def step_set_tensor():
    with init_on_device(torch.device("meta")):
        model = torch.nn.Linear(2, 2)
    set_module_tensor_to_device(model, "weight", "cpu", value=torch.ones(2, 2))
    set_module_tensor_to_device(model, "bias", "cpu", value=torch.zeros(2), dtype=torch.float16)
    return [str(model.bias.dtype), model.weight, str(type(model.weight).__name__)]


def step_nested():
    data = {"a": (X, [X + 1]), "b": X * 2}
    moved = send_to_device(data, "cpu")
    return [
        recursively_apply(lambda t: t.sum(), moved),
        concatenate([data, data]),
        honor_type((1, 2), [3, 4]),
        pad_across_processes(X),
    ]


def step_autocast():
    accelerator = _accelerator(mixed_precision="bf16")
    model = accelerator.prepare(_net())
    with accelerator.autocast():
        inside = torch.nn.Linear(4, 2)(X).dtype
    return [str(model(X).dtype), str(inside)]


def step_trigger():
    accelerator = _accelerator()
    accelerator.set_trigger()
    return [accelerator.check_trigger(), accelerator.check_trigger()]


def step_unequal_batches():
    accelerator = _accelerator(split_batches=True, even_batches=False)
    return [len(x) for x, _ in accelerator.prepare(_loader(5))]


def step_profile():
    from accelerate.utils import ProfileKwargs

    accelerator = _accelerator(kwargs_handlers=[ProfileKwargs(activities=["cpu"])])
    model = accelerator.prepare(_net())
    with accelerator.profile() as prof:
        model(X)
    return any("addmm" in e.key for e in prof.key_averages())


def step_notebook():
    for state in (AcceleratorState, GradientState, PartialState):
        state._reset_state()
    seen = []
    notebook_launcher(lambda n: seen.append(n), (3,), num_processes=1)
    return seen


SCRIPT = """
import torch
from accelerate import Accelerator
accelerator = Accelerator()
model = accelerator.prepare(torch.nn.Linear(2, 1))
print("ran on", accelerator.device, accelerator.num_processes, model(torch.ones(1, 2)).shape)
"""


def step_launch():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.py")
        with open(path, "w") as file:
            file.write(SCRIPT)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "accelerate.commands.launch",
                "--cpu",
                "--num_processes=1",
                path,
            ],
            capture_output=True,
            text=True,
        )
        return [done.returncode, done.stdout]


def step_refused():
    found = []
    for make in (
        lambda: _accelerator(mixed_precision="fp16"),
        lambda: _accelerator(mixed_precision="fp8"),
        lambda: _accelerator(deepspeed_plugin=DeepSpeedPlugin()),
        lambda: _accelerator(fsdp_plugin=FullyShardedDataParallelPlugin()).distributed_type,
        lambda: _accelerator(mixed_precision="nothing"),
    ):
        try:
            found.append(str(make())[:10])
        except Exception as error:
            found.append([type(error).__name__, str(error)[:80]])
    return found
