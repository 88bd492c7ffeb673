"""Training loops with all that scripts put around them: AMP, scaler, compile, PPO, SWA, resume."""

import contextlib
import io
import math
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


@dataclass
class Config:
    block: int = 16
    vocab: int = 27
    layers: int = 2
    heads: int = 2
    width: int = 16
    dropout: float = 0.1
    bias: bool = False


class LayerNorm(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class Block(nn.Module):
    def __init__(self, c, flash):
        super().__init__()
        self.c, self.flash = c, flash
        self.ln1, self.ln2 = LayerNorm(c.width, c.bias), LayerNorm(c.width, c.bias)
        self.attn = nn.Linear(c.width, 3 * c.width, bias=c.bias)
        self.proj = nn.Linear(c.width, c.width, bias=c.bias)
        self.mlp = nn.ModuleDict(
            {
                "up": nn.Linear(c.width, 4 * c.width),
                "act": nn.GELU(),
                "down": nn.Linear(4 * c.width, c.width),
            }
        )
        self.drop = nn.Dropout(c.dropout)
        if not flash:
            self.register_buffer(
                "mask", torch.tril(torch.ones(c.block, c.block)).view(1, 1, c.block, c.block)
            )

    def forward(self, x):
        b, t, w = x.size()
        q, k, v = self.attn(self.ln1(x)).split(w, dim=2)
        q, k, v = (a.view(b, t, self.c.heads, w // self.c.heads).transpose(1, 2) for a in (q, k, v))
        if self.flash:
            y = F.scaled_dot_product_attention(
                q, k, v, dropout_p=self.c.dropout if self.training else 0, is_causal=True
            )
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
            y = self.drop(F.softmax(att, dim=-1)) @ v
        x = x + self.drop(self.proj(y.transpose(1, 2).contiguous().view(b, t, w)))
        m = self.mlp
        return x + self.drop(m["down"](m["act"](m["up"](self.ln2(x)))))


class GPT(nn.Module):
    def __init__(self, c, flash=True):
        super().__init__()
        self.c = c
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(c.vocab, c.width),
                wpe=nn.Embedding(c.block, c.width),
                h=nn.ModuleList([Block(c, flash) for _ in range(c.layers)]),
                ln=LayerNorm(c.width, c.bias),
            )
        )
        self.head = nn.Linear(c.width, c.vocab, bias=False)
        self.transformer.wte.weight = self.head.weight
        self.apply(self._init)
        for name, p in self.named_parameters():
            if name.endswith("proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * c.layers))

    def _init(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if getattr(module, "bias", None) is not None:
                torch.nn.init.zeros_(module.bias)

    def forward(self, ids, targets=None):
        t = self.transformer
        x = t.wte(ids) + t.wpe(torch.arange(ids.size(1), device=ids.device))
        for block in t.h:
            x = block(x)
        x = t.ln(x)
        if targets is None:
            return self.head(x[:, [-1], :]), None
        logits = self.head(x)
        return logits, F.cross_entropy(
            logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1
        )

    def optimizer(self):
        named = {n: p for n, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in named.values() if p.dim() >= 2], "weight_decay": 0.1},
            {"params": [p for p in named.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=6e-3, betas=(0.9, 0.95), fused=False)

    @torch.no_grad()
    def generate(self, ids, count, temperature=1.0, top_k=None):
        for _ in range(count):
            logits = self(ids[:, -self.c.block :])[0][:, -1, :] / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            ids = torch.cat((ids, torch.multinomial(F.softmax(logits, dim=-1), 1)), dim=1)
        return ids


def _batch(data, c):
    ix = torch.randint(len(data) - c.block, (4,))
    x = torch.stack([data[i : i + c.block] for i in ix])
    return x, torch.stack([data[i + 1 : i + 1 + c.block] for i in ix])


def _text():
    return torch.tensor(
        [ord(c) - 97 if c != " " else 26 for c in "the quick brown fox jumps over " * 8]
    )


def _nano(dtype, flash=True, compiled=False, accumulate=2):
    c, data = Config(), _text()
    model = GPT(c, flash)
    optimizer = model.optimizer()
    scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)
    context = (
        contextlib.nullcontext()
        if dtype == torch.float32
        else torch.amp.autocast("cpu", dtype=dtype)
    )
    run = torch.compile(model) if compiled else model
    losses = []
    x, y = _batch(data, c)
    for step in range(4):
        rate = 6e-3 * min(1.0, (step + 1) / 2) * 0.5 * (1 + math.cos(math.pi * step / 4))
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(accumulate):
            with context:
                _, loss = run(x, y)
                loss = loss / accumulate
            x, y = _batch(data, c)
            scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        losses.append([loss.item() * accumulate, norm])
    model.eval()
    said = model.generate(torch.zeros((1, 1), dtype=torch.long), 6, temperature=0.8, top_k=5)
    return [losses, said, sum(p.numel() for p in model.parameters())]


def step_nano_gpt():
    return _nano(torch.float32)


def step_nano_gpt_slow_attention():
    return _nano(torch.float32, flash=False)


def step_nano_gpt_compiled():
    return _nano(torch.float32, compiled=True)


def step_nano_gpt_bfloat16():
    losses, _, count = _nano(torch.bfloat16)
    return [[round(loss, 1) for loss, _ in losses], count]


def step_estimate_loss_and_crop():
    c, data = Config(dropout=0.0), _text()
    model = GPT(c)
    found = {}
    with torch.no_grad():
        for split in ("train", "val"):
            losses = torch.zeros(3)
            for k in range(3):
                losses[k] = model(*_batch(data, c))[1].item()
            found[split] = losses.mean()
    model.transformer.wpe.weight = nn.Parameter(model.transformer.wpe.weight[:8])
    c.block = 8
    return [found, model(data[None, :8])[0].shape]


def step_scaler():
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2)
    found = []
    for step in range(5):
        optimizer.zero_grad()
        loss = model(torch.ones(2, 3)).sum() * (float("inf") if step == 2 else 1.0)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        found.append([scaler.get_scale(), scaler._get_growth_tracker()])
    return [found, model.weight, scaler.state_dict()]


def step_checkpointing():
    blocks = nn.Sequential(
        *(nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.3), nn.Tanh()) for _ in range(4))
    )
    x = torch.randn(3, 4, requires_grad=True)
    found = []
    for run in (
        lambda: blocks(x),
        lambda: checkpoint(blocks, x, use_reentrant=False),
        lambda: checkpoint(blocks, x, use_reentrant=True),
        lambda: checkpoint_sequential(blocks, 2, x, use_reentrant=False),
        lambda: checkpoint(blocks, x, use_reentrant=False, preserve_rng_state=True),
    ):
        torch.manual_seed(7)
        blocks.zero_grad()
        x.grad = None
        run().square().sum().backward()
        found.append([x.grad.clone(), blocks[0][0].weight.grad.clone()])
    return found


