"""ignite: engines, events, metrics, handlers."""

import io
import os
import tempfile

import torch
from ignite import metrics as M
from ignite.contrib.handlers import ProgressBar
from ignite.engine import (
    Engine,
    Events,
    create_supervised_evaluator,
    create_supervised_trainer,
)
from ignite.handlers import (
    Checkpoint,
    EarlyStopping,
    EMAHandler,
    FastaiLRFinder,
    LRScheduler,
    ModelCheckpoint,
    TerminateOnNan,
    Timer,
    create_lr_scheduler_with_warmup,
)
from ignite.handlers.param_scheduler import CosineAnnealingScheduler, LinearCyclicalScheduler
from ignite.utils import convert_tensor, manual_seed, to_onehot
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def _parts():
    manual_seed(3)
    x = torch.randn(24, 4)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=6)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    return model, loader, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def step_train_and_evaluate():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    evaluator = create_supervised_evaluator(
        model,
        metrics={
            "accuracy": M.Accuracy(),
            "loss": M.Loss(nn.CrossEntropyLoss()),
            "precision": M.Precision(average=False),
            "recall": M.Recall(average="macro"),
            "f": M.Fbeta(1.0),
            "top": M.TopKCategoricalAccuracy(1),
            "confusion": M.ConfusionMatrix(2),
        },
    )
    found = []

    @trainer.on(Events.ITERATION_COMPLETED(every=2))
    def log(engine):
        found.append([engine.state.epoch, engine.state.iteration, engine.state.output])

    @trainer.on(Events.EPOCH_COMPLETED)
    def test(engine):
        found.append(dict(evaluator.run(loader).metrics))

    state = trainer.run(loader, max_epochs=2)
    return [found, state.iteration, state.epoch_length]


def step_amp_and_scaler():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(
        model,
        optimizer,
        nn.CrossEntropyLoss(),
        gradient_accumulation_steps=2,
        output_transform=lambda x, y, p, loss: {"loss": loss.item(), "size": len(y)},
    )
    M.RunningAverage(output_transform=lambda o: o["loss"]).attach(trainer, "running")
    trainer.run(loader, max_epochs=1)
    return dict(trainer.state.metrics)


def step_checkpoints():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    with tempfile.TemporaryDirectory() as folder:
        handler = ModelCheckpoint(folder, "net", n_saved=2, require_empty=False)
        trainer.add_event_handler(Events.EPOCH_COMPLETED, handler, {"model": model})
        trainer.run(loader, max_epochs=3)
        names = sorted(os.listdir(folder))
        other = _parts()[0]
        Checkpoint.load_objects({"model": other}, torch.load(handler.last_checkpoint))
        return [names, [p for p in other.parameters()][0]]


def step_resume():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    saved = io.BytesIO()
    trainer.add_event_handler(
        Events.EPOCH_COMPLETED(once=1),
        lambda e: torch.save(
            {"trainer": e.state_dict(), "model": model.state_dict(), "opt": optimizer.state_dict()},
            saved,
        ),
    )
    trainer.run(loader, max_epochs=3)
    saved.seek(0)
    model2, loader2, optimizer2 = _parts()
    again = create_supervised_trainer(model2, optimizer2, nn.CrossEntropyLoss())
    Checkpoint.load_objects(
        {"trainer": again, "model": model2, "opt": optimizer2},
        torch.load(saved, weights_only=False),
    )
    again.run(loader2, max_epochs=3)
    return [torch.equal(a, b) for a, b in zip(model.parameters(), model2.parameters(), strict=True)]


def step_early_stopping():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    stop = EarlyStopping(2, lambda e: -1.0, trainer)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, stop)
    trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    timer = Timer(average=True)
    timer.attach(trainer, start=Events.EPOCH_STARTED, resume=Events.ITERATION_STARTED)
    return [trainer.run(loader, max_epochs=10).epoch, timer.value() > 0]


def step_schedules():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    cosine = CosineAnnealingScheduler(optimizer, "lr", 0.2, 0.01, cycle_size=6)
    warm = create_lr_scheduler_with_warmup(cosine, warmup_start_value=0.0, warmup_duration=3)
    trainer.add_event_handler(Events.ITERATION_STARTED, warm)
    rates = []
    trainer.add_event_handler(
        Events.ITERATION_COMPLETED, lambda e: rates.append(optimizer.param_groups[0]["lr"])
    )
    trainer.run(loader, max_epochs=2)
    wrapped = LRScheduler(torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9))
    values = LinearCyclicalScheduler.simulate_values(
        num_events=5, param_name="lr", start_value=1.0, end_value=0.0, cycle_size=4
    )
    return [rates, LRScheduler.simulate_values(3, wrapped.lr_scheduler), values]


