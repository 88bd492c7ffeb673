"""accelerate: preparing, training, gathering, mixed precision, saving, big models."""

import tempfile

import torch
from accelerate import (
    Accelerator,
    infer_auto_device_map,
    init_empty_weights,
    load_checkpoint_and_dispatch,
)
from accelerate.state import AcceleratorState, GradientState, PartialState
from accelerate.utils import (
    broadcast_object_list,
    find_executable_batch_size,
    gather_object,
    set_seed,
)
from torch.utils.data import DataLoader, TensorDataset


def _reset():
    for state in (AcceleratorState, GradientState, PartialState):
        state._reset_state()


def _data():
    x = torch.randn(32, 4, generator=torch.Generator().manual_seed(0))
    return TensorDataset(x, x.sum(1, keepdim=True))


def _train(**options):
    _reset()
    accelerator = Accelerator(cpu=True, **options)
    set_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    loader = DataLoader(_data(), batch_size=8, shuffle=True)
    model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
    losses = []
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = torch.nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        losses.append(accelerator.gather(loss.detach()).item())
    return accelerator, model, losses


def step_train():
    return _train()[2]


def step_accumulate():
    return _train(gradient_accumulation_steps=2)[2]


def step_bf16():
    return [round(x, 1) for x in _train(mixed_precision="bf16")[2]]


def step_state():
    accelerator = _train()[0]
    return [accelerator.num_processes, accelerator.is_main_process, str(accelerator.device)]


def step_save_state():
    accelerator, model, _ = _train()
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_state(folder)
        before = [p.detach().clone() for p in model.parameters()]
        with torch.no_grad():
            for p in model.parameters():
                p.zero_()
        accelerator.load_state(folder)
    return [torch.equal(a, b) for a, b in zip(before, model.parameters())]


def step_unwrap():
    accelerator, model, _ = _train()
    return [type(accelerator.unwrap_model(model)).__name__, list(accelerator.get_state_dict(model))]


def step_empty_weights():
    with init_empty_weights():
        model = torch.nn.Linear(1000, 1000)
    return [str(model.weight.device), infer_auto_device_map(model, {"cpu": "1GB"})]


def step_dispatch():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.state_dict(), f"{folder}/pytorch_model.bin")
        with init_empty_weights():
            empty = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
        loaded = load_checkpoint_and_dispatch(empty, f"{folder}/pytorch_model.bin", {"": "cpu"})
    x = torch.ones(1, 4)
    return [loaded(x), model(x)]


def step_objects():
    _train()
    return [gather_object([1, "a"]), broadcast_object_list([3])]


def step_batch_size():
    tried = []

    @find_executable_batch_size(starting_batch_size=16)
    def run(batch_size):
        tried.append(batch_size)
        if batch_size > 4:
            raise RuntimeError("CUDA out of memory.")
        return batch_size

    return [run(), tried]
