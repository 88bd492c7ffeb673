"""transformers: a training step and an answer of a small model of many text families."""

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForMultipleChoice,
    AutoModelForQuestionAnswering,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)

#: What is set of a family's config where it has it.
SMALL = {
    "vocab_size": 99,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "d_model": 32,
    "d_ff": 48,
    "d_kv": 8,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "num_heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "decoder_start_token_id": 0,
    "ffn_dim": 48,
    "word_embed_proj_dim": 32,
    "embedding_size": 32,
    "dim": 32,
    "hidden_dim": 48,
    "n_layers": 2,
    "n_heads": 4,
    "num_local_experts": 4,
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "state_size": 8,
}

CAUSAL = {
    "bloom": {},
    "biogpt": {},
    "cohere": {},
    "ctrl": {},
    "falcon": {},
    "falcon_mamba": {},
    "gemma": {},
    "gemma2": {"sliding_window": 8},
    "gemma3_text": {"sliding_window": 8},
    "glm": {},
    "gpt_bigcode": {},
    "gpt_neo": {
        "num_layers": 2,
        "attention_types": [[["global", "local"], 1]],
        "window_size": 8,
    },
    "gpt_neox": {},
    "gpt_oss": {"sliding_window": 8},
    "gptj": {"rotary_dim": 4},
    "granite": {},
    "helium": {},
    "llama": {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}},
    "mamba": {},
    "mistral": {"sliding_window": 8},
    "mixtral": {"output_router_logits": True},
    "modernbert-decoder": {},
    "mpt": {},
    "nemotron": {},
    "olmo": {},
    "olmo2": {},
    "olmoe": {},
    "openai-gpt": {},
    "opt": {},
    "persimmon": {},
    "phi": {},
    "phi3": {},
    "qwen2": {},
    "qwen2_moe": {},
    "qwen3": {},
    "qwen3_moe": {},
    "roberta": {"is_decoder": True},
    "rwkv": {"attention_hidden_size": 32},
    "smollm3": {},
    "stablelm": {},
    "starcoder2": {},
    "xglm": {},
    "xlnet": {"d_head": 8, "n_head": 4},
}
MASKED = (
    "albert bert camembert convbert deberta deberta-v2 distilbert electra ernie esm fnet "
    "longformer megatron-bert mobilebert modernbert mpnet nystromformer roberta roformer "
    "squeezebert xlm xlm-roberta"
).split()
PAIRS = {
    "bart": {},
    "blenderbot": {},
    "led": {},
    "longt5": {},
    "m2m_100": {},
    "marian": {},
    "mbart": {},
    "mt5": {},
    "pegasus": {},
    "prophetnet": {"num_encoder_layers": 2},
    "switch_transformers": {"expert_capacity": 8},
    "t5": {"feed_forward_proj": "gated-gelu"},
    "umt5": {},
}


def _config(family, **more):
    default = AutoConfig.for_model(family)
    names = {*default.to_dict(), *default.attribute_map}
    return AutoConfig.for_model(family, **({k: v for k, v in SMALL.items() if k in names} | more))


def _ids(*size):
    return torch.randint(3, 99, size)


def _learned(model, **inputs):
    """The loss, how large each gradient is, and the loss after a step of SGD."""
    model.eval()  # without dropout, so that what differs is not chance
    loss = model(**inputs).loss
    loss.backward()
    norms = [0.0 if p.grad is None else p.grad.norm().item() for p in model.parameters()]
    with torch.no_grad():
        for p in model.parameters():
            if p.grad is not None:
                p -= 0.05 * p.grad
    return [loss.item(), sum(norms), len(norms), model(**inputs).loss.item()]


def _causal(family, more):
    model = AutoModelForCausalLM.from_config(_config(family, **more))
    ids = _ids(2, 16)
    found = _learned(model, input_ids=ids, labels=ids)
    with torch.no_grad():
        found.append(model.generate(ids[:, :5], max_new_tokens=5, do_sample=False))
    return found


def _masked(family):
    model = AutoModelForMaskedLM.from_config(_config(family))
    ids = _ids(2, 16)
    mask = torch.ones_like(ids)
    mask[1, 12:] = 0
    labels = ids.masked_fill(torch.rand(2, 16) > 0.3, -100)
    return _learned(model, input_ids=ids, attention_mask=mask, labels=labels)


def _pair(family, more):
    model = AutoModelForSeq2SeqLM.from_config(_config(family, **more))
    ids, labels = _ids(2, 12), _ids(2, 7)
    found = _learned(model, input_ids=ids, labels=labels)
    found.append(model.generate(ids, max_new_tokens=5, num_beams=2))
    return found


def _train_mode(family):
    """With dropout, in the same order of random numbers."""
    model = AutoModelForCausalLM.from_config(_config(family)).train()
    ids = _ids(2, 8)
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    return loss.item()


def _attention(family, kind):
    model = AutoModelForCausalLM.from_config(_config(family), attn_implementation=kind).eval()
    ids = _ids(2, 8)
    mask = torch.ones_like(ids)
    mask[0, :3] = 0
    return model(input_ids=ids, attention_mask=mask).logits


def _heads(family):
    found = []
    ids = _ids(2, 10)
    config = _config(family, num_labels=3)
    model = AutoModelForSequenceClassification.from_config(config)
    found.append(_learned(model, input_ids=ids, labels=torch.tensor([0, 2])))
    config = _config(family, num_labels=3, problem_type="multi_label_classification")
    model = AutoModelForSequenceClassification.from_config(config)
    found.append(_learned(model, input_ids=ids, labels=torch.tensor([[1.0, 0, 1], [0, 1, 0]])))
    model = AutoModelForSequenceClassification.from_config(_config(family, num_labels=1))
    found.append(_learned(model, input_ids=ids, labels=torch.tensor([0.5, -0.5])))
    config = _config(family, num_labels=4)
    model = AutoModelForTokenClassification.from_config(config)
    found.append(_learned(model, input_ids=ids, labels=torch.randint(0, 4, (2, 10))))
    model = AutoModelForQuestionAnswering.from_config(_config(family))
    found.append(
        _learned(
            model,
            input_ids=ids,
            start_positions=torch.tensor([1, 4]),
            end_positions=torch.tensor([3, 20]),
        )
    )
    return found


def _choice(family):
    model = AutoModelForMultipleChoice.from_config(_config(family))
    return _learned(model, input_ids=_ids(2, 3, 8), labels=torch.tensor([0, 2]))


for family, more in CAUSAL.items():
    globals()[f"step_causal_{family}".replace("-", "_")] = lambda f=family, m=more: _causal(f, m)
for family in MASKED:
    globals()[f"step_masked_{family}".replace("-", "_")] = lambda f=family: _masked(f)
for family, more in PAIRS.items():
    globals()[f"step_pair_{family}".replace("-", "_")] = lambda f=family, m=more: _pair(f, m)
for family in ("gpt2", "llama", "opt", "mistral"):
    globals()[f"step_dropout_{family}"] = lambda f=family: _train_mode(f)
    for kind in ("eager", "sdpa"):
        globals()[f"step_{kind}_{family}"] = lambda f=family, k=kind: _attention(f, k)
for family in ("bert", "distilbert", "roberta", "electra", "deberta-v2", "albert", "gpt2"):
    globals()[f"step_heads_{family}".replace("-", "_")] = lambda f=family: _heads(f)
for family in ("bert", "roberta", "distilbert"):
    globals()[f"step_choice_{family}"] = lambda f=family: _choice(f)
