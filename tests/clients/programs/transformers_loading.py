"""transformers: saving and loading in all ways, tokenizers made here, pipelines."""

import json
import os
import tempfile

import torch
from accelerate import init_empty_weights
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoTokenizer,
    BertConfig,
    BertForMaskedLM,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
    BitsAndBytesConfig,
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    DataCollatorForTokenClassification,
    DataCollatorWithPadding,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    TextStreamer,
    ViTConfig,
    ViTForImageClassification,
    pipeline,
)

TEXTS = ["the cat sat on the mat", "a dog ran in the park", "the dog and the cat", "big green park"]


def _tokenizer():
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(TEXTS, trainers.WordLevelTrainer(special_tokens=special))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=32,
    )


def _bert(kind, **more):
    torch.manual_seed(0)
    return kind(
        BertConfig(
            vocab_size=30,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=48,
            **more,
        )
    ).eval()


def _llama(**more):
    torch.manual_seed(0)
    options = {
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "vocab_size": 50,
        "max_position_embeddings": 64,
        "pad_token_id": 0,
    }
    return LlamaForCausalLM(LlamaConfig(**(options | more))).eval()


IDS = torch.arange(5)[None] + 3


def _again(model, save=None, **load):
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder, **(save or {}))
        names = sorted(os.listdir(folder))
        return names, type(model).from_pretrained(folder, **load)


def step_in_parts():
    names, again = _again(_llama(), {"max_shard_size": "20KB"})
    return [names, again(IDS).logits]


def step_dtypes():
    found = []
    for dtype in (torch.bfloat16, torch.float16, "auto", "float64"):
        again = _again(_llama().to(torch.bfloat16), dtype=dtype)[1]
        found.append([str(again.dtype), again.config.dtype and str(again.config.dtype)])
    return found


def step_old_name_of_dtype():
    return str(_again(_llama(), torch_dtype=torch.bfloat16)[1].dtype)


def step_few_bytes_of_memory():
    return _again(_llama(), low_cpu_mem_usage=True)[1](IDS).logits


def step_device_map():
    found = []
    for where in ("auto", "cpu", {"": "cpu"}):
        again = _again(_llama(), device_map=where)[1]
        found += [again(IDS).logits, str(again.device)]
    return found


def step_offloaded_to_disk():
    with tempfile.TemporaryDirectory() as folder:
        _llama().save_pretrained(folder)
        places = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
        places |= {"model.layers.2": "cpu", "model.norm": "cpu", "lm_head": "cpu"}
        places["model.rotary_emb"] = "cpu"
        again = LlamaForCausalLM.from_pretrained(
            folder, device_map=places, offload_folder=f"{folder}/off"
        )
        return again(IDS).logits


def step_tied():
    model = _llama(tie_word_embeddings=True)
    again = _again(model)[1]
    return [
        again.lm_head.weight is again.model.embed_tokens.weight,
        again(IDS).logits,
        len(list(again.parameters())),
    ]


def step_other_labels():
    model = _bert(BertForSequenceClassification, num_labels=3)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        try:
            BertForSequenceClassification.from_pretrained(folder, num_labels=5)
            refused = ""
        except RuntimeError as error:
            refused = type(error).__name__
        torch.manual_seed(0)
        again, info = BertForSequenceClassification.from_pretrained(
            folder, num_labels=5, ignore_mismatched_sizes=True, output_loading_info=True
        )
    return [refused, again.classifier.weight.shape, sorted(map(str, info["mismatched_keys"]))]


def step_base_of_a_head():
    model = _bert(BertForMaskedLM)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        base = BertModel.from_pretrained(folder, add_pooling_layer=False)
        torch.manual_seed(1)
        head, info = BertForTokenClassification.from_pretrained(
            folder, num_labels=3, output_loading_info=True
        )
    return [
        base.eval()(IDS).last_hidden_state,
        sorted(info["missing_keys"]),
        head.classifier.weight,
    ]


