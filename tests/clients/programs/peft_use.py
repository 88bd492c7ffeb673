"""peft: LoRA and its kin over a small model."""

import tempfile

import torch
from peft import (
    IA3Config,
    LoraConfig,
    PeftModel,
    PrefixTuningConfig,
    PromptTuningConfig,
    get_peft_model,
    get_peft_model_state_dict,
)
from transformers import GPT2Config, GPT2LMHeadModel


def _base():
    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(n_layer=1, n_head=2, n_embd=16, vocab_size=50, n_positions=32)
    )


def _train(config, steps=3):
    model = get_peft_model(_base(), config)
    torch.manual_seed(1)
    ids = torch.randint(0, 50, (2, 8))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for _ in range(steps):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return model, losses


LORA = LoraConfig(task_type="CAUSAL_LM", r=4, lora_dropout=0.0, target_modules=["c_attn"])


def step_lora():
    return _train(LORA)[1]


def step_trainable():
    return get_peft_model(_base(), LORA).get_nb_trainable_parameters()


def step_merge():
    model, _ = _train(LORA)
    ids = torch.arange(4)[None]
    before = model.eval()(ids).logits
    merged = model.merge_and_unload()
    return [(merged(ids).logits - before).abs().max().item() < 1e-5, before]


def step_save_and_load():
    model, _ = _train(LORA)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = PeftModel.from_pretrained(_base(), folder)
    ids = torch.arange(4)[None]
    return torch.allclose(model.eval()(ids).logits, again.eval()(ids).logits)


def step_state_dict():
    return sorted(get_peft_model_state_dict(_train(LORA)[0]))


def step_dora():
    return _train(LoraConfig(task_type="CAUSAL_LM", r=4, use_dora=True, target_modules=["c_attn"]))[
        1
    ]


def step_prompt_tuning():
    return _train(PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4))[1]


def step_prefix_tuning():
    return _train(PrefixTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4))[1]


def step_ia3():
    return _train(
        IA3Config(task_type="CAUSAL_LM", target_modules=["c_attn"], feedforward_modules=[])
    )[1]


def step_disable_adapter():
    model, _ = _train(LORA)
    ids = torch.arange(4)[None]
    with model.disable_adapter():
        off = model.eval()(ids).logits
    return [off, (model(ids).logits - off).abs().sum().item() > 0]
