"""peft: all kinds of adapters, their starts, several at a time, merging, saving."""

import tempfile
import warnings

import torch
from peft import (
    AdaLoraConfig,
    AutoPeftModelForCausalLM,
    BOFTConfig,
    FourierFTConfig,
    HRAConfig,
    IA3Config,
    LNTuningConfig,
    LoHaConfig,
    LoKrConfig,
    LoraConfig,
    OFTConfig,
    PeftMixedModel,
    PeftModel,
    PolyConfig,
    PrefixTuningConfig,
    PromptEncoderConfig,
    PromptTuningConfig,
    PromptTuningInit,
    VBLoRAConfig,
    VeraConfig,
    get_peft_model,
    inject_adapter_in_model,
    prepare_model_for_kbit_training,
    set_peft_model_state_dict,
)
from peft.utils import get_peft_model_state_dict
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    LlamaConfig,
    LlamaForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

PROJECTIONS = ["q_proj", "v_proj"]


def _base():
    torch.manual_seed(0)
    return LlamaForCausalLM(
        LlamaConfig(
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            vocab_size=50,
            max_position_embeddings=64,
            pad_token_id=0,
        )
    )


def _learn(model, steps=3):
    torch.manual_seed(1)
    ids = torch.randint(3, 50, (2, 8))
    model.eval()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for _ in range(steps):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def _adapted(config):
    model = get_peft_model(_base(), config)
    losses = _learn(model)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = PeftModel.from_pretrained(_base(), folder).eval()
    ids = torch.arange(5)[None]
    kept = (again(ids).logits - model(ids).logits).abs().max().item() < 1e-5
    return [losses, kept, model.get_nb_trainable_parameters()]


CAUSAL = {"task_type": "CAUSAL_LM"}
LORA = CAUSAL | {"r": 4, "target_modules": PROJECTIONS, "lora_alpha": 8}
KINDS = {
    "lora": lambda: LoraConfig(**LORA),
    "rslora": lambda: LoraConfig(**LORA, use_rslora=True),
    "dora": lambda: LoraConfig(**LORA, use_dora=True),
    "lora_bias": lambda: LoraConfig(**LORA, lora_bias=True),
    "lora_gaussian": lambda: LoraConfig(**LORA, init_lora_weights="gaussian"),
    "lora_orthogonal": lambda: LoraConfig(**LORA, init_lora_weights="orthogonal"),
    "pissa": lambda: LoraConfig(**LORA, init_lora_weights="pissa"),
    "pissa_quick": lambda: LoraConfig(**LORA, init_lora_weights="pissa_niter_2"),
    "olora": lambda: LoraConfig(**LORA, init_lora_weights="olora"),
    "lora_all_linear": lambda: LoraConfig(**CAUSAL, r=2, target_modules="all-linear"),
    "lora_patterns": lambda: LoraConfig(
        **LORA, rank_pattern={"q_proj": 2}, alpha_pattern={"v_proj": 4}
    ),
    "lora_of_layers": lambda: LoraConfig(**LORA, layers_to_transform=[1]),
    "lora_embeddings": lambda: LoraConfig(**CAUSAL, r=2, target_modules=["embed_tokens"]),
    "lora_modules_saved": lambda: LoraConfig(**LORA, modules_to_save=["lm_head"]),
    "lora_parameters": lambda: LoraConfig(**LORA, trainable_token_indices=[3, 4]),
    "loha": lambda: LoHaConfig(**CAUSAL, r=4, target_modules=PROJECTIONS),
    "lokr": lambda: LoKrConfig(**CAUSAL, r=4, target_modules=PROJECTIONS),
    "adalora": lambda: AdaLoraConfig(**CAUSAL, target_modules=PROJECTIONS, total_step=10),
    "ia3": lambda: IA3Config(
        **CAUSAL, target_modules=["k_proj", "down_proj"], feedforward_modules=["down_proj"]
    ),
    "vera": lambda: VeraConfig(**CAUSAL, r=4, target_modules=PROJECTIONS),
    "boft": lambda: BOFTConfig(**CAUSAL, boft_block_size=4, target_modules=PROJECTIONS),
    "oft": lambda: OFTConfig(**CAUSAL, oft_block_size=4, target_modules=PROJECTIONS),
    "oft_cayley": lambda: OFTConfig(
        **CAUSAL, oft_block_size=4, target_modules=PROJECTIONS, use_cayley_neumann=False
    ),
    "fourier": lambda: FourierFTConfig(**CAUSAL, n_frequency=10, target_modules=PROJECTIONS),
    "hra": lambda: HRAConfig(**CAUSAL, r=4, target_modules=PROJECTIONS),
    "layer_norms": lambda: LNTuningConfig(**CAUSAL, target_modules=["input_layernorm"]),
    "vblora": lambda: VBLoRAConfig(
        **CAUSAL, r=2, num_vectors=8, vector_length=8, target_modules=PROJECTIONS
    ),
    "prompt": lambda: PromptTuningConfig(**CAUSAL, num_virtual_tokens=3),
    "prompt_random": lambda: PromptTuningConfig(
        **CAUSAL, num_virtual_tokens=3, prompt_tuning_init=PromptTuningInit.RANDOM
    ),
    "prefix": lambda: PrefixTuningConfig(**CAUSAL, num_virtual_tokens=3),
    "prefix_projected": lambda: PrefixTuningConfig(
        **CAUSAL, num_virtual_tokens=3, prefix_projection=True, encoder_hidden_size=16
    ),
    "p_tuning": lambda: PromptEncoderConfig(**CAUSAL, num_virtual_tokens=3, encoder_hidden_size=16),
    "p_tuning_lstm": lambda: PromptEncoderConfig(
        **CAUSAL,
        num_virtual_tokens=3,
        encoder_hidden_size=16,
        encoder_reparameterization_type="LSTM",
    ),
}
for kind, make in KINDS.items():
    globals()[f"step_{kind}"] = lambda make=make: _adapted(make())


