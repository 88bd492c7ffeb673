"""lightning: a module, the trainer, callbacks, checkpoints, fabric."""

import tempfile

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger
from torch.utils.data import DataLoader, TensorDataset


class Model(L.LightningModule):
    def __init__(self, width: int = 8):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, 1)
        )
        self.losses = []

    def training_step(self, batch, index):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        self.losses.append(loss.item())
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("val_loss", torch.nn.functional.mse_loss(self.net(x), y))

    test_step = validation_step

    def predict_step(self, batch, index):
        return self.net(batch[0])

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=1e-2)
        return {
            "optimizer": optimizer,
            "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5),
        }


def _loader(shuffle=False):
    x = torch.randn(32, 4, generator=torch.Generator().manual_seed(0))
    return DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8, shuffle=shuffle)


def _trainer(folder, **options):
    defaults = {
        "max_epochs": 2,
        "accelerator": "cpu",
        "devices": 1,
        "logger": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "enable_checkpointing": False,
        "default_root_dir": folder,
    }
    return L.Trainer(**(defaults | options))


def step_fit():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model = Model()
        _trainer(folder).fit(model, _loader(True), _loader())
        return model.losses


def step_validate_test_predict():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model, trainer = Model(), _trainer(folder)
        return [
            trainer.validate(model, _loader(), verbose=False),
            trainer.test(model, _loader(), verbose=False),
            torch.cat(trainer.predict(model, _loader())),
        ]


def step_checkpoint():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model = Model()
        saver = ModelCheckpoint(folder, monitor="val_loss", save_last=True)
        trainer = _trainer(folder, enable_checkpointing=True, callbacks=[saver])
        trainer.fit(model, _loader(), _loader())
        again = Model.load_from_checkpoint(saver.best_model_path)
        x = torch.ones(1, 4)
        return [again.net(x), saver.best_model_score, again.hparams.width]


def step_resume():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        trainer = _trainer(folder, max_epochs=1)
        trainer.fit(Model(), _loader())
        trainer.save_checkpoint(f"{folder}/a.ckpt")
        model = Model()
        _trainer(folder, max_epochs=2).fit(model, _loader(), ckpt_path=f"{folder}/a.ckpt")
        return model.losses


def step_callbacks():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        trainer = _trainer(
            folder,
            max_epochs=4,
            callbacks=[
                EarlyStopping("val_loss", patience=1, min_delta=10.0),
                LearningRateMonitor(),
            ],
            logger=CSVLogger(folder),
        )
        trainer.fit(Model(), _loader(), _loader())
        return trainer.current_epoch


def step_accumulate_and_clip():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model = Model()
        _trainer(folder, accumulate_grad_batches=2, gradient_clip_val=0.5).fit(model, _loader())
        return model.losses


def step_bf16():
    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model = Model()
        _trainer(folder, precision="bf16-mixed").fit(model, _loader())
        return [round(x, 1) for x in model.losses[:3]]


def step_manual_optimization():
    class Manual(Model):
        def __init__(self):
            super().__init__()
            self.automatic_optimization = False

        def training_step(self, batch, index):
            optimizer = self.optimizers()
            x, y = batch
            loss = torch.nn.functional.mse_loss(self.net(x), y)
            optimizer.zero_grad()
            self.manual_backward(loss)
            optimizer.step()
            self.losses.append(loss.item())

    with tempfile.TemporaryDirectory() as folder:
        L.seed_everything(0)
        model = Manual()
        _trainer(folder, max_epochs=1).fit(model, _loader())
        return model.losses


def step_fabric():
    fabric = L.Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    fabric.seed_everything(0)
    model = torch.nn.Linear(4, 1)
    model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=0.1))
    losses = []
    for x, y in fabric.setup_dataloaders(_loader()):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        fabric.backward(loss)
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_summary():
    from lightning.pytorch.utilities.model_summary import ModelSummary

    return str(ModelSummary(Model()))