def step_selective_checkpoint():
    from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts

    def policy(context, op, *args, **kwargs):
        keep = op == torch.ops.aten.mm.default
        return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

    w = torch.randn(4, 4, requires_grad=True)

    def run(x):
        return torch.sigmoid(torch.mm(x, w)).sin()

    out = checkpoint(
        run,
        torch.ones(2, 4),
        use_reentrant=False,
        context_fn=lambda: create_selective_checkpoint_contexts(policy),
    )
    out.sum().backward()
    return w.grad


def step_swa_and_ema():
    from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn

    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
    swa = AveragedModel(model)
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9), use_buffers=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
    swa_schedule = SWALR(optimizer, swa_lr=0.05, anneal_epochs=2)
    data = [torch.randn(6, 3) for _ in range(3)]
    rates = []
    for epoch in range(5):
        for x in data:
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
            ema.update_parameters(model)
        if epoch > 2:
            swa.update_parameters(model)
            swa_schedule.step()
        else:
            schedule.step()
        rates.append(optimizer.param_groups[0]["lr"])
    update_bn(data, swa)
    return [rates, swa(data[0]), ema(data[0]), swa.n_averaged, list(swa.state_dict())]


def step_early_stopping():
    torch.manual_seed(1)
    model = nn.Linear(4, 1)
    x, y = torch.randn(20, 4), torch.randn(20, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5)
    best, bad, kept = float("inf"), 0, io.BytesIO()
    for epoch in range(40):
        optimizer.zero_grad()
        F.l1_loss(model(x[:14]), y[:14]).backward()
        optimizer.step()
        with torch.no_grad():
            value = F.l1_loss(model(x[14:]), y[14:]).item()
        plateau.step(value)
        if value < best - 1e-4:
            best, bad = value, 0
            kept.seek(0)
            kept.truncate()
            torch.save(model.state_dict(), kept)
        else:
            bad += 1
            if bad == 4:
                break
    kept.seek(0)
    model.load_state_dict(torch.load(kept))
    return [epoch, best, plateau.get_last_lr(), model.weight, plateau.num_bad_epochs]


