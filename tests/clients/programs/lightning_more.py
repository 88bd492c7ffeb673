"""lightning: data modules, callbacks, profilers, loggers, tuning, flags, hooks, fabric."""

import os
import tempfile
import warnings
from pathlib import Path

import lightning as L
import torch
from lightning.pytorch import callbacks as C
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from lightning.pytorch.tuner import Tuner
from lightning.pytorch.utilities import CombinedLoader, grad_norm
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

warnings.filterwarnings("ignore")


class Data(L.LightningDataModule):
    def __init__(self, batch_size: int = 8):
        super().__init__()
        self.save_hyperparameters()
        self.batch_size = batch_size

    def prepare_data(self):
        self.prepared = True

    def setup(self, stage):
        x = torch.randn(40, 4, generator=torch.Generator().manual_seed(0))
        data = TensorDataset(x, (x.sum(1) > 0).long())
        self.train, self.val, self.test = random_split(
            data, [24, 8, 8], generator=torch.Generator().manual_seed(42)
        )

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=self.batch_size)

    def test_dataloader(self):
        return DataLoader(self.test, batch_size=self.batch_size)

    def predict_dataloader(self):
        return DataLoader(self.test, batch_size=self.batch_size)


class Classifier(L.LightningModule):
    def __init__(self, hidden: int = 8, lr: float = 1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.lr = lr
        self.net = nn.Sequential(nn.Linear(4, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.example_input_array = torch.zeros(1, 4)
        self.losses = []

    def forward(self, x):
        return self.net(x)

    def _shared(self, batch):
        x, y = batch
        logits = self(x)
        return F.cross_entropy(logits, y), (logits.argmax(1) == y).float().mean()

    def training_step(self, batch, batch_idx):
        loss, acc = self._shared(batch)
        self.log_dict({"train_loss": loss, "train_acc": acc}, prog_bar=True, on_epoch=True)
        self.losses.append(loss.item())
        return loss

    def validation_step(self, batch, batch_idx):
        loss, acc = self._shared(batch)
        self.log("val_loss", loss)
        self.log("val_acc", acc)

    def test_step(self, batch, batch_idx):
        loss, acc = self._shared(batch)
        self.log_dict({"test_loss": loss, "test_acc": acc})

    def predict_step(self, batch, batch_idx):
        return self(batch[0]).softmax(-1)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


def _run(model=None, fit=True, **options):
    folder = tempfile.mkdtemp()
    L.seed_everything(7)
    defaults = {
        "max_epochs": 2,
        "accelerator": "auto" if options.pop("auto", False) else "cpu",
        "devices": 1,
        "logger": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "enable_checkpointing": False,
        "default_root_dir": folder,
        "log_every_n_steps": 1,
    }
    model = model if model is not None else Classifier()
    trainer = L.Trainer(**(defaults | options))
    if fit:
        trainer.fit(model, datamodule=Data())
    return model, trainer, Path(folder)


def step_datamodule():
    model, trainer, _ = _run()
    data = Data()
    found = trainer.test(model, datamodule=data, verbose=False)
    return [model.losses, found, torch.cat(trainer.predict(model, datamodule=data))]


def step_metrics_logged():
    _, trainer, _ = _run()
    return {k: v for k, v in trainer.callback_metrics.items()}


def step_auto():
    model, trainer, _ = _run(auto=True, strategy="auto")
    return [model.losses, type(trainer.strategy).__name__, str(model.device)]


def step_fast_dev_run():
    model, trainer, _ = _run(fast_dev_run=True)
    return [model.losses, trainer.global_step]


def step_limits():
    model, trainer, _ = _run(
        max_epochs=-1,
        max_steps=5,
        limit_train_batches=2,
        limit_val_batches=1,
        num_sanity_val_steps=1,
        val_check_interval=1,
    )
    return [len(model.losses), trainer.current_epoch]


def step_overfit_batches():
    return _run(overfit_batches=1, max_epochs=3)[0].losses


def step_deterministic():
    losses = _run(deterministic=True)[0].losses
    torch.use_deterministic_algorithms(False)
    return losses


def step_detect_anomaly():
    return _run(detect_anomaly=True)[0].losses


def step_clip_by_value():
    return _run(gradient_clip_val=0.01, gradient_clip_algorithm="value")[0].losses


def step_precisions():
    found = {}
    for precision in ("32-true", "64-true", "bf16-true", "bf16-mixed"):

        class Cast(Classifier):
            def _shared(self, batch):
                x, y = batch
                logits = self(x.to(self.dtype))
                return F.cross_entropy(logits, y), (logits.argmax(1) == y).float().mean()

        model, trainer, _ = _run(Cast(), precision=precision, max_epochs=1)
        found[precision] = [str(model.dtype), round(model.losses[0], 2)]
    return found


def step_simple_profiler():
    from lightning.pytorch.profilers import SimpleProfiler

    folder = tempfile.mkdtemp()
    profiler = SimpleProfiler(dirpath=folder, filename="perf")
    _run(profiler=profiler, max_epochs=1)
    names = [line for line in profiler.summary().split("\n") if "optimizer_step" in line]
    return [len(names) > 0, sorted(os.listdir(folder))]


def step_advanced_profiler():
    from lightning.pytorch.profilers import AdvancedProfiler

    profiler = AdvancedProfiler()
    _run(profiler=profiler, max_epochs=1)
    return "run_training_batch" in profiler.summary()


def step_pytorch_profiler():
    from lightning.pytorch.profilers import PyTorchProfiler

    folder = tempfile.mkdtemp()
    profiler = PyTorchProfiler(dirpath=folder, filename="trace", export_to_chrome=True)
    _run(profiler=profiler, max_epochs=1)
    return "Optimizer.step#AdamW.step" in profiler.summary()


def step_csv_logger():
    folder = tempfile.mkdtemp()
    logger = CSVLogger(folder, name="run", flush_logs_every_n_steps=1)
    _run(logger=logger)
    rows = (Path(logger.log_dir) / "metrics.csv").read_text().splitlines()
    params = (Path(logger.log_dir) / "hparams.yaml").read_text()
    return [rows[0], len(rows), params]


def step_tensorboard():
    folder = tempfile.mkdtemp()
    logger = TensorBoardLogger(folder, name="tb", default_hp_metric=False)
    _run(logger=logger)
    logger.log_hyperparams({"a": 1}, {"hp/metric": 0.5})
    logger.finalize("success")
    return sorted(name.split(".")[0] for name in os.listdir(logger.log_dir))


def step_tensorboard_graph():
    folder = tempfile.mkdtemp()
    logger = TensorBoardLogger(folder, log_graph=True)
    model, _, _ = _run(logger=logger, max_epochs=1)
    logger.experiment.add_histogram("w", model.net[0].weight, 0)
    logger.experiment.add_image("i", torch.rand(3, 4, 4), 0)
    return len(model.losses)


def step_lr_find():
    model, trainer, _ = _run(fit=False, max_epochs=1)
    found = Tuner(trainer).lr_find(model, datamodule=Data(), num_training=12, update_attr=True)
    return [len(found.results["lr"]), found.results["loss"][:4]]


def step_scale_batch_size():
    model, trainer, _ = _run(fit=False, max_epochs=1)
    data = Data(2)
    Tuner(trainer).scale_batch_size(
        model, datamodule=data, mode="power", steps_per_trial=1, max_trials=2, init_val=2
    )
    return data.batch_size


def step_model_checkpoint():
    folder = tempfile.mkdtemp()
    saver = C.ModelCheckpoint(
        folder, monitor="val_loss", save_top_k=2, filename="{epoch}-{step}", save_last=True
    )
    model, _, _ = _run(callbacks=[saver], enable_checkpointing=True, max_epochs=3)
    checkpoint = torch.load(saver.last_model_path, weights_only=False)
    again = Classifier.load_from_checkpoint(saver.best_model_path, lr=0.5)
    return [
        sorted(os.listdir(folder)),
        sorted(checkpoint),
        again.hparams,
        again(torch.ones(1, 4)),
        sorted(checkpoint["state_dict"]),
    ]


def step_checkpoint_hooks():
    class Hooked(Classifier):
        def on_save_checkpoint(self, checkpoint):
            checkpoint["mine"] = [1, 2]

        def on_load_checkpoint(self, checkpoint):
            self.loaded = checkpoint["mine"]

    model, trainer, folder = _run(Hooked(), max_epochs=1)
    trainer.save_checkpoint(folder / "x.ckpt")
    trainer.save_checkpoint(folder / "w.ckpt", weights_only=True)
    return [
        Hooked.load_from_checkpoint(folder / "x.ckpt").loaded,
        sorted(torch.load(folder / "w.ckpt", weights_only=False)),
    ]


def step_resume():
    model, trainer, folder = _run(max_epochs=1)
    trainer.save_checkpoint(folder / "x.ckpt")
    model, trainer, _ = _run(fit=False, max_epochs=3)
    trainer.fit(model, datamodule=Data(), ckpt_path=str(folder / "x.ckpt"))
    return [model.losses, trainer.global_step]


def step_early_stopping():
    stopper = C.EarlyStopping("val_acc", mode="max", patience=1)
    _, trainer, _ = _run(callbacks=[stopper], max_epochs=6)
    return [trainer.current_epoch, stopper.stopped_epoch, stopper.best_score]


def step_swa():
    model, _, _ = _run(callbacks=[C.StochasticWeightAveraging(swa_lrs=1e-2)], max_epochs=4)
    return [p.sum() for p in model.parameters()]


def step_weight_averaging():
    if not hasattr(C, "EMAWeightAveraging"):
        return None
    model, _, _ = _run(callbacks=[C.EMAWeightAveraging(decay=0.9)], max_epochs=2)
    return [p.sum() for p in model.parameters()]


def step_accumulation_scheduler():
    callback = C.GradientAccumulationScheduler(scheduling={0: 1, 1: 3})
    return _run(callbacks=[callback])[1].global_step


def step_finetuning():
    class Freeze(C.BaseFinetuning):
        def freeze_before_training(self, pl_module):
            self.freeze(pl_module.net[0])

        def finetune_function(self, pl_module, epoch, optimizer):
            if epoch == 1:
                self.unfreeze_and_add_param_group(pl_module.net[0], optimizer, lr=0.1)

    class Half(Classifier):
        def configure_optimizers(self):
            return torch.optim.SGD(filter(lambda p: p.requires_grad, self.parameters()), lr=0.1)

    model, trainer, _ = _run(Half(), callbacks=[Freeze()], max_epochs=3)
    return [model.losses, len(trainer.optimizers[0].param_groups)]


def step_pruning():
    model, _, _ = _run(callbacks=[C.ModelPruning("l1_unstructured", amount=0.5)], max_epochs=1)
    return [int((p == 0).sum()) for p in model.parameters()]


def step_lambda_and_timer():
    seen = []
    extra = C.LambdaCallback(on_train_epoch_end=lambda trainer, module: seen.append("end"))
    timer = C.Timer(duration="00:01:00:00")
    _run(callbacks=[extra, timer])
    return [seen, timer.time_elapsed("train") > 0]


def step_own_callback():
    class Record(C.Callback):
        def __init__(self):
            self.seen = []

        def on_fit_start(self, trainer, pl_module):
            self.seen.append("fit")

        def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
            self.seen.append(round(outputs["loss"].item(), 4))

        def on_before_optimizer_step(self, trainer, pl_module, optimizer):
            self.seen.append({k: float(v) for k, v in grad_norm(pl_module, 2).items()})

        def state_dict(self):
            return {"n": len(self.seen)}

    record = Record()
    _run(callbacks=[record], max_epochs=1)
    return record.seen


def step_rich_and_summary():
    _, trainer, _ = _run(callbacks=[C.RichModelSummary(max_depth=2)], max_epochs=1)
    from lightning.pytorch.utilities.model_summary import summarize

    return str(summarize(Classifier(), max_depth=2))


def step_progress_bar():
    _, trainer, _ = _run(
        callbacks=[C.TQDMProgressBar(refresh_rate=1)], enable_progress_bar=True, max_epochs=1
    )
    return sorted(trainer.progress_bar_metrics)


def step_schedulers():
    class Scheduled(Classifier):
        def configure_optimizers(self):
            optimizer = torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)
            return {
                "optimizer": optimizer,
                "lr_scheduler": {
                    "scheduler": torch.optim.lr_scheduler.OneCycleLR(
                        optimizer, 0.2, total_steps=self.trainer.estimated_stepping_batches
                    ),
                    "interval": "step",
                },
            }

    monitor = C.LearningRateMonitor("step")
    folder = tempfile.mkdtemp()
    _, trainer, _ = _run(Scheduled(), callbacks=[monitor], logger=CSVLogger(folder))
    return [trainer.optimizers[0].param_groups[0]["lr"], trainer.estimated_stepping_batches]


def step_plateau():
    class Plateau(Classifier):
        def configure_optimizers(self):
            optimizer = torch.optim.Adam(self.parameters(), lr=1.0)
            scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
            return [optimizer], [{"scheduler": scheduler, "monitor": "val_loss"}]

    return _run(Plateau(), max_epochs=4)[1].optimizers[0].param_groups[0]["lr"]


def step_two_optimizers():
    class Gan(L.LightningModule):
        def __init__(self):
            super().__init__()
            self.automatic_optimization = False
            self.g, self.d = nn.Linear(2, 4), nn.Linear(4, 1)
            self.losses = []

        def training_step(self, batch, batch_idx):
            opt_g, opt_d = self.optimizers()
            x, _ = batch
            z = torch.randn(x.shape[0], 2).type_as(x)
            self.toggle_optimizer(opt_g)
            loss = F.binary_cross_entropy_with_logits(self.d(self.g(z)), torch.ones(len(x), 1))
            opt_g.zero_grad()
            self.manual_backward(loss)
            self.clip_gradients(opt_g, gradient_clip_val=0.5)
            opt_g.step()
            self.untoggle_optimizer(opt_g)
            fake = self.d(self.g(z).detach())
            other = F.binary_cross_entropy_with_logits(fake, torch.zeros(len(x), 1))
            opt_d.zero_grad()
            self.manual_backward(other)
            opt_d.step()
            self.losses.append([loss.item(), other.item()])

        def configure_optimizers(self):
            return (
                torch.optim.Adam(self.g.parameters(), lr=0.01, betas=(0.5, 0.999)),
                torch.optim.Adam(self.d.parameters(), lr=0.01, betas=(0.5, 0.999)),
            )

    return _run(Gan())[0].losses


def step_compile():
    model = torch.compile(Classifier())
    folder = tempfile.mkdtemp()
    L.seed_everything(7)
    trainer = L.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        default_root_dir=folder,
    )
    trainer.fit(model, datamodule=Data())
    return trainer.global_step


def step_combined_loader():
    a, b = DataLoader(range(5), batch_size=2), DataLoader(range(3), batch_size=1)
    return [
        [batch for batch, _, _ in CombinedLoader({"a": a, "b": b}, mode)]
        for mode in ("min_size", "max_size_cycle", "sequential")
    ]


def step_inference_flag():
    class Check(Classifier):
        def validation_step(self, batch, batch_idx):
            self.mode = torch.is_inference_mode_enabled()

    found = []
    for flag in (True, False):
        model, trainer, _ = _run(Check(), fit=False, inference_mode=flag)
        trainer.validate(model, datamodule=Data(), verbose=False)
        found.append(model.mode)
    return found


def step_metric_objects():
    import torchmetrics

    class Measured(Classifier):
        def __init__(self):
            super().__init__()
            self.acc = torchmetrics.classification.MulticlassAccuracy(2)

        def validation_step(self, batch, batch_idx):
            self.acc(self(batch[0]), batch[1])
            self.log("acc", self.acc)

    return _run(Measured())[1].callback_metrics["acc"]


def step_freeze_and_export():
    model = _run(max_epochs=1)[0]
    model.freeze()
    frozen = [p.requires_grad for p in model.parameters()]
    model.unfreeze()
    scripted = model.to_torchscript(method="trace", example_inputs=torch.zeros(1, 4))
    return [frozen, scripted(torch.ones(2, 4)), model(torch.ones(2, 4))]


def step_isolated_rng():
    from lightning.pytorch.utilities.seed import isolate_rng

    L.seed_everything(1)
    with isolate_rng():
        first = torch.rand(2)
    return [first, torch.rand(2)]


def step_fabric_train():
    L.seed_everything(1)
    fabric = L.Fabric(accelerator="cpu", devices=1, precision="32-true")
    fabric.launch()
    with fabric.init_module():
        model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model, optimizer = fabric.setup(model, optimizer)
    data = Data()
    data.setup("fit")
    loader = fabric.setup_dataloaders(data.train_dataloader())
    found = []
    for i, (x, y) in enumerate(loader):
        with fabric.no_backward_sync(model, enabled=i % 2 == 0):
            loss = F.cross_entropy(model(x), y)
            fabric.backward(loss)
        fabric.clip_gradients(model, optimizer, max_norm=0.5)
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
        found.append(loss.item())
    return [found, fabric.global_rank, fabric.world_size, fabric.is_global_zero]


def step_fabric_checkpoint():
    fabric = L.Fabric(accelerator="cpu", devices=1)
    model = fabric.setup(nn.Linear(2, 2))
    path = os.path.join(tempfile.mkdtemp(), "state.ckpt")
    fabric.save(path, {"model": model, "step": 5})
    state = {"model": fabric.setup(nn.Linear(2, 2)), "step": 0}
    fabric.load(path, state)
    return [state["step"], state["model"](torch.ones(1, 2))]


def step_fabric_collectives():
    fabric = L.Fabric(accelerator="cpu", devices=1)
    return [
        fabric.all_reduce(torch.tensor(3.0)),
        fabric.all_gather(torch.ones(2)),
        fabric.broadcast([1, 2]),
        fabric.barrier(),
        str(fabric.device),
    ]


def step_fabric_autocast():
    fabric = L.Fabric(accelerator="cpu", precision="bf16-mixed")
    model = fabric.setup(nn.Linear(4, 2))
    with fabric.autocast():
        inner = torch.ones(2, 4) @ torch.ones(4, 2)
    return [str(inner.dtype), str(model(torch.ones(1, 4)).dtype)]


class Rows(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return {"x": torch.full((2,), float(index)), "name": str(index)}


def step_workers():
    loader = DataLoader(Rows(), batch_size=2, num_workers=2, persistent_workers=True)
    return [[b["x"], b["name"]] for b in loader]
