"""Training of Llama 7B split over the ranks of a job, written for CUDA and ``torchrun``.

It knows nothing of mindtorch. Does each of eight A100s have room? One process on a laptop tells:

    mindtorch npu plan --cuda-as-npu --device A100-80GB examples/plan_sharded.py --ranks 8
"""

import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from transformers import LlamaConfig, LlamaForCausalLM

dist.init_process_group("nccl")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(device)

with torch.device("meta"):
    model = LlamaForCausalLM(LlamaConfig(use_cache=False))  # the defaults are Llama 7B's
model.gradient_checkpointing_enable()
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model.model.layers:
    fully_shard(layer, mp_policy=policy)
fully_shard(model, mp_policy=policy)
model.to_empty(device=device)
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)

tokens = torch.zeros(1, 2048, dtype=torch.long, device=device)
for _ in range(2):
    model(input_ids=tokens, labels=tokens).loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
dist.destroy_process_group()
