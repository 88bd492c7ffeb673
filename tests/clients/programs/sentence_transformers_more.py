"""sentence-transformers: the trainer, all losses, evaluators, cross-encoders, sparse encoders."""

import os
import tempfile

import torch
from datasets import Dataset
from sentence_transformers import (
    CrossEncoder,
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
    losses,
    models,
    quantize_embeddings,
    util,
)
from sentence_transformers.evaluation import (
    BinaryClassificationEvaluator,
    EmbeddingSimilarityEvaluator,
    InformationRetrievalEvaluator,
    TripletEvaluator,
)
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForSequenceClassification,
    BertModel,
    BertTokenizerFast,
)

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the cat sat on a mat dog ran in park big".split()
TEXTS = ["the cat sat on a mat", "a dog ran in the park", "the big cat ran", "a big dog sat"]


def _folder(kind=BertModel, **more):
    torch.manual_seed(0)
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("\n".join(WORDS))
    BertTokenizerFast(os.path.join(folder, "vocab.txt")).save_pretrained(folder)
    kind(
        BertConfig(
            vocab_size=len(WORDS),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            **more,
        )
    ).save_pretrained(folder)
    return folder


def _model(mode="mean"):
    word = models.Transformer(_folder())
    return SentenceTransformer(modules=[word, models.Pooling(16, mode)], device="cpu")


PAIRS = (
    "CosineSimilarityLoss",
    "ContrastiveLoss",
    "OnlineContrastiveLoss",
    "CoSENTLoss",
    "AnglELoss",
)
ALONE = ("MultipleNegativesRankingLoss", "MultipleNegativesSymmetricRankingLoss", "TripletLoss")
GROUPS = ("BatchAllTripletLoss", "BatchHardTripletLoss", "BatchSemiHardTripletLoss")
GROUPS += ("BatchHardSoftMarginTripletLoss",)


def _loss(name, columns, labels):
    model = _model()
    criterion = getattr(losses, name)(model)
    features = [model.tokenize(TEXTS[i:] + TEXTS[:i]) for i in range(columns)]
    loss = criterion(features, labels)
    loss.backward()
    return [loss, sum(p.grad.norm().item() for p in model.parameters() if p.grad is not None)]


for name in PAIRS:
    labels = [0, 1, 1, 0] if "Contrastive" in name else [0.1, 0.7, 0.4, 0.9]
    globals()[f"step_{name}"] = lambda n=name, y=labels: _loss(n, 2, torch.tensor(y))
for name in ALONE:
    globals()[f"step_{name}"] = lambda n=name: _loss(n, 3 if n == "TripletLoss" else 2, None)
for name in GROUPS:
    globals()[f"step_{name}"] = lambda n=name: _loss(n, 1, torch.tensor([0, 0, 1, 1]))


def step_softmax_loss():
    model = _model()
    torch.manual_seed(1)
    criterion = losses.SoftmaxLoss(model, sentence_embedding_dimension=16, num_labels=3)
    features = [model.tokenize(TEXTS), model.tokenize(TEXTS[::-1])]
    return criterion(features, torch.tensor([0, 1, 2, 0]))


def step_nested_losses():
    model = _model()
    features = [model.tokenize(TEXTS), model.tokenize(TEXTS[::-1])]
    inner = losses.MultipleNegativesRankingLoss(model)
    return losses.MatryoshkaLoss(model, inner, [16, 8, 4])(features, None)


def step_cached_loss():
    model = _model()
    features = [model.tokenize(TEXTS), model.tokenize(TEXTS[::-1])]
    loss = losses.CachedMultipleNegativesRankingLoss(model, mini_batch_size=2)(features, None)
    loss.backward()
    return [loss, sum(p.grad.norm().item() for p in model.parameters() if p.grad is not None)]


def step_teacher():
    model = _model()
    return losses.MSELoss(model)([model.tokenize(TEXTS)], torch.ones(4, 16))


def step_ways_of_pooling():
    return [_model(m).encode(TEXTS) for m in ("cls", "max", "mean_sqrt_len_tokens", "lasttoken")]


def step_encode_options():
    model = _model()
    return [
        model.encode(TEXTS, normalize_embeddings=True, batch_size=2),
        model.encode(TEXTS[0], convert_to_tensor=True),
        [v.shape for v in model.encode(TEXTS, output_value="token_embeddings")],
        model.encode(TEXTS, truncate_dim=4),
        quantize_embeddings(model.encode(TEXTS), "ubinary"),
    ]


def step_utilities():
    vectors = _model().encode(TEXTS * 3, convert_to_tensor=True)
    return [
        util.paraphrase_mining_embeddings(vectors[:4]),
        util.community_detection(vectors, threshold=0.9, min_community_size=2),
        util.normalize_embeddings(vectors),
        util.euclidean_sim(vectors, vectors),
        util.manhattan_sim(vectors[:2], vectors[:2]),
    ]


def step_evaluators():
    model = _model()
    queries, corpus = {"q": TEXTS[0]}, {str(i): t for i, t in enumerate(TEXTS)}
    return [
        EmbeddingSimilarityEvaluator(TEXTS, TEXTS[::-1], [0.1, 0.5, 0.4, 0.9])(model),
        TripletEvaluator(TEXTS[:2], TEXTS[1:3], TEXTS[2:])(model),
        BinaryClassificationEvaluator(TEXTS, TEXTS[::-1], [0, 1, 0, 1])(model),
        InformationRetrievalEvaluator(queries, corpus, {"q": {"1"}}, show_progress_bar=False)(
            model
        ),
    ]


def step_trainer():
    model = _model()
    data = Dataset.from_dict({"anchor": TEXTS * 2, "positive": (TEXTS * 2)[::-1]})
    with tempfile.TemporaryDirectory() as folder:
        trainer = SentenceTransformerTrainer(
            model=model,
            args=SentenceTransformerTrainingArguments(
                output_dir=folder,
                max_steps=3,
                per_device_train_batch_size=4,
                logging_steps=1,
                report_to=[],
                use_cpu=True,
                save_strategy="no",
                disable_tqdm=True,
            ),
            train_dataset=data,
            loss=losses.MultipleNegativesRankingLoss(model),
        )
        trainer.train()
    log = [e["loss"] for e in trainer.state.log_history if "loss" in e]
    return [log, model.encode(TEXTS)]


def step_cross_encoder():
    model = CrossEncoder(_folder(BertForSequenceClassification, num_labels=1), device="cpu")
    pairs = [(TEXTS[0], TEXTS[1]), (TEXTS[0], TEXTS[2])]
    return [model.predict(pairs), model.rank(TEXTS[0], TEXTS)]


def step_cross_encoder_loss():
    from sentence_transformers.cross_encoder import losses as cross

    model = CrossEncoder(_folder(BertForSequenceClassification, num_labels=1), device="cpu")
    criterion = cross.BinaryCrossEntropyLoss(model)
    return criterion([TEXTS[:2], TEXTS[2:]], torch.tensor([1.0, 0.0]))


def step_sparse_encoder():
    from sentence_transformers import SparseEncoder
    from sentence_transformers.sparse_encoder.models import MLMTransformer, SpladePooling

    model = SparseEncoder(
        modules=[MLMTransformer(_folder(BertForMaskedLM)), SpladePooling("max")], device="cpu"
    )
    return model.encode(TEXTS, convert_to_sparse_tensor=False)