def step_ema():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    ema = EMAHandler(model, momentum=0.2)
    ema.attach(trainer, name="ema", event=Events.ITERATION_COMPLETED)
    trainer.run(loader, max_epochs=1)
    return [p for p in ema.ema_model.parameters()]


def step_lr_finder():
    model, loader, optimizer = _parts()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    finder = FastaiLRFinder()
    with finder.attach(
        trainer, {"model": model, "optimizer": optimizer}, num_iter=8, end_lr=1.0
    ) as found:
        found.run(loader)
    return finder.get_results()["lr"]


def step_metrics():
    found = {}
    p, t = torch.rand(20), torch.rand(20)
    for name in (
        "MeanSquaredError",
        "MeanAbsoluteError",
        "RootMeanSquaredError",
        "MeanPairwiseDistance",
    ):
        metric = getattr(M, name)()
        shape = (10, 2) if name == "MeanPairwiseDistance" else (20,)
        metric.update((p.reshape(shape), t.reshape(shape)))
        found[name] = metric.compute()
    from ignite.metrics import regression as R

    for name in (
        "CanberraMetric",
        "FractionalAbsoluteError",
        "GeometricMeanAbsoluteError",
        "ManhattanDistance",
        "MaximumAbsoluteError",
        "MedianAbsoluteError",
        "R2Score",
        "WaveHedgesDistance",
        "PearsonCorrelation",
    ):
        metric = getattr(R, name)()
        metric.update((p, t))
        found[name] = metric.compute()
    for name, metric, data in (
        ("psnr", M.PSNR(1.0), (p.view(1, 1, 4, 5), t.view(1, 1, 4, 5))),
        ("ssim", M.SSIM(1.0), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))),
        ("bleu", M.Bleu(ngram=2), (["the cat is here".split()], [["the cat was here".split()]])),
        ("rouge", M.Rouge(), (["the cat is here".split()], [["the cat was here".split()]])),
        ("kl", M.KLDivergence(), (torch.randn(3, 4), torch.randn(3, 4))),
        ("entropy", M.Entropy(), (torch.randn(3, 4), torch.zeros(3))),
        ("kappa", M.CohenKappa(), (torch.tensor([0, 1, 1]), torch.tensor([0, 1, 0]))),
        ("roc", M.ROC_AUC(), (p, (t > 0.5).long())),
        ("ap", M.AveragePrecision(), (p, (t > 0.5).long())),
    ):
        metric.update(data)
        found[name] = metric.compute()
    return found


def step_arithmetic_of_metrics():
    precision, recall = M.Precision(average=False), M.Recall(average=False)
    f1 = (precision * recall * 2 / (precision + recall + 1e-20)).mean()
    lambda_metric = M.MetricsLambda(lambda a: a * 100, M.Accuracy())
    engine = Engine(lambda e, batch: batch)
    f1.attach(engine, "f1")
    lambda_metric.attach(engine, "percent")
    data = [(torch.rand(6, 3), torch.randint(0, 3, (6,))) for _ in range(3)]
    return dict(engine.run(data).metrics)


def step_events():
    from ignite.engine import EventEnum

    class Own(EventEnum):
        HALF = "half"

    seen = []

    def update(engine, batch):
        if engine.state.iteration == 2:
            engine.fire_event(Own.HALF)
        return batch * 2

    engine = Engine(update)
    engine.register_events(*Own, event_to_attr={Own.HALF: "half"})
    engine.add_event_handler(Own.HALF, lambda e: seen.append("half"))
    engine.add_event_handler(Events.STARTED | Events.COMPLETED, lambda e: seen.append("edge"))
    engine.add_event_handler(
        Events.EPOCH_COMPLETED(event_filter=lambda e, i: i == 2), lambda e: seen.append("2")
    )
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda e, error: seen.append(str(error)))
    engine.run([1, 2, 3], max_epochs=2)
    return [seen, engine.state.output]


def step_helpers():
    return [
        to_onehot(torch.tensor([0, 2]), 3),
        convert_tensor({"a": torch.ones(1)}, device="cpu"),
        [type(ProgressBar(persist=False)).__name__],
    ]


def step_distributed():
    import ignite.distributed as idist

    model, loader, optimizer = _parts()
    return [
        idist.get_world_size(),
        idist.get_rank(),
        str(idist.device()),
        idist.backend(),
        type(idist.auto_model(model)).__name__,
        type(idist.auto_optim(optimizer)).__name__,
        len(idist.auto_dataloader(loader.dataset, batch_size=4)),
        idist.all_reduce(3.0),
        idist.all_gather(torch.ones(1)),
    ]
