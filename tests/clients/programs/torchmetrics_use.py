"""torchmetrics: functional and modular metrics."""

import torch
import torchmetrics
from torchmetrics import functional as F

P = torch.tensor([0.1, 0.8, 0.6, 0.4, 0.9])
T = torch.tensor([0, 1, 0, 1, 1])


def _logits():
    return torch.randn(20, 4).softmax(-1), torch.randint(0, 4, (20,))


def step_classification():
    p, t = _logits()
    options = {"task": "multiclass", "num_classes": 4}
    names = (
        "accuracy",
        "precision",
        "recall",
        "f1_score",
        "auroc",
        "confusion_matrix",
        "cohen_kappa",
    )
    return [getattr(F, n)(p, t, **options) for n in names]


def step_binary():
    return [getattr(F, n)(P, T, task="binary") for n in ("accuracy", "f1_score", "auroc", "roc")]


def step_curves():
    return list(F.precision_recall_curve(P, T, task="binary"))


def step_regression():
    a, b = torch.randn(10), torch.randn(10)
    names = (
        "mean_squared_error",
        "mean_absolute_error",
        "r2_score",
        "pearson_corrcoef",
        "spearman_corrcoef",
    )
    return [getattr(F, n)(a, b) for n in names]


def step_image():
    a, b = torch.rand(1, 1, 32, 32), torch.rand(1, 1, 32, 32)
    return [
        F.image.peak_signal_noise_ratio(a, b, data_range=1.0),
        F.image.structural_similarity_index_measure(a, b, data_range=1.0),
        F.image.total_variation(a),
    ]


def step_text():
    return [
        F.text.bleu_score(["the cat is here"], [["the cat is there"]], n_gram=2),
        F.text.word_error_rate(["a b c"], ["a b d"]),
        F.text.perplexity(torch.randn(1, 4, 6), torch.tensor([[0, 1, 2, 3]])),
    ]


def step_modules():
    metric = torchmetrics.Accuracy(task="multiclass", num_classes=4)
    for _ in range(3):
        metric.update(*_logits())
    found = metric.compute()
    metric.reset()
    return found


def step_collection():
    metrics = torchmetrics.MetricCollection(
        [torchmetrics.MeanSquaredError(), torchmetrics.MeanAbsoluteError()]
    )
    metrics.update(torch.randn(5), torch.randn(5))
    return metrics.compute()


def step_aggregation():
    mean = torchmetrics.MeanMetric()
    mean.update(1.0)
    mean.update(torch.tensor([2.0, 3.0]))
    return [mean.compute(), (mean + 1).compute()]


def step_state():
    import pickle

    metric = torchmetrics.SumMetric()
    metric.update(4.0)
    metric.persistent(True)
    again = pickle.loads(pickle.dumps(metric))
    return [again.compute(), metric.state_dict()]


def step_pairwise():
    a = torch.randn(3, 4)
    return [F.pairwise_cosine_similarity(a), F.pairwise_euclidean_distance(a)]


def step_retrieval():
    return F.retrieval_normalized_dcg(P, T)


def step_tracker():
    tracker = torchmetrics.MetricTracker(torchmetrics.MeanSquaredError())
    for i in range(2):
        tracker.increment()
        tracker.update(torch.ones(2) * i, torch.zeros(2))
    return tracker.compute_all()
