"""datasets, evaluate, trl, peft and accelerate together, and schedules of diffusers."""

import os

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader


def _rows():
    return {
        "x": [[float(i), i + 1.0] for i in range(8)],
        "y": [i % 2 for i in range(8)],
        "text": [f"row {i}" for i in range(8)],
    }


def step_with_format():
    from datasets import Dataset

    data = Dataset.from_dict(_rows()).with_format("torch")
    loader = DataLoader(data, batch_size=3)
    return [
        data[0],
        data[:3]["x"],
        data["y"][:4],
        str(data[0]["x"].dtype),
        str(data[0]["y"].dtype),
        [b["x"] for b in loader],
        [b["text"] for b in loader],
        data.with_format("torch", columns=["x"])[0],
        data.with_format("torch", dtype=torch.float64)[1]["x"].dtype,
    ]


def step_map_and_split():
    from datasets import Dataset, concatenate_datasets

    data = Dataset.from_dict(_rows()).map(lambda row: {"z": sum(row["x"])})
    data = data.filter(lambda row: row["z"] > 3).with_format("torch")
    both = data.train_test_split(0.4, seed=1)
    mapped = data.map(lambda batch: {"double": batch["x"] * 2}, batched=True)
    return [
        data["z"][:],
        both["train"]["z"][:],
        both["test"]["z"][:],
        mapped[0]["double"],
        len(concatenate_datasets([data, data])),
        data.shuffle(seed=3)["z"][:],
        data.sort("z", reverse=True)[0]["z"],
        data.select([0, 2])["z"][:],
    ]


def step_iterable():
    from datasets import Dataset, IterableDataset

    def numbers():
        for i in range(7):
            yield {"x": float(i)}

    stream = IterableDataset.from_generator(numbers).with_format("torch")
    sharded = Dataset.from_dict(_rows()).to_iterable_dataset(num_shards=2).with_format("torch")
    return [
        [b["x"] for b in DataLoader(stream, batch_size=3)],
        [r["x"] for r in stream.skip(2).take(2)],
        sorted(r["y"].item() for r in sharded.shuffle(seed=1, buffer_size=3)),
        [b["x"] for b in sharded.batch(3)],
    ]


def step_arrays():
    from datasets import Array2D, ClassLabel, Dataset, Features, Value

    features = Features(
        {"a": Array2D((2, 2), "float32"), "c": ClassLabel(names=["no", "yes"]), "v": Value("int16")}
    )
    data = Dataset.from_dict(
        {"a": numpy.ones((3, 2, 2), "float32").tolist(), "c": [0, 1, 1], "v": [1, 2, 3]},
        features=features,
    ).with_format("torch")
    data.save_to_disk("saved")
    from datasets import load_from_disk

    again = load_from_disk("saved")
    return [data[0], again[1]["a"], str(again[1]["v"].dtype), data.features["c"].int2str(1)]


def step_own_metric():
    from datasets import Features, Value
    from evaluate import EvaluationModuleInfo, Metric

    class Share(Metric):
        def _info(self):
            return EvaluationModuleInfo(
                description="",
                citation="",
                features=Features({"predictions": Value("int64"), "references": Value("int64")}),
            )

        def _compute(self, predictions, references):
            return {"share": float(numpy.mean(numpy.array(predictions) == numpy.array(references)))}

    metric = Share()
    metric.add_batch(predictions=torch.tensor([1, 0, 1]), references=torch.tensor([1, 1, 1]))
    metric.add(prediction=0, reference=0)
    return metric.compute()


def _tiny(vocab=24):
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(
            n_layer=1,
            n_head=2,
            n_embd=16,
            vocab_size=vocab,
            n_positions=32,
            bos_token_id=1,
            eos_token_id=2,
            pad_token_id=0,
            resid_pdrop=0.0,
            attn_pdrop=0.0,
            embd_pdrop=0.0,
        )
    )


def _tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = [
        "<pad>",
        "<s>",
        "</s>",
        "<unk>",
        *"the cat sat on mat dog ran good bad yes no what is it a".split(),
    ]
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
    )


def _options(kind, **more):
    return kind(
        output_dir="out",
        per_device_train_batch_size=2,
        max_steps=3,
        report_to=[],
        logging_steps=1,
        save_strategy="no",
        use_cpu=True,
        learning_rate=1e-2,
        seed=1,
        bf16=False,
        gradient_checkpointing=False,
        disable_tqdm=True,
        **more,
    )


def _losses(trainer, key="loss"):
    return [entry[key] for entry in trainer.state.log_history if key in entry]


def step_sft():
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    data = Dataset.from_dict(
        {"text": ["the cat sat on the mat", "the dog ran", "a cat ran", "it is a dog"] * 2}
    )
    trainer = SFTTrainer(
        _tiny(),
        args=_options(SFTConfig, max_length=16),
        train_dataset=data,
        processing_class=_tokenizer(),
    )
    trainer.train()
    return _losses(trainer)


def step_sft_with_lora():
    from datasets import Dataset
    from peft import LoraConfig
    from trl import SFTConfig, SFTTrainer

    data = Dataset.from_dict(
        {"prompt": ["what is it", "the cat"] * 3, "completion": [" a dog", " sat on the mat"] * 3}
    )
    trainer = SFTTrainer(
        _tiny(),
        args=_options(SFTConfig, max_length=16),
        train_dataset=data,
        processing_class=_tokenizer(),
        peft_config=LoraConfig(r=2, target_modules=["c_attn"], task_type="CAUSAL_LM"),
    )
    trainer.train()
    return [_losses(trainer), sum(p.numel() for p in trainer.model.parameters() if p.requires_grad)]