def _logits(model):
    return model.eval()(torch.arange(5)[None]).logits


def step_merging():
    found = []
    for kind in ("lora", "dora", "loha", "lokr", "ia3", "oft", "boft", "vera", "hra", "pissa"):
        model = get_peft_model(_base(), KINDS[kind]())
        _learn(model, 2)
        before = _logits(model).detach()
        model.merge_adapter()
        merged = _logits(model)
        model.unmerge_adapter()
        whole = model.merge_and_unload(safe_merge=True)
        close = [(x - before).abs().max().item() < 1e-4 for x in (merged, _logits(whole))]
        found.append([kind, close, before.sum().item()])
    return found


def step_several_adapters():
    model = get_peft_model(_base(), LoraConfig(**LORA), adapter_name="a")
    _learn(model)
    first = _logits(model)
    model.add_adapter("b", LoraConfig(**LORA))
    model.set_adapter("b")
    _learn(model)
    second = _logits(model)
    model.set_adapter("a")
    model.delete_adapter("b")
    return [first, second, (_logits(model) - first).abs().max().item(), model.active_adapter]


def _two():
    model = get_peft_model(_base(), LoraConfig(**LORA), adapter_name="a")
    _learn(model)
    model.add_adapter("b", LoraConfig(**LORA))
    model.set_adapter("b")
    _learn(model, 2)
    return model


def step_weighted():
    found = []
    for kind in ("linear", "cat", "svd", "ties", "dare_linear", "magnitude_prune"):
        model = _two()
        torch.manual_seed(4)
        more = {"density": 0.5} if kind in ("ties", "dare_linear", "magnitude_prune") else {}
        model.add_weighted_adapter(["a", "b"], [0.7, 0.3], "c", combination_type=kind, **more)
        model.set_adapter("c")
        found.append(_logits(model))
    return found


def step_adapters_of_a_batch():
    model = _two().eval()
    ids = torch.randint(3, 50, (3, 5))
    return model(input_ids=ids, adapter_names=["a", "b", "__base__"]).logits


def step_mixed():
    model = PeftMixedModel(_base(), LoraConfig(**LORA), adapter_name="a")
    model.add_adapter("b", LoHaConfig(**CAUSAL, r=4, target_modules=PROJECTIONS))
    model.set_adapter(["a", "b"])
    return _learn(model)


