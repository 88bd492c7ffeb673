"""An ordinary training script of Hugging Face's transformers, written for CUDA.

It knows nothing of mindtorch. Does it fit an A100? On a laptop, where nothing is computed:

    mindtorch npu plan --cuda-as-npu --device A100-80GB examples/plan_transformers.py
    mindtorch npu plan --cuda-as-npu --device A100-80GB examples/plan_transformers.py -- --bf16
"""

import argparse

import torch
from transformers import LlamaConfig, LlamaForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=32)
parser.add_argument("--tokens", type=int, default=2048)
parser.add_argument("--bf16", action="store_true")
options = parser.parse_args()

config = LlamaConfig(num_hidden_layers=options.layers)  # the defaults are Llama 7B's
model = LlamaForCausalLM(config).to("cuda", torch.bfloat16 if options.bf16 else torch.float32)
model.gradient_checkpointing_enable()
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)

tokens = torch.randint(config.vocab_size, (1, options.tokens), device="cuda")
for _ in range(2):
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