def step_dpo():
    from datasets import Dataset
    from trl import DPOConfig, DPOTrainer

    data = Dataset.from_dict(
        {
            "prompt": ["what is it", "the cat"] * 2,
            "chosen": [" good yes", " sat"] * 2,
            "rejected": [" bad no", " ran"] * 2,
        }
    )
    trainer = DPOTrainer(
        _tiny(),
        _tiny(),
        args=_options(DPOConfig, max_length=16),
        train_dataset=data,
        processing_class=_tokenizer(),
    )
    trainer.train()
    return [_losses(trainer), _losses(trainer, "rewards/margins")]


def step_reward():
    from datasets import Dataset
    from transformers import GPT2Config, GPT2ForSequenceClassification
    from trl import RewardConfig, RewardTrainer

    torch.manual_seed(0)
    model = GPT2ForSequenceClassification(
        GPT2Config(
            n_layer=1,
            n_head=2,
            n_embd=16,
            vocab_size=24,
            num_labels=1,
            pad_token_id=0,
            resid_pdrop=0.0,
            attn_pdrop=0.0,
            embd_pdrop=0.0,
        )
    )
    data = Dataset.from_dict(
        {
            "chosen": ["the cat is good", "yes it is"] * 2,
            "rejected": ["the cat is bad", "no it is"] * 2,
        }
    )
    trainer = RewardTrainer(
        model,
        args=_options(RewardConfig, max_length=16),
        train_dataset=data,
        processing_class=_tokenizer(),
    )
    trainer.train()
    return _losses(trainer)


def step_tuners():
    import peft

    found = {}
    for config in (
        peft.LoraConfig(r=2, target_modules=["c_attn"]),
        peft.LoraConfig(r=2, target_modules=["c_attn"], use_dora=True),
        peft.LoraConfig(r=2, target_modules=["c_attn"], use_rslora=True, init_lora_weights="pissa"),
        peft.LoHaConfig(r=2, target_modules=["c_attn"]),
        peft.LoKrConfig(r=2, target_modules=["c_attn"]),
        peft.AdaLoraConfig(r=2, init_r=4, target_modules=["c_attn"], total_step=10),
        peft.IA3Config(target_modules=["c_attn"], feedforward_modules=[]),
        peft.OFTConfig(r=2, oft_block_size=0, target_modules=["c_proj"]),
        peft.BOFTConfig(boft_block_size=2, target_modules=["c_proj"]),
        peft.VeraConfig(r=2, target_modules=["c_attn"]),
        peft.FourierFTConfig(n_frequency=4, target_modules=["c_attn"]),
        peft.HRAConfig(r=2, target_modules=["c_proj"]),
        peft.LNTuningConfig(target_modules=["ln_1"]),
        peft.VBLoRAConfig(num_vectors=4, vector_length=4, topk=2, r=2, target_modules=["c_proj"]),
        peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3),
        peft.PrefixTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3),
        peft.PromptEncoderConfig(
            task_type="CAUSAL_LM", num_virtual_tokens=3, encoder_hidden_size=8
        ),
    ):
        name = f"{type(config).__name__}{len(found)}"
        try:
            torch.manual_seed(1)
            model = peft.get_peft_model(_tiny(), config)
            optimizer = torch.optim.Adam(
                [p for p in model.parameters() if p.requires_grad], lr=0.01
            )
            ids, losses = torch.arange(12).view(2, 6), []
            for _ in range(2):
                loss = model(input_ids=ids, labels=ids).loss
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            found[name] = [losses, sum(p.numel() for p in model.parameters() if p.requires_grad)]
        except Exception as error:
            found[name] = [type(error).__name__]
    return found


def step_schedulers():
    import diffusers

    found = {}
    names = {n for n in dir(diffusers) if n.endswith("Scheduler") and not n.startswith("Flax")}
    names -= {"CosineDPMSolverMultistepScheduler"}  # it magnifies the last digit of its sigmas
    for name in sorted(names):
        try:
            scheduler = getattr(diffusers, name)()
            scheduler.set_timesteps(4)
            torch.manual_seed(2)
            sample = torch.randn(1, 2, 4, 4)
            for t in scheduler.timesteps:
                scaled = (
                    scheduler.scale_model_input(sample, t)
                    if hasattr(scheduler, "scale_model_input")
                    else sample
                )
                sample = scheduler.step(scaled * 0.1, t, sample).prev_sample
            found[name] = [sample, scheduler.timesteps]
        except Exception as error:
            found[name] = type(error).__name__
    return found


def step_accelerate():
    from accelerate import Accelerator, infer_auto_device_map, init_empty_weights
    from accelerate.utils import (
        DistributedDataParallelKwargs,
        extract_model_from_parallel,
        set_seed,
    )

    set_seed(4)
    accelerator = Accelerator(
        cpu=True, gradient_accumulation_steps=2, kwargs_handlers=[DistributedDataParallelKwargs()]
    )
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer)
    loader = DataLoader(torch.randn(12, 3), batch_size=3, shuffle=True)
    model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
    losses = []
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(batch).square().mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(accelerator.gather_for_metrics(loss).item())
    accelerator.save_state("state")
    names = sorted(os.listdir("state"))
    accelerator.load_state("state")
    with init_empty_weights():
        empty = nn.Linear(1000, 1000)
    return [
        losses,
        names,
        str(empty.weight.device),
        dict(infer_auto_device_map(empty, {"cpu": "1GB"})),
        type(extract_model_from_parallel(model)).__name__,
    ]