def step_ppo():
    from torch.distributions import Normal

    class Agent(nn.Module):
        def __init__(self):
            super().__init__()
            self.actor = nn.Sequential(self.layer(3, 16), nn.Tanh(), self.layer(16, 1, 0.01))
            self.critic = nn.Sequential(self.layer(3, 16), nn.Tanh(), self.layer(16, 1, 1.0))
            self.log_std = nn.Parameter(torch.zeros(1, 1))

        @staticmethod
        def layer(a, b, std=2**0.5):
            linear = nn.Linear(a, b)
            torch.nn.init.orthogonal_(linear.weight, std)
            torch.nn.init.constant_(linear.bias, 0.0)
            return linear

        def act(self, x, action=None):
            mean = self.actor(x)
            d = Normal(mean, self.log_std.expand_as(mean).exp())
            action = d.sample() if action is None else action
            return action, d.log_prob(action).sum(1), d.entropy().sum(1), self.critic(x)

    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3, eps=1e-5)
    state, store = torch.zeros(4, 3), []
    for _ in range(8):
        with torch.no_grad():
            action, log, _, value = agent.act(state)
        following = (state + torch.cat([action, state[:, :2]], 1) * 0.1).clamp(-3, 3)
        store.append((state, action, log, value.flatten(), -following.square().sum(1)))
        state = following
    states, actions, logs, values, rewards = (torch.stack(t) for t in zip(*store, strict=True))
    advantages, last = torch.zeros_like(rewards), 0
    for t in reversed(range(8)):
        ahead = values[t + 1] if t < 7 else agent.critic(state).detach().flatten()
        delta = rewards[t] + 0.99 * ahead - values[t]
        advantages[t] = last = delta + 0.99 * 0.95 * last
    returns = advantages + values
    flat = [t.reshape(32, *t.shape[2:]) for t in (states, actions, logs, advantages, returns)]
    found = []
    for _ in range(2):
        for rows in torch.randperm(32).chunk(2):
            s, a, old, adv, ret = (t[rows] for t in flat)
            _, new, entropy, value = agent.act(s, a)
            ratio = (new - old).exp()
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            policy = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()
            loss = (
                policy - 0.01 * entropy.mean() + 0.5 * (value.flatten() - ret).square().mean() * 0.5
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
            kl = ((ratio - 1) - ratio.log()).mean()
            found.append([loss.item(), kl.item()])
    return found


def step_gradient_descent_by_hand():
    w1, b1 = torch.randn(3, 5, requires_grad=True), torch.zeros(5, requires_grad=True)
    w2 = torch.randn(5, 1, requires_grad=True)
    x, y = torch.randn(10, 3), torch.randn(10, 1)
    losses = []
    for _ in range(5):
        loss = ((x @ w1 + b1).clamp(min=0) @ w2 - y).pow(2).mean()
        loss.backward()
        with torch.no_grad():
            for p in (w1, b1, w2):
                p -= 0.1 * p.grad
                p.grad = None
        losses.append(loss.item())
    return losses


def step_optimizers():
    found = {}
    for name in (
        "SGD",
        "Adam",
        "AdamW",
        "Adamax",
        "NAdam",
        "RAdam",
        "Adagrad",
        "Adadelta",
        "RMSprop",
        "Rprop",
        "ASGD",
        "Adafactor",
        "LBFGS",
        "Muon",
    ):
        torch.manual_seed(2)
        model = nn.Linear(4, 3, bias=False)
        optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.05)
        x = torch.randn(6, 4)

        def closure(model=model, optimizer=optimizer, x=x):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            return loss

        losses = [optimizer.step(closure).item() for _ in range(4)]
        found[name] = [losses, model.weight, repr(optimizer)]
    return found


def step_schedules():
    from torch.optim import lr_scheduler as S

    made = {
        "warmup": lambda o: S.SequentialLR(
            o, [S.LinearLR(o, 0.1, total_iters=3), S.CosineAnnealingLR(o, 5)], [3]
        ),
        "chained": lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.5, 2), S.ExponentialLR(o, 0.9)]),
        "one": lambda o: S.OneCycleLR(o, 1.0, total_steps=8),
        "cycle": lambda o: S.CyclicLR(o, 0.1, 1.0, step_size_up=3, mode="triangular2"),
        "restarts": lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2),
        "lambda": lambda o: S.LambdaLR(o, lambda e: 0.95**e),
        "multiply": lambda o: S.MultiplicativeLR(o, lambda e: 0.9),
        "steps": lambda o: S.MultiStepLR(o, [2, 4], 0.1),
        "poly": lambda o: S.PolynomialLR(o, 6, 2.0),
    }
    found = {}
    for name, make in made.items():
        optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0, momentum=0.9)
        schedule = make(optimizer)
        rates = []
        for _ in range(8):
            optimizer.step()
            rates.append([schedule.get_last_lr()[0], optimizer.param_groups[0]["momentum"]])
            schedule.step()
        found[name] = [rates, sorted(k for k in schedule.state_dict() if not k.startswith("_"))]
    return found


def step_timer_and_progress():
    begin = time.perf_counter()
    event = torch.utils.benchmark.Timer("x + 1", globals={"x": torch.ones(2)}).timeit(3)
    return [event.number_per_run, event.median > 0, time.perf_counter() > begin]
