# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _adafactor as _adafactor
from . import _functional as _functional
from . import _multi_tensor as _multi_tensor
from . import _muon as _muon
from . import _stateless as _stateless
from . import lr_scheduler as lr_scheduler
from . import swa_utils as swa_utils
from mindtorch.optim._adafactor import Adafactor as Adafactor
from mindtorch.optim._muon import Muon as Muon
from mindtorch.optim._stateless import swap_in_optimizer_params_and_state as swap_in_optimizer_params_and_state
from mindtorch.optim.adadelta import Adadelta as Adadelta
from mindtorch.optim.adagrad import Adagrad as Adagrad
from mindtorch.optim.adam import Adam as Adam
from mindtorch.optim.adamax import Adamax as Adamax
from mindtorch.optim.adamw import AdamW as AdamW
from mindtorch.optim.asgd import ASGD as ASGD
from mindtorch.optim.lbfgs import LBFGS as LBFGS
from mindtorch.optim.nadam import NAdam as NAdam
from mindtorch.optim.optimizer import Optimizer as Optimizer
from mindtorch.optim.radam import RAdam as RAdam
from mindtorch.optim.rmsprop import RMSprop as RMSprop
from mindtorch.optim.rprop import Rprop as Rprop
from mindtorch.optim.sgd import SGD as SGD
from mindtorch.optim.sparse_adam import SparseAdam as SparseAdam

