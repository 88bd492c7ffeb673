"""transformers' Trainer with its many options."""

import os
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset, IterableDataset
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    EarlyStoppingCallback,
    GPT2Config,
    GPT2LMHeadModel,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5Config,
    T5ForConditionalGeneration,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    get_scheduler,
)


class Rows(Dataset):
    def __init__(self, count=24, length=8, labels=None):
        generator = torch.Generator().manual_seed(0)
        self.ids = torch.randint(3, 40, (count, length), generator=generator)
        self.labels = self.ids if labels is None else torch.arange(count) % labels

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, at):
        return {"input_ids": self.ids[at], "labels": self.labels[at]}


class Stream(IterableDataset):
    def __iter__(self):
        yield from (Rows()[i] for i in range(24))


def _gpt2():
    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(n_layer=1, n_head=2, n_embd=16, vocab_size=40, n_positions=16)
    )


def _bert():
    torch.manual_seed(0)
    return BertForSequenceClassification(
        BertConfig(
            vocab_size=40,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            num_labels=3,
        )
    )


OPTIONS = {
    "per_device_train_batch_size": 8,
    "max_steps": 4,
    "logging_steps": 1,
    "report_to": [],
    "use_cpu": True,
    "seed": 1,
    "save_strategy": "no",
    "disable_tqdm": True,
}


def _run(model=None, data=None, kind=Trainer, arguments=TrainingArguments, more=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        trainer = kind(
            model=model or _gpt2(),
            args=arguments(output_dir=folder, **(OPTIONS | options)),
            train_dataset=data or Rows(),
            **({"eval_dataset": Rows(8)} | (more or {})),
        )
        trainer.train()
        names = sorted(n for n in os.listdir(folder) if n.startswith("checkpoint"))
    kept = ("loss", "grad_norm", "learning_rate", "eval_loss", "eval_accuracy")
    log = [{k: e[k] for k in kept if k in e} for e in trainer.state.log_history]
    return [log, names]


def _with(**options):
    return lambda: _run(**options)


CASES = {
    "label_smoothing": {"label_smoothing_factor": 0.1},
    "warmup": {"warmup_steps": 2, "lr_scheduler_type": "cosine"},
    "constant": {"lr_scheduler_type": "constant_with_warmup", "warmup_steps": 1},
    "polynomial": {"lr_scheduler_type": "polynomial"},
    "restarts": {"lr_scheduler_type": "cosine_with_restarts"},
    "inverse_root": {"lr_scheduler_type": "inverse_sqrt", "warmup_steps": 1},
    "minimum_rate": {
        "lr_scheduler_type": "cosine_with_min_lr",
        "lr_scheduler_kwargs": {"min_lr": 1e-5},
    },
    "plateau": {
        "lr_scheduler_type": "reduce_lr_on_plateau",
        "eval_strategy": "steps",
        "eval_steps": 1,
    },
    "epochs": {"max_steps": -1, "num_train_epochs": 2},
    "eval_each_epoch": {"max_steps": -1, "num_train_epochs": 2, "eval_strategy": "epoch"},
    "checkpoints_kept": {"save_strategy": "steps", "save_steps": 1, "save_total_limit": 2},
    "best_kept": {
        "save_strategy": "steps",
        "save_steps": 2,
        "eval_strategy": "steps",
        "eval_steps": 2,
        "load_best_model_at_end": True,
    },
    "checkpointing": {"gradient_checkpointing": True},
    "no_clipping": {"max_grad_norm": 0.0},
    "decay": {"weight_decay": 0.1, "adam_beta1": 0.8},
    "compiled": {"torch_compile": True},
    "accumulation": {"gradient_accumulation_steps": 2, "max_steps": 2},
    "pinned": {"dataloader_pin_memory": True, "dataloader_drop_last": True},
    "workers": {"dataloader_num_workers": 1, "dataloader_persistent_workers": True},
    "noise": {"neftune_noise_alpha": 5.0},
    "full_determinism": {"full_determinism": True},
    "auto_batch": {"auto_find_batch_size": True},
    "stream": {"data": Stream()},
    "nan_logs": {"logging_nan_inf_filter": False, "logging_first_step": True},
    "token_speed": {"include_num_input_tokens_seen": True},
    "averaged_tokens": {"average_tokens_across_devices": False},
}
for case, options in CASES.items():
    globals()[f"step_{case}"] = _with(**options)
for name in "adamw_torch_fused adafactor adagrad rmsprop sgd nadamw_torch".split():
    globals()[f"step_optimizer_{name}"] = _with(optim=name)


def _accuracy(found):
    return {"accuracy": float((np.argmax(found.predictions, -1) == found.label_ids).mean())}


def step_metrics():
    return _run(
        _bert(),
        Rows(labels=3),
        eval_strategy="steps",
        eval_steps=2,
        more={"compute_metrics": _accuracy, "eval_dataset": Rows(8, labels=3)},
    )


def step_logits_for_metrics():
    more = {
        "compute_metrics": lambda p: {"accuracy": float((p.predictions == p.label_ids).mean())},
        "preprocess_logits_for_metrics": lambda logits, labels: logits.argmax(-1),
    }
    return _run(eval_strategy="steps", eval_steps=2, eval_accumulation_steps=1, more=more)


def step_by_length():
    class Ragged(Rows):
        def __getitem__(self, at):
            length = 3 + at % 5
            return {"input_ids": self.ids[at, :length], "labels": self.ids[at, :length]}

    def collate(rows):
        pad = torch.nn.utils.rnn.pad_sequence
        ids = pad([r["input_ids"] for r in rows], batch_first=True)
        return {"input_ids": ids, "labels": ids.masked_fill(ids == 0, -100)}

    return _run(
        data=Ragged(),
        train_sampling_strategy="group_by_length",
        more={"data_collator": collate, "eval_dataset": None},
    )


def step_callbacks():
    seen = []

    class Watch(TrainerCallback):
        def on_step_end(self, args, state, control, **rest):
            seen.append(["step", state.global_step, sorted(rest)[:3]])
            if state.global_step == 2:
                control.should_training_stop = True
            return control

        def on_train_end(self, args, state, control, **rest):
            seen.append(["end", state.global_step])

    return [_run(more={"callbacks": [Watch()]}), seen]


def step_early_stopping():
    return _run(
        learning_rate=0.0,
        max_steps=10,
        save_strategy="steps",
        save_steps=1,
        eval_strategy="steps",
        eval_steps=1,
        load_best_model_at_end=True,
        metric_for_best_model="loss",
        more={"callbacks": [EarlyStoppingCallback(2)]},
    )


def step_own_loss():
    class Own(Trainer):
        def compute_loss(self, model, inputs, return_outputs=False, **rest):
            labels = inputs.pop("labels")
            out = model(**inputs)
            weights = torch.tensor([1.0, 2.0, 0.5])
            loss = torch.nn.functional.cross_entropy(out.logits, labels, weight=weights)
            return (loss, out) if return_outputs else loss

    return _run(_bert(), Rows(labels=3), kind=Own, more={"eval_dataset": None})


def step_own_optimizer():
    model = _gpt2()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    return _run(model, more={"optimizers": (optimizer, schedule)})


def step_model_init():
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            model_init=_gpt2,
            args=TrainingArguments(output_dir=folder, **OPTIONS),
            train_dataset=Rows(),
        )
        first = trainer.train().training_loss
        return [first, trainer.train().training_loss]


