"""transformers: generating text in all of its ways."""

import torch
from transformers import (
    DynamicCache,
    EncoderDecoderCache,
    GenerationConfig,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    LogitsProcessor,
    LogitsProcessorList,
    MaxLengthCriteria,
    StaticCache,
    StoppingCriteria,
    StoppingCriteriaList,
    T5Config,
    T5ForConditionalGeneration,
)
from transformers.generation.streamers import BaseStreamer


def _gpt2(**more):
    torch.manual_seed(0)
    options = {"n_layer": 2, "n_head": 2, "n_embd": 32, "vocab_size": 60, "n_positions": 64}
    special = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    return GPT2LMHeadModel(GPT2Config(**(options | special | more))).eval()


def _llama(**more):
    torch.manual_seed(0)
    options = {
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 60,
        "max_position_embeddings": 64,
        "pad_token_id": 0,
    }
    return LlamaForCausalLM(LlamaConfig(**(options | more))).eval()


def _t5():
    torch.manual_seed(0)
    return T5ForConditionalGeneration(
        T5Config(
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=2,
            num_heads=4,
            vocab_size=60,
            decoder_start_token_id=0,
        )
    ).eval()


def _ids(*size):
    return torch.randint(3, 60, size, generator=torch.Generator().manual_seed(5))


def _say(model, *size, **more):
    torch.manual_seed(1)
    return model.generate(_ids(*(size or (2, 5))), **({"max_new_tokens": 8} | more))


def step_temperature():
    return _say(_gpt2(), do_sample=True, temperature=0.7)


def step_top_k():
    return _say(_gpt2(), do_sample=True, top_k=5)


def step_top_p():
    return _say(_gpt2(), do_sample=True, top_p=0.8, top_k=0)


def step_min_p():
    return _say(_gpt2(), do_sample=True, min_p=0.05)


def step_typical():
    return _say(_gpt2(), do_sample=True, typical_p=0.7)


def step_epsilon_and_eta():
    return [
        _say(_gpt2(), do_sample=True, epsilon_cutoff=0.01),
        _say(_gpt2(), do_sample=True, eta_cutoff=0.01),
    ]


def step_top_h():
    return _say(_gpt2(), do_sample=True, top_h=0.4)


def step_repetition_penalty():
    return _say(_gpt2(), repetition_penalty=1.5, do_sample=False)


def step_no_repeated_ngrams():
    return _say(_gpt2(), no_repeat_ngram_size=2, do_sample=False)


def step_bad_words():
    return _say(_gpt2(), bad_words_ids=[[7], [8, 9]], do_sample=False)


def step_minimum_length():
    return _say(_gpt2(), min_new_tokens=6, do_sample=False)


def step_suppressed():
    return _say(_gpt2(), suppress_tokens=[3, 4, 5], begin_suppress_tokens=[6], do_sample=False)


def step_forced():
    return _say(_gpt2(), forced_bos_token_id=5, forced_eos_token_id=2, max_length=12)


def step_sequence_bias():
    return _say(_gpt2(), sequence_bias={(5,): 10.0}, do_sample=False)


def step_exponential_decay():
    return _say(_gpt2(), exponential_decay_length_penalty=(3, 1.5), do_sample=False)


def step_invalid_removed():
    return _say(_gpt2(), remove_invalid_values=True, renormalize_logits=True, do_sample=True)


def step_guidance():
    return _say(_gpt2(), guidance_scale=1.5, do_sample=False)


def step_beams():
    return _say(_gpt2(), num_beams=4, num_return_sequences=2, early_stopping=True)


def step_beam_scores():
    out = _say(_gpt2(), num_beams=3, return_dict_in_generate=True, output_scores=True)
    model = _gpt2()
    scores = model.compute_transition_scores(out.sequences, out.scores, out.beam_indices)
    return [out.sequences, out.sequences_scores, scores]


def step_beam_sampling():
    return _say(_gpt2(), num_beams=3, do_sample=True, top_k=10)


def step_length_penalty():
    return _say(_gpt2(), num_beams=3, length_penalty=2.0)


def step_scores_and_states():
    out = _say(
        _gpt2(attn_implementation="eager"),
        return_dict_in_generate=True,
        output_scores=True,
        output_logits=True,
        output_hidden_states=True,
        output_attentions=True,
        do_sample=False,
    )
    return [
        out.sequences,
        torch.stack(out.scores).sum().item(),
        torch.stack(out.logits).sum().item(),
        len(out.hidden_states),
        len(out.attentions),
        out.attentions[0][0].sum().item(),
    ]


def step_left_padding():
    model, ids = _llama(), _ids(3, 6)
    mask = torch.ones_like(ids)
    ids[0, :3], mask[0, :3] = 0, 0
    ids[1, :1], mask[1, :1] = 0, 0
    return model.generate(ids, attention_mask=mask, max_new_tokens=6, do_sample=False)


def step_left_padding_of_gpt2():
    model, ids = _gpt2(), _ids(2, 6)
    mask = torch.ones_like(ids)
    ids[0, :3], mask[0, :3] = 0, 0
    return model.generate(ids, attention_mask=mask, max_new_tokens=6, num_beams=2)


def step_many_answers():
    return _say(_llama(), do_sample=True, num_return_sequences=3)


def step_assisted():
    helper = _llama(num_hidden_layers=1)
    return _say(_llama(), 1, 5, assistant_model=helper, do_sample=False)


