"""skorch: scikit-learn's interface over a module."""

import pickle

import numpy
import torch
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetBinaryClassifier, NeuralNetClassifier, NeuralNetRegressor
from skorch.callbacks import EarlyStopping, EpochScoring, LRScheduler
from skorch.helper import SliceDataset


class Net(torch.nn.Module):
    def __init__(self, width=8, out=2):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, out)
        )

    def forward(self, x):
        return self.net(x)


RANDOM = numpy.random.RandomState(0)
X = RANDOM.randn(40, 4).astype(numpy.float32)
Y = (X.sum(1) > 0).astype(numpy.int64)
OPTIONS = {"max_epochs": 3, "lr": 0.1, "verbose": 0, "criterion": torch.nn.CrossEntropyLoss}


def _classifier(**more):
    torch.manual_seed(0)
    return NeuralNetClassifier(Net, **(OPTIONS | more))


def step_fit():
    net = _classifier().fit(X, Y)
    return [net.history[:, "train_loss"], net.predict(X), net.score(X, Y)]


def step_probabilities():
    return _classifier().fit(X, Y).predict_proba(X[:3])


def step_regressor():
    torch.manual_seed(0)
    net = NeuralNetRegressor(Net, module__out=1, max_epochs=2, lr=0.05, verbose=0)
    return net.fit(X, X[:, :1]).predict(X[:3])


def step_binary():
    torch.manual_seed(0)
    net = NeuralNetBinaryClassifier(Net, module__out=1, max_epochs=2, verbose=0)
    return net.fit(X, Y.astype(numpy.float32)).predict(X[:5])


def step_pipeline():
    return make_pipeline(StandardScaler(), _classifier()).fit(X, Y).score(X, Y)


def step_grid():
    search = GridSearchCV(_classifier(train_split=False), {"lr": [0.01, 0.1]}, cv=2, refit=False)
    search.fit(X, Y)
    return sorted(search.cv_results_["param_lr"].data.tolist())


def step_cross_validation():
    return len(cross_val_score(_classifier(), X, Y, cv=2))


def step_callbacks():
    net = _classifier(
        callbacks=[
            EarlyStopping(patience=2),
            LRScheduler("StepLR", step_size=1),
            EpochScoring("accuracy", name="acc", on_train=True),
        ]
    )
    return net.fit(X, Y).history[:, "acc"]


def step_save():
    net = _classifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(net))
    return abs(net.predict_proba(X) - again.predict_proba(X)).max() == 0


def step_parameters():
    import io

    net = _classifier().fit(X, Y)
    buffer = io.BytesIO()
    net.save_params(f_params=buffer)
    buffer.seek(0)
    again = _classifier().initialize()
    again.load_params(f_params=buffer)
    return (again.predict(X) == net.predict(X)).all().item()


def step_slices():
    data = torch.utils.data.TensorDataset(torch.tensor(X), torch.tensor(Y))
    return [float(each) for each in SliceDataset(data, 1)[:4]]


def step_adam():
    net = _classifier(
        optimizer=torch.optim.Adam, optimizer__weight_decay=0.01, iterator_train__shuffle=True
    )
    return net.fit(X, Y).history[-1, "train_loss"]
