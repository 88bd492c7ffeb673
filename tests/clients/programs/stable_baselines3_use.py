"""stable-baselines3: agents that learn, policies, buffers, distributions, saving and loading."""

import io

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import A2C, DDPG, DQN, PPO, SAC, TD3
from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer
from stable_baselines3.common.distributions import (
    BernoulliDistribution,
    CategoricalDistribution,
    DiagGaussianDistribution,
    MultiCategoricalDistribution,
    SquashedDiagGaussianDistribution,
    StateDependentNoiseDistribution,
)
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.envs import IdentityEnvMultiBinary, SimpleMultiObsEnv
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.noise import NormalActionNoise
from stable_baselines3.common.preprocessing import preprocess_obs
from stable_baselines3.common.torch_layers import CombinedExtractor, NatureCNN, create_mlp
from stable_baselines3.common.utils import explained_variance, polyak_update
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize


class Point(gym.Env):
    """A point on a line that is pushed to the middle; nothing of it is random but its start."""

    observation_space = gym.spaces.Box(-4.0, 4.0, (2,), np.float32)

    def __init__(self, discrete=False):
        self.discrete = discrete
        self.action_space = (
            gym.spaces.Discrete(3) if discrete else gym.spaces.Box(-1.0, 1.0, (1,), np.float32)
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=3 if seed is None else seed)
        self.x, self.v, self.count = float(self.np_random.uniform(-1, 1)), 0.0, 0
        return self._seen(), {}

    def _seen(self):
        return np.array([self.x, self.v], np.float32)

    def step(self, action):
        push = float(action) - 1 if self.discrete else float(np.asarray(action).ravel()[0])
        self.v = 0.9 * self.v + 0.1 * push
        self.x = float(np.clip(self.x + self.v, -4, 4))
        self.count += 1
        return self._seen(), -abs(self.x), False, self.count >= 25, {}


def _weights(model):
    return [[p.sum(), p.square().sum()] for p in model.policy.parameters()]


def _learn(kind, discrete, steps, **arguments):
    model = kind("MlpPolicy", Point(discrete), seed=0, device="cpu", **arguments)
    model.learn(steps)
    return model


def step_check():
    check_env(Point(), warn=False)
    return True


def step_ppo():
    model = _learn(PPO, True, 128, n_steps=64, batch_size=32, n_epochs=3)
    return [_weights(model), evaluate_policy(model, Point(True), 2)]


def step_ppo_continuous():
    model = _learn(PPO, False, 128, n_steps=64, batch_size=32, n_epochs=2, target_kl=0.5)
    return _weights(model)


def step_ppo_sde():
    model = _learn(PPO, False, 128, n_steps=64, batch_size=32, n_epochs=2, use_sde=True)
    return _weights(model)


def step_a2c():
    return _weights(_learn(A2C, True, 60, policy_kwargs={"net_arch": [16, 16]}))


def step_dqn():
    model = _learn(DQN, True, 150, learning_starts=40, target_update_interval=30, batch_size=16)
    return [_weights(model), model.predict(np.zeros(2, np.float32), deterministic=True)[0]]


def step_sac():
    return _weights(_learn(SAC, False, 60, learning_starts=20, batch_size=16))


def step_td3():
    noise = NormalActionNoise(np.zeros(1), 0.1 * np.ones(1))
    return _weights(_learn(TD3, False, 60, learning_starts=20, batch_size=16, action_noise=noise))


def step_ddpg():
    return _weights(_learn(DDPG, False, 50, learning_starts=20, batch_size=16))


def step_multi_binary():
    model = A2C("MlpPolicy", IdentityEnvMultiBinary(3), seed=0, device="cpu", n_steps=8)
    return _weights(model.learn(32))


def step_save_and_load():
    model = _learn(PPO, True, 64, n_steps=32, batch_size=16, n_epochs=1)
    file = io.BytesIO()
    model.save(file)
    file.seek(0)
    again = PPO.load(file, env=Point(True), device="cpu")
    same = all(
        torch.equal(a, b) for a, b in zip(model.policy.parameters(), again.policy.parameters())
    )
    again.learn(32)
    return [same, _weights(again)]