def step_empty():
    with init_empty_weights():
        model = AutoModelForCausalLM.from_config(_llama().config)
    with torch.device("meta"):
        other = AutoModelForCausalLM.from_config(_llama().config)
    model.tie_weights()
    return [str(model.device), str(other.device), model.num_parameters()]


def step_memory_footprint():
    return [_llama().get_memory_footprint(), _llama().num_parameters(only_trainable=True)]


def step_embeddings_of_more_words():
    model = _llama()
    torch.manual_seed(2)
    model.resize_token_embeddings(60, pad_to_multiple_of=8, mean_resizing=True)
    return [model.config.vocab_size, model.lm_head.weight.shape, model(IDS).logits[..., :50]]


def step_state_of_an_older_file():
    model = _llama()
    with tempfile.TemporaryDirectory() as folder:
        model.config.save_pretrained(folder)
        torch.save(model.state_dict(), f"{folder}/pytorch_model.bin")
        return LlamaForCausalLM.from_pretrained(folder)(IDS).logits


def step_quantized():
    found = []
    for make in (
        lambda: BitsAndBytesConfig(load_in_8bit=True),
        lambda: BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.bfloat16),
    ):
        try:
            _again(_llama(), quantization_config=make())
        except Exception as error:
            found.append([type(error).__name__, str(error)[:60]])
    return found


def step_attention_refused():
    try:
        _again(_llama(), attn_implementation="flash_attention_2")
    except Exception as error:
        return [type(error).__name__, str(error)[:80]]


class OwnConfig(PreTrainedConfig):
    model_type = "own"

    def __init__(self, width=4, **more):
        super().__init__(**more)
        self.width = width


class OwnModel(PreTrainedModel):
    config_class = OwnConfig

    def __init__(self, config):
        super().__init__(config)
        self.layer = torch.nn.Linear(config.width, config.width)
        self.register_buffer("steps", torch.zeros(1, dtype=torch.long))
        self.post_init()

    def _init_weights(self, module):
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.ones_(module.weight)

    def forward(self, x):
        return self.layer(x)


def step_own_model():
    AutoConfig.register("own", OwnConfig, exist_ok=True)
    AutoModel.register(OwnConfig, OwnModel, exist_ok=True)
    torch.manual_seed(0)
    model = OwnModel(OwnConfig(width=3))
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = AutoModel.from_pretrained(folder)
    return [type(again).__name__, again(torch.ones(1, 3)), again.steps]


def step_hidden_states():
    out = _bert(BertModel, attn_implementation="eager")(
        IDS, output_hidden_states=True, output_attentions=True
    )
    return [len(out.hidden_states), out.attentions[-1], out.pooler_output, list(out.keys())]


def step_tuples():
    return [x.sum() for x in _bert(BertModel)(IDS, return_dict=False)]


def step_freeze():
    model = _bert(BertForSequenceClassification)
    for p in model.bert.parameters():
        p.requires_grad = False
    loss = model(IDS, labels=torch.tensor([1])).loss
    loss.backward()
    return [sum(p.grad is not None for p in model.parameters()), model.num_parameters(True)]


def step_tokenizer():
    tokenizer = _tokenizer()
    batch = tokenizer(TEXTS[:3], padding=True, truncation=True, max_length=5, return_tensors="pt")
    moved = batch.to("cpu")
    return [dict(moved), tokenizer.batch_decode(batch["input_ids"]), len(tokenizer)]


def step_tokenizer_saved():
    with tempfile.TemporaryDirectory() as folder:
        _tokenizer().save_pretrained(folder)
        return AutoTokenizer.from_pretrained(folder)(TEXTS[0], return_tensors="pt")["input_ids"]


def step_chat_template():
    tokenizer = _tokenizer()
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    return tokenizer.apply_chat_template(
        [{"role": "user", "content": "the cat"}], return_tensors="pt", return_dict=False
    )