def step_adalora_budget():
    config = AdaLoraConfig(
        **CAUSAL, target_modules=PROJECTIONS, init_r=6, target_r=2, tinit=1, tfinal=1, total_step=6
    )
    model = get_peft_model(_base(), config)
    ids = torch.arange(16).reshape(2, 8) + 3
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for at in range(5):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        model.base_model.update_and_allocate(at)
        optimizer.zero_grad()
        losses.append(loss.item())
    return [losses, _logits(model)]


def step_classifier():
    torch.manual_seed(0)
    base = BertForSequenceClassification(
        BertConfig(
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=48,
            vocab_size=50,
            num_labels=3,
        )
    )
    model = get_peft_model(base, LoraConfig(task_type="SEQ_CLS", r=2)).eval()
    loss = model(input_ids=torch.arange(8).reshape(2, 4), labels=torch.tensor([0, 2])).loss
    loss.backward()
    return [loss, model.print_trainable_parameters(), sorted(get_peft_model_state_dict(model))]


def step_t5():
    torch.manual_seed(0)
    base = T5ForConditionalGeneration(
        T5Config(
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=1,
            num_heads=4,
            vocab_size=50,
            decoder_start_token_id=0,
        )
    )
    model = get_peft_model(base, LoraConfig(task_type="SEQ_2_SEQ_LM", r=2)).eval()
    ids = torch.arange(8).reshape(2, 4)
    return [model(input_ids=ids, labels=ids).loss, model.generate(input_ids=ids, max_new_tokens=3)]


def step_generate():
    model = get_peft_model(_base(), LoraConfig(**LORA))
    _learn(model)
    ids = torch.arange(5)[None] + 3
    first = model.generate(input_ids=ids, max_new_tokens=5, do_sample=False)
    with model.disable_adapter():
        return [first, model.generate(input_ids=ids, max_new_tokens=5, do_sample=False)]


def step_own_module():
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16, 2)
    )
    model = get_peft_model(net, LoraConfig(r=2, target_modules=["0", "3"])).eval()
    out = model(torch.randn(2, 3, 4, 4))
    out.sum().backward()
    norms = [p.grad.norm().item() for p in model.parameters() if p.grad is not None]
    return [out, norms, sorted(n for n, p in model.named_parameters() if p.requires_grad)]


def step_injected():
    model = inject_adapter_in_model(LoraConfig(**LORA), _base())
    state = {k: torch.ones_like(v) / 8 for k, v in get_peft_model_state_dict(model).items()}
    set_peft_model_state_dict(model, state)
    return _logits(model)


def step_auto_model():
    model = get_peft_model(_base(), LoraConfig(**LORA))
    with tempfile.TemporaryDirectory() as folder:
        base = f"{folder}/base"
        _base().save_pretrained(base)
        model.peft_config["default"].base_model_name_or_path = base
        model.save_pretrained(f"{folder}/adapter")
        again = AutoPeftModelForCausalLM.from_pretrained(f"{folder}/adapter")
    return _logits(again)


def step_for_few_bits():
    model = prepare_model_for_kbit_training(_base())
    return [str(next(model.parameters()).dtype), any(p.requires_grad for p in model.parameters())]


def step_own_methods_of_models():
    model = _base()
    model.add_adapter(LoraConfig(**LORA), adapter_name="x")
    model.set_adapter("x")
    losses = _learn(model)
    model.disable_adapters()
    off = _logits(model).sum()
    model.enable_adapters()
    return [losses, off, _logits(model).sum(), sorted(model.get_adapter_state_dict("x"))]


def step_half():
    model = get_peft_model(_base().to(torch.bfloat16), LoraConfig(**LORA))
    return sorted({str(p.dtype) for p in model.parameters()})


def step_checkpointed():
    model = _base()
    model.gradient_checkpointing_enable()
    model.enable_input_require_grads()
    return _learn(get_peft_model(model, LoraConfig(**LORA)).train())


def step_refused():
    found = []
    for make in (
        lambda: get_peft_model(_base(), LoraConfig(r=2, target_modules=["nothing"])),
        lambda: (
            LoraConfig(r=0, target_modules=PROJECTIONS)
            and get_peft_model(_base(), LoraConfig(r=0, target_modules=PROJECTIONS))
        ),
        lambda: get_peft_model(_base(), PolyConfig(task_type="CAUSAL_LM", r=3, n_splits=2)),
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                make()
            found.append("fine")
        except Exception as error:
            found.append([type(error).__name__, str(error)[:80]])
    return found
