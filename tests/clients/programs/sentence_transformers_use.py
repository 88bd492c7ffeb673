"""sentence-transformers: encoding, similarity, training with losses."""

import os
import tempfile

import torch
from sentence_transformers import SentenceTransformer, losses, util
from sentence_transformers.sentence_transformer.modules import (
    Dense,
    Normalize,
    Pooling,
    Transformer,
)
from transformers import BertConfig, BertModel, BertTokenizerFast

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the cat sat on a mat dog ran in park big".split()


def _model():
    torch.manual_seed(0)
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("\n".join(WORDS))
    BertTokenizerFast(os.path.join(folder, "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    BertModel(config).save_pretrained(folder)
    word = Transformer(folder)
    return SentenceTransformer(modules=[word, Pooling(16), Dense(16, 8), Normalize()], device="cpu")


TEXTS = ["the cat sat on a mat", "a dog ran in the park", "the big cat ran"]


def step_encode():
    return _model().encode(TEXTS)


def step_similarity():
    model = _model()
    vectors = model.encode(TEXTS, convert_to_tensor=True)
    return [model.similarity(vectors, vectors), util.semantic_search(vectors, vectors, top_k=2)]


def step_utilities():
    a, b = torch.randn(3, 4), torch.randn(2, 4)
    return [util.cos_sim(a, b), util.dot_score(a, b), util.pairwise_cos_sim(a[:2], b)]


def step_loss():
    model = _model()
    criterion = losses.MultipleNegativesRankingLoss(model)
    features = [model.tokenize(TEXTS[:2]), model.tokenize(TEXTS[1:])]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    found = []
    for _ in range(2):
        loss = criterion(features, None)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        found.append(loss.item())
    return found


def step_more_losses():
    model = _model()
    pair = [model.tokenize(TEXTS[:2]), model.tokenize(TEXTS[1:])]
    return [
        losses.CosineSimilarityLoss(model)(pair, torch.tensor([0.3, 0.9])),
        losses.ContrastiveLoss(model)(pair, torch.tensor([0, 1])),
        losses.CoSENTLoss(model)(pair, torch.tensor([0.1, 0.9])),
    ]


def step_save_and_load():
    model = _model()
    with tempfile.TemporaryDirectory() as folder:
        model.save(folder)
        again = SentenceTransformer(folder, device="cpu")
    return abs(model.encode(TEXTS) - again.encode(TEXTS)).max().item() < 1e-6
