"""datasets, evaluate, trl and safetensors' own corners, as training scripts use them."""

import os
import tempfile

import numpy as np
import torch
from datasets import Dataset, DatasetDict, concatenate_datasets, load_from_disk
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file, save_model
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from torch.utils.data import DataLoader
from transformers import (
    AutoModelForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    LlamaForSequenceClassification,
    PreTrainedTokenizerFast,
)

TEXTS = ["the cat sat on the mat", "a dog ran in the park", "the dog and the cat", "big green park"]


def _rows():
    return Dataset.from_dict({"x": [[float(i), i + 1.0] for i in range(10)], "y": list(range(10))})


def step_as_tensors():
    data = _rows().with_format("torch")
    return [data[0], data[2:5]["x"], str(data[0]["y"].dtype)]


def step_loader():
    data = _rows().with_format("torch").shuffle(seed=1)
    return [{k: v for k, v in batch.items()} for batch in DataLoader(data, batch_size=4)]


def step_columns():
    data = _rows().map(lambda r: {"z": torch.tensor(r["x"]).sum().item()})
    data.set_format(type="torch", columns=["z", "y"], dtype=torch.float64)
    return [data[:3], data.filter(lambda r: r["y"] > 6)["y"][:]]


def step_batches_of_tensors():
    return _rows().map(lambda r: {"w": torch.tensor(r["x"]) * 2}, batched=True)[1]


def step_from_tensors():
    data = Dataset.from_dict({"t": torch.arange(6).reshape(3, 2).numpy(), "u": [torch.ones(2)] * 3})
    return data.with_format("torch")[:]


def step_stream():
    data = _rows().to_iterable_dataset(num_shards=2).with_format("torch")
    return [row["x"] for row in data.take(3)]


def step_stored():
    with tempfile.TemporaryDirectory() as folder:
        parts = DatasetDict(train=_rows(), test=concatenate_datasets([_rows(), _rows()]))
        parts.save_to_disk(folder)
        again = load_from_disk(folder).with_format("torch")
        return [again["train"][3], len(again["test"])]


def step_split_for_training():
    parts = _rows().train_test_split(0.3, seed=0)
    return [sorted(parts["train"]["y"]), parts["test"]["y"][:]]


def _tokenizer():
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["[PAD]", "[UNK]", "[EOS]"]
    tokenizer.train_from_iterator(TEXTS, trainers.WordLevelTrainer(special_tokens=special))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", eos_token="[EOS]"
    )


def _llama(kind=LlamaForCausalLM, **more):
    torch.manual_seed(0)
    return kind(
        LlamaConfig(
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            vocab_size=30,
            max_position_embeddings=64,
            pad_token_id=0,
            eos_token_id=2,
            **more,
        )
    )


COMMON = {
    "max_steps": 2,
    "per_device_train_batch_size": 2,
    "logging_steps": 1,
    "report_to": [],
    "use_cpu": True,
    "bf16": False,
    "save_strategy": "no",
    "disable_tqdm": True,
    "gradient_checkpointing": False,
    "seed": 0,
}
KEPT = ("loss", "grad_norm", "rewards/accuracies", "entropy", "mean_token_accuracy", "accuracy")


def _log(trainer):
    trainer.train()
    return [{k: e[k] for k in KEPT if k in e} for e in trainer.state.log_history]


def step_supervised():
    from trl import SFTConfig, SFTTrainer

    with tempfile.TemporaryDirectory() as folder:
        return _log(
            SFTTrainer(
                model=_llama(),
                args=SFTConfig(output_dir=folder, max_length=16, **COMMON),
                train_dataset=Dataset.from_dict({"text": TEXTS}),
                processing_class=_tokenizer(),
            )
        )


def step_preferences():
    from trl import DPOConfig, DPOTrainer

    data = Dataset.from_dict(
        {"prompt": TEXTS, "chosen": [" big cat"] * 4, "rejected": [" green dog ran"] * 4}
    )
    with tempfile.TemporaryDirectory() as folder:
        return _log(
            DPOTrainer(
                model=_llama(),
                ref_model=_llama(),
                args=DPOConfig(output_dir=folder, max_length=16, **COMMON),
                train_dataset=data,
                processing_class=_tokenizer(),
            )
        )


def step_rewards():
    from trl import RewardConfig, RewardTrainer

    data = Dataset.from_dict({"chosen": TEXTS, "rejected": TEXTS[::-1]})
    with tempfile.TemporaryDirectory() as folder:
        return _log(
            RewardTrainer(
                model=_llama(LlamaForSequenceClassification, num_labels=1),
                args=RewardConfig(output_dir=folder, max_length=16, **COMMON),
                train_dataset=data,
                processing_class=_tokenizer(),
            )
        )


def step_groups_of_answers():
    from trl import GRPOConfig, GRPOTrainer

    with tempfile.TemporaryDirectory() as folder:
        options = COMMON | {"per_device_train_batch_size": 4}
        trainer = GRPOTrainer(
            model=_llama(),
            reward_funcs=lambda completions, **rest: [float(len(c)) for c in completions],
            args=GRPOConfig(
                output_dir=folder, num_generations=4, max_completion_length=6, **options
            ),
            train_dataset=Dataset.from_dict({"prompt": TEXTS}),
            processing_class=_tokenizer(),
        )
        return _log(trainer)


def step_metrics():
    import evaluate

    class Accuracy(evaluate.Metric):
        def _info(self):
            from datasets import Features, Value

            kinds = Features({"predictions": Value("int32"), "references": Value("int32")})
            return evaluate.MetricInfo(description="", citation="", features=kinds)

        def _compute(self, predictions, references):
            same = np.asarray(predictions) == np.asarray(references)
            return {"accuracy": float(same.mean())}

    metric = Accuracy()
    metric.add_batch(predictions=torch.tensor([1, 2, 3]), references=torch.tensor([1, 2, 4]))
    return metric.compute()


DTYPES = "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 bool float8_e4m3fn".split()


def step_safetensors_dtypes():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.safetensors")
        save_file({n: torch.ones(2, 3).to(getattr(torch, n)) for n in DTYPES}, path)
        return {k: [str(v.dtype), v.float()] for k, v in load_file(path).items()}


def step_safetensors_refusals():
    x, found = torch.arange(12.0).reshape(3, 4), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.safetensors")
        for wrong in ({"a": x.T}, {"a": x, "b": x[0]}, {"a": [1]}, [x]):
            try:
                save_file(wrong, path)
            except Exception as error:
                found.append([type(error).__name__, str(error)[:60]])
        save_file({"a": x, "none": x[:0], "one": x[0, 0]}, path, metadata={"k": "v"})
        with safe_open(path, framework="pt") as f:
            found += [f.metadata(), f.get_slice("a")[1:, ::1], f.get_tensor("none").shape]
            try:
                f.get_tensor("b")
            except SafetensorError as error:
                found.append(str(error)[:40])
    return found


def step_safetensors_tied():
    model = _llama(tie_word_embeddings=True)
    with tempfile.TemporaryDirectory() as folder:
        save_model(model, f"{folder}/m.safetensors", metadata={"a": "b"})
        return sorted(load_file(f"{folder}/m.safetensors"))


def step_pushed_nowhere():
    with tempfile.TemporaryDirectory() as folder:
        try:
            AutoModelForCausalLM.from_pretrained(f"{folder}/nothing")
        except Exception as error:
            return type(error).__name__