def step_vec_normalize():
    env = VecNormalize(DummyVecEnv([lambda: Point(True), lambda: Point(True)]))
    model = PPO("MlpPolicy", env, seed=0, n_steps=16, batch_size=16, n_epochs=1, device="cpu")
    model.learn(32)
    return [_weights(model), env.obs_rms.mean, env.ret_rms.var]


def step_pictures():
    env = SimpleMultiObsEnv(random_start=False)
    model = PPO("MultiInputPolicy", env, seed=0, n_steps=8, batch_size=8, n_epochs=1, device="cpu")
    extractor = model.policy.features_extractor
    return [isinstance(extractor, CombinedExtractor), str(model.policy)[:600]]


def step_nature_cnn():
    space = gym.spaces.Box(0, 255, (3, 40, 40), np.uint8)
    net = NatureCNN(space, 32)
    seen = preprocess_obs(torch.randint(0, 255, (2, 3, 40, 40), dtype=torch.uint8), space)
    out = net(seen)
    out.sum().backward()
    return [out, net.cnn[0].weight.grad.sum()]


def step_distributions():
    found = []
    latent = torch.randn(4, 8)
    for dist in (
        CategoricalDistribution(3),
        BernoulliDistribution(3),
        MultiCategoricalDistribution([2, 3]),
    ):
        net = dist.proba_distribution_net(8)
        dist.proba_distribution(net(latent))
        found.append([dist.sample(), dist.mode(), dist.entropy(), dist.log_prob(dist.mode())])
    for kind in (DiagGaussianDistribution, SquashedDiagGaussianDistribution):
        dist = kind(2)
        net, log_std = dist.proba_distribution_net(8)
        dist.proba_distribution(net(latent), log_std)
        action = dist.sample()
        found.append([action, dist.log_prob(action), dist.mode()])
    return found


def step_state_dependent_noise():
    dist = StateDependentNoiseDistribution(2, squash_output=True)
    net, log_std = dist.proba_distribution_net(8)
    latent = torch.randn(4, 8)
    dist.sample_weights(log_std, batch_size=4)
    dist.proba_distribution(net(latent), log_std, latent)
    action = dist.get_actions()
    return [action, dist.log_prob(action)]


def step_buffers():
    env = Point()
    buffer = ReplayBuffer(10, env.observation_space, env.action_space, device="cpu")
    for i in range(12):
        seen = np.full((1, 2), i, np.float32)
        buffer.add(seen, seen + 1, np.zeros((1, 1)), np.array([i]), np.array([i % 3 == 0]), [{}])
    np.random.seed(0)
    found = buffer.sample(4)
    rollout = RolloutBuffer(4, env.observation_space, env.action_space, device="cpu")
    for i in range(4):
        rollout.add(
            np.full((1, 2), i),
            np.zeros((1, 1)),
            np.ones(1),
            np.zeros(1),
            torch.tensor([[0.1 * i]]),
            torch.tensor([-0.5]),
        )
    rollout.compute_returns_and_advantage(torch.tensor([[0.2]]), np.zeros(1))
    return [found.observations, found.dones, rollout.returns, rollout.advantages]


def step_utilities():
    a, b = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    polyak_update(a.parameters(), b.parameters(), 0.3)
    layers = create_mlp(4, 2, [8, 8], squash_output=True)
    y = np.arange(5.0)
    return [b.weight, str(torch.nn.Sequential(*layers)), explained_variance(y + 0.1, y)]


def step_export():
    model = _learn(PPO, True, 32, n_steps=32, batch_size=16, n_epochs=1)

    class Policy(torch.nn.Module):
        def __init__(self, policy):
            super().__init__()
            self.policy = policy

        def forward(self, seen):
            return self.policy(seen, deterministic=True)

    traced = torch.jit.trace(Policy(model.policy), torch.zeros(1, 2), check_trace=False)
    return traced(torch.tensor([[0.5, -0.5]]))
