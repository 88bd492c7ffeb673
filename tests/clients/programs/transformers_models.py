"""transformers: models from a config, a training step each, saving, generating."""

import tempfile

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
    ViTConfig,
    ViTForImageClassification,
    WhisperConfig,
    WhisperForConditionalGeneration,
)

GPT2 = {"n_layer": 2, "n_head": 2, "n_embd": 32, "vocab_size": 100, "n_positions": 64}
LLAMA = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "max_position_embeddings": 64,
}


def _gpt2():
    torch.manual_seed(0)
    return GPT2LMHeadModel(GPT2Config(**GPT2, bos_token_id=0, eos_token_id=0, pad_token_id=0))


def _llama(**more):
    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(**LLAMA, **more))


def _train(model, steps=3, **inputs):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(steps):
        loss = model(**inputs).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def _ids(*size):
    return torch.randint(1, 100, size)


def step_gpt2_forward():
    return _gpt2().eval()(_ids(2, 10)).logits


def step_gpt2_train():
    ids = _ids(4, 16)
    return _train(_gpt2(), input_ids=ids, labels=ids)


def step_gpt2_greedy():
    return _gpt2().eval().generate(_ids(1, 4), max_new_tokens=8, do_sample=False)


def step_gpt2_sampled():
    ids = _ids(2, 4)
    torch.manual_seed(1)
    return _gpt2().eval().generate(ids, max_new_tokens=8, do_sample=True, top_k=10, top_p=0.9)


def step_gpt2_beams():
    return _gpt2().eval().generate(_ids(1, 4), max_new_tokens=6, num_beams=3)


def step_gpt2_save_and_load():
    model = _gpt2().eval()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = GPT2LMHeadModel.from_pretrained(folder).eval()
    ids = _ids(1, 5)
    return [(model(ids).logits - again(ids).logits).abs().max().item(), again(ids).logits]


def step_gpt2_half():
    return _gpt2().eval().to(torch.bfloat16)(_ids(1, 5)).logits.float().mean()


def step_gpt2_resize_embeddings():
    model = _gpt2().eval()
    model.resize_token_embeddings(110)
    return [tuple(model.get_input_embeddings().weight.shape), model(_ids(1, 3)).logits.shape[-1]]


def step_bert_train():
    torch.manual_seed(0)
    model = BertForSequenceClassification(
        BertConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            vocab_size=100,
            num_labels=3,
        )
    )
    mask = torch.ones(4, 12, dtype=torch.long)
    mask[1, 8:] = 0
    return _train(
        model, input_ids=_ids(4, 12), attention_mask=mask, labels=torch.tensor([0, 1, 2, 1])
    )


def step_llama_train():
    ids = _ids(2, 12)
    return _train(_llama(), input_ids=ids, labels=ids)


def step_llama_checkpointed():
    model = _llama()
    model.gradient_checkpointing_enable()
    ids = _ids(2, 12)
    return _train(model, input_ids=ids, labels=ids)


def step_llama_generate():
    return _llama().eval().generate(_ids(1, 4), max_new_tokens=6, do_sample=False)


def step_llama_eager_attention():
    return _llama(attn_implementation="eager").eval()(_ids(1, 6)).logits


def step_t5_train():
    torch.manual_seed(0)
    model = T5ForConditionalGeneration(
        T5Config(
            d_model=32,
            d_kv=8,
            d_ff=64,
            num_layers=2,
            num_heads=4,
            vocab_size=100,
            decoder_start_token_id=0,
        )
    )
    ids = _ids(2, 8)
    return [_train(model, input_ids=ids, labels=ids), model.eval().generate(ids, max_new_tokens=5)]


def step_vit_train():
    torch.manual_seed(0)
    model = ViTForImageClassification(
        ViTConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            image_size=16,
            patch_size=4,
            num_labels=3,
        )
    )
    return _train(model, pixel_values=torch.randn(2, 3, 16, 16), labels=torch.tensor([0, 2]))


def step_whisper():
    torch.manual_seed(0)
    model = WhisperForConditionalGeneration(
        WhisperConfig(
            d_model=32,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=32,
            decoder_ffn_dim=32,
            vocab_size=100,
            num_mel_bins=8,
            max_source_positions=20,
            max_target_positions=20,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
            decoder_start_token_id=1,
        )
    )
    features, labels = torch.randn(2, 8, 40), _ids(2, 6)
    return _train(model, input_features=features, labels=labels)