def step_assisted_sampling():
    helper = _llama(num_hidden_layers=1)
    return _say(_llama(), 1, 5, assistant_model=helper, do_sample=True)


def step_prompt_lookup():
    return _say(_llama(), 1, 9, prompt_lookup_num_tokens=3, do_sample=False)


def step_without_cache():
    return _say(_llama(), use_cache=False, do_sample=False)


def step_static_cache():
    return _say(_llama(), cache_implementation="static", do_sample=False)


def step_static_cache_by_hand():
    model = _llama()
    cache = StaticCache(config=model.config, max_cache_len=16)
    ids = _ids(2, 5)
    first = model(ids, past_key_values=cache, cache_position=torch.arange(5)).logits
    after = model(ids[:, :1], past_key_values=cache, cache_position=torch.tensor([5])).logits
    return [first[:, -1], after]


def step_dynamic_cache_by_hand():
    model, cache, ids = _llama(), DynamicCache(), _ids(2, 6)
    whole = model(ids).logits[:, -1]
    model(ids[:, :4], past_key_values=cache)
    rest = model(ids[:, 4:], past_key_values=cache).logits[:, -1]
    cache.crop(3)
    return [(whole - rest).abs().max().item() < 1e-5, rest, cache.get_seq_length()]


def step_offloaded_cache():
    try:
        return _say(_llama(), cache_implementation="offloaded", do_sample=False)
    except Exception as error:
        return type(error).__name__


def step_quantized_cache():
    try:
        return _say(_llama(), cache_implementation="quantized", do_sample=False)
    except Exception as error:
        return [type(error).__name__, str(error)]


def step_cache_of_an_earlier_call():
    model, ids = _llama(), _ids(1, 5)
    out = model.generate(ids, max_new_tokens=3, return_dict_in_generate=True, do_sample=False)
    longer = torch.cat([out.sequences, torch.tensor([[7, 8]])], dim=1)
    return model.generate(longer, past_key_values=out.past_key_values, max_new_tokens=3)


def step_stopping():
    class Stop(StoppingCriteria):
        def __call__(self, ids, scores, **rest):
            return torch.full((ids.shape[0],), ids.shape[1] >= 9, dtype=torch.bool)

    own = StoppingCriteriaList([Stop(), MaxLengthCriteria(20)])
    return _say(_gpt2(), stopping_criteria=own, max_new_tokens=20)


def step_processor():
    class Only(LogitsProcessor):
        def __call__(self, ids, scores):
            kept = torch.full_like(scores, float("-inf"))
            kept[:, 10:20] = scores[:, 10:20]
            return kept

    return _say(_gpt2(), logits_processor=LogitsProcessorList([Only()]), do_sample=True)


def step_prefix_function():
    allowed = {0: [11, 12], 1: [13]}
    return _say(_gpt2(), prefix_allowed_tokens_fn=lambda batch, ids: allowed[batch], num_beams=2)


def step_streamer():
    class Keep(BaseStreamer):
        def __init__(self):
            self.seen = []

        def put(self, value):
            self.seen.append(value.tolist())

        def end(self):
            self.seen.append("end")

    streamer = Keep()
    _say(_gpt2(), 1, 4, streamer=streamer, do_sample=False)
    return streamer.seen


def step_config():
    own = GenerationConfig(max_new_tokens=4, do_sample=True, top_k=3, pad_token_id=0)
    model = _gpt2()
    torch.manual_seed(3)
    return [model.generate(_ids(1, 4), own), own.to_dict()["top_k"]]


def step_embeddings_as_input():
    model = _llama()
    return model.generate(
        inputs_embeds=model.get_input_embeddings()(_ids(1, 4)), max_new_tokens=4, do_sample=False
    )


def step_t5_ways():
    model = _t5()
    torch.manual_seed(2)
    return [
        _say(model, do_sample=False),
        _say(model, num_beams=3),
        _say(model, do_sample=True, top_p=0.9),
        model.generate(_ids(1, 4), decoder_input_ids=torch.tensor([[0, 5]]), max_new_tokens=4),
    ]


def step_t5_cache():
    model = _t5()
    ids = _ids(1, 5)
    encoded = model.encoder(ids)
    cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
    out = model(
        encoder_outputs=encoded, decoder_input_ids=torch.tensor([[0]]), past_key_values=cache
    )
    return out.logits


def step_watermark():
    from transformers import WatermarkingConfig

    marks = WatermarkingConfig(bias=2.5, seeding_scheme="lefthash")
    return _say(_gpt2(), watermarking_config=marks, do_sample=False)


def step_seeded():
    from transformers import set_seed

    model = _gpt2()
    set_seed(42)
    first = model.generate(_ids(1, 4), do_sample=True, max_new_tokens=5)
    set_seed(42)
    return [first, model.generate(_ids(1, 4), do_sample=True, max_new_tokens=5)]


def step_refused():
    found = []
    for wrong in ({"max_new_tokens": -1}, {"temperature": 0.0, "do_sample": True}, {"nothing": 1}):
        try:
            _say(_gpt2(), **wrong)
        except Exception as error:
            found.append([type(error).__name__, str(error)[:100]])
    return found


def step_autocast():
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.inference_mode():
        return _say(_llama(), do_sample=False).shape


def step_compiled_forward():
    model = _llama()
    fast = torch.compile(model)
    ids = _ids(1, 5)
    with torch.no_grad():
        return fast(ids).logits