def step_sequences():
    torch.manual_seed(0)
    model = T5ForConditionalGeneration(
        T5Config(
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            vocab_size=40,
            decoder_start_token_id=0,
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        trainer = Seq2SeqTrainer(
            model=model,
            args=Seq2SeqTrainingArguments(
                output_dir=folder, predict_with_generate=True, generation_max_length=6, **OPTIONS
            ),
            train_dataset=Rows(),
            eval_dataset=Rows(4),
        )
        loss = trainer.train().training_loss
        return [loss, trainer.predict(Rows(4)).predictions.tolist()]


def step_resume():
    with tempfile.TemporaryDirectory() as folder:
        options = OPTIONS | {"save_strategy": "steps", "save_steps": 2, "output_dir": folder}
        Trainer(model=_gpt2(), args=TrainingArguments(**options), train_dataset=Rows()).train()
        again = Trainer(
            model=_gpt2(),
            args=TrainingArguments(**(options | {"max_steps": 6})),
            train_dataset=Rows(),
        )
        again.train(resume_from_checkpoint=True)
        return [again.state.global_step, [e.get("loss") for e in again.state.log_history]]


def step_saved_model():
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            model=_gpt2(),
            args=TrainingArguments(output_dir=folder, **OPTIONS),
            train_dataset=Rows(),
        )
        trainer.train()
        trainer.save_model()
        trainer.save_state()
        trainer.log_metrics("train", {"train_loss": 1.0})
        args = torch.load(f"{folder}/training_args.bin", weights_only=False)
        again = GPT2LMHeadModel.from_pretrained(folder).eval()
        ids = torch.arange(6)[None] + 3
        return [sorted(os.listdir(folder)), args.seed, again(ids).logits]


def step_half():
    return [round(e["loss"], 1) for e in _run(bf16=True)[0] if "loss" in e]


def step_half_evaluation():
    log = _run(bf16_full_eval=True, eval_strategy="steps", eval_steps=4)[0]
    return [round(e["eval_loss"], 1) for e in log if "eval_loss" in e]


def step_schedules():
    found = []
    for name in "linear cosine constant polynomial inverse_sqrt warmup_stable_decay".split():
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
        more = {"scheduler_specific_kwargs": {"num_decay_steps": 3}} if "stable" in name else {}
        schedule = get_scheduler(name, optimizer, 2, 10, **more)
        for _ in range(9):
            optimizer.step()
            schedule.step()
            found.append(schedule.get_last_lr()[0])
    return found


def step_refused():
    found = []
    for wrong in (
        {"fp16": True},
        {"tf32": True},
        {"optim": "nothing"},
        {"optim": "adamw_8bit"},
        {"deepspeed": "none.json"},
    ):
        try:
            _run(**wrong)
            found.append("fine")
        except Exception as error:
            found.append([type(error).__name__, str(error)[:70]])
    return found