def step_collators():
    tokenizer = _tokenizer()
    rows = [tokenizer(x) for x in TEXTS]
    torch.manual_seed(0)
    masked = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.4)(rows)
    causal = DataCollatorForLanguageModeling(tokenizer, mlm=False)(rows)
    padded = DataCollatorWithPadding(tokenizer, pad_to_multiple_of=8)(rows)
    labelled = [{**dict(r), "labels": list(range(len(r["input_ids"])))} for r in rows]
    tokens = DataCollatorForTokenClassification(tokenizer)(labelled)
    pairs = DataCollatorForSeq2Seq(tokenizer)(labelled)
    return [dict(x) for x in (masked, causal, padded, tokens, pairs)]


def step_pipeline_classes():
    model = _bert(BertForSequenceClassification, id2label={0: "no", 1: "yes"})
    run = pipeline("text-classification", model=model, tokenizer=_tokenizer(), device="cpu")
    return [run(TEXTS, batch_size=2), run(TEXTS[0], top_k=None)]


def step_pipeline_masks():
    run = pipeline("fill-mask", model=_bert(BertForMaskedLM), tokenizer=_tokenizer())
    return run("the [MASK] sat", top_k=3)


def step_pipeline_text():
    run = pipeline("text-generation", model=_llama(), tokenizer=_tokenizer())
    return run("the cat", max_new_tokens=4, do_sample=False)


def step_pipeline_features():
    run = pipeline("feature-extraction", model=_bert(BertModel), tokenizer=_tokenizer())
    return run(TEXTS[0])


def step_pipeline_tokens():
    run = pipeline(
        "token-classification", model=_bert(BertForTokenClassification), tokenizer=_tokenizer()
    )
    return run(TEXTS[0])


def step_pipeline_zero_shot():
    model = _bert(BertForSequenceClassification, id2label={0: "contradiction", 1: "entailment"})
    run = pipeline("zero-shot-classification", model=model, tokenizer=_tokenizer())
    return run("the cat sat", candidate_labels=["dog", "park"], hypothesis_template="the {}")


def step_pipeline_images():
    from PIL import Image
    from transformers import ViTImageProcessor

    torch.manual_seed(0)
    model = ViTForImageClassification(
        ViTConfig(
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=48,
            image_size=16,
            patch_size=8,
        )
    ).eval()
    processor = ViTImageProcessor(size={"height": 16, "width": 16})
    image = Image.new("RGB", (20, 24), (200, 30, 90))
    return [
        processor(image, return_tensors="pt")["pixel_values"],
        pipeline("image-classification", model=model, image_processor=processor)(image),
    ]


def step_text_streamer():
    tokenizer = _tokenizer()
    ids = tokenizer(TEXTS[0], return_tensors="pt")["input_ids"]
    return _llama().generate(
        ids, streamer=TextStreamer(tokenizer), max_new_tokens=4, do_sample=False
    )


def step_config_file():
    with tempfile.TemporaryDirectory() as folder:
        _llama().to(torch.bfloat16).save_pretrained(folder)
        with open(f"{folder}/config.json") as file:
            return json.load(file)["dtype"]


def step_activation_checkpoints():
    model = _llama().train()
    model.gradient_checkpointing_enable({"use_reentrant": True})
    model.enable_input_require_grads()
    loss = model(IDS, labels=IDS).loss
    loss.backward()
    return [loss, model.lm_head.weight.grad.norm()]


def step_hooks():
    model, seen = _llama(), []
    for name, module in model.named_modules():
        if name.endswith("mlp"):
            module.register_forward_hook(lambda m, a, out: seen.append(out.mean().item()))
    model(IDS)
    return seen


def step_copies():
    import copy
    import pickle

    model = _llama()
    twin = copy.deepcopy(model)
    other = pickle.loads(pickle.dumps(model))
    return [torch.equal(m(IDS).logits, model(IDS).logits) for m in (twin, other)]
