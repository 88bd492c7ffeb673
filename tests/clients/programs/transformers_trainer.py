"""transformers' Trainer: training, evaluation, checkpoints, schedulers, collators."""

import os
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import (
    DataCollatorWithPadding,
    GPT2Config,
    GPT2LMHeadModel,
    Trainer,
    TrainingArguments,
    get_cosine_schedule_with_warmup,
    get_linear_schedule_with_warmup,
    set_seed,
)


class Numbers(Dataset):
    def __init__(self, count=32, length=12):
        generator = torch.Generator().manual_seed(0)
        self.ids = torch.randint(1, 50, (count, length), generator=generator)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        return {"input_ids": self.ids[index], "labels": self.ids[index]}


def _model():
    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(n_layer=1, n_head=2, n_embd=16, vocab_size=50, n_positions=16)
    )


def _trainer(folder, **more):
    options = {
        "output_dir": folder,
        "per_device_train_batch_size": 8,
        "max_steps": 6,
        "logging_steps": 2,
        "report_to": [],
        "use_cpu": True,
        "seed": 1,
        "save_strategy": "no",
        "disable_tqdm": True,
    }
    return Trainer(
        model=_model(),
        args=TrainingArguments(**(options | more)),
        train_dataset=Numbers(),
        eval_dataset=Numbers(8),
    )


def step_train():
    with tempfile.TemporaryDirectory() as folder:
        trainer = _trainer(folder)
        out = trainer.train()
        return [out.training_loss, [e["loss"] for e in trainer.state.log_history if "loss" in e]]


def step_accumulate():
    with tempfile.TemporaryDirectory() as folder:
        return _trainer(folder, gradient_accumulation_steps=2, max_steps=3).train().training_loss


def step_evaluate():
    with tempfile.TemporaryDirectory() as folder:
        return _trainer(folder).evaluate()["eval_loss"]


def step_checkpoint_and_resume():
    with tempfile.TemporaryDirectory() as folder:
        _trainer(folder, save_strategy="steps", save_steps=3).train()
        names = sorted(os.listdir(os.path.join(folder, "checkpoint-3")))
        again = _trainer(folder, save_strategy="no")
        loss = again.train(resume_from_checkpoint=os.path.join(folder, "checkpoint-3"))
        return [names, loss.global_step, again.evaluate()["eval_loss"]]


def step_predict():
    with tempfile.TemporaryDirectory() as folder:
        return _trainer(folder).predict(Numbers(4)).predictions.sum()


def step_workers():
    with tempfile.TemporaryDirectory() as folder:
        return _trainer(folder, dataloader_num_workers=2).train().training_loss


def step_bf16():
    with tempfile.TemporaryDirectory() as folder:
        return round(_trainer(folder, bf16=True).train().training_loss, 1)


def step_schedules():
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    found = []
    for make in (get_linear_schedule_with_warmup, get_cosine_schedule_with_warmup):
        schedule = make(optimizer, 2, 10)
        for _ in range(10):
            optimizer.step()
            schedule.step()
            found.append(schedule.get_last_lr()[0])
    return found


def step_seed():
    set_seed(3)
    return torch.rand(3)


def step_optim_names():
    losses = []
    for name in ("adamw_torch", "sgd", "adafactor", "rmsprop"):
        with tempfile.TemporaryDirectory() as folder:
            losses.append(_trainer(folder, optim=name, max_steps=2).train().training_loss)
    return losses


def step_collator():
    return DataCollatorWithPadding.__name__
