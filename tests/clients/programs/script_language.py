"""Language models as people write them: a word model, makemore-like, minGPT-like, nanoGPT-like."""

import inspect
import math
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.onnx
from torch.nn import Transformer
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.dataloader import DataLoader as SameLoader

TEXT = "the quick brown fox jumps over the lazy dog " * 8


class RNNModel(nn.Module):
    def __init__(self, kind, vocab, size):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(vocab, size)
        self.rnn = getattr(nn, kind)(size, size, 2, dropout=0.2)
        self.decoder = nn.Linear(size, vocab)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        self.size = size

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        return F.log_softmax(self.decoder(self.drop(output)), -1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(2, bsz, self.size)


def _tokens():
    letters = sorted(set(TEXT))
    return torch.tensor([letters.index(c) for c in TEXT]), len(letters)


def step_word_model():
    found = []
    for kind in ("GRU", "LSTM"):
        torch.manual_seed(1111)
        ids, vocab = _tokens()
        data = ids[: len(ids) // 4 * 4].view(4, -1).t().contiguous()
        model = RNNModel(kind, vocab, 16)
        hidden = model.init_hidden(4)
        hidden = (hidden, hidden.clone()) if kind == "LSTM" else hidden
        for i in range(0, 30, 10):
            model.zero_grad()
            hidden = tuple(h.detach() for h in hidden) if kind == "LSTM" else hidden.detach()
            output, hidden = model(data[i : i + 10], hidden)
            loss = nn.NLLLoss()(output.view(-1, vocab), data[i + 1 : i + 11].view(-1))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            for p in model.parameters():
                p.data.add_(p.grad, alpha=-1.0)
            found.append(f"{loss.item():5.2f} ppl {math.exp(loss.item()):8.2f}")
    return found


class TransformerLM(Transformer):
    def __init__(self, vocab, size):
        super().__init__(d_model=size, nhead=2, dim_feedforward=16, num_encoder_layers=2)
        self.input_emb = nn.Embedding(vocab, size)
        self.decoder = nn.Linear(size, vocab)
        self.size = size

    def forward(self, src):
        mask = torch.log(torch.tril(torch.ones(len(src), len(src))))
        out = self.encoder(self.input_emb(src) * math.sqrt(self.size), mask=mask)
        return F.log_softmax(self.decoder(out), dim=-1)


def step_transformer_model():
    torch.manual_seed(0)
    ids, vocab = _tokens()
    model = TransformerLM(vocab, 8)
    data = ids[:40].view(4, -1).t()
    loss = F.nll_loss(model(data[:-1]).view(-1, vocab), data[1:].reshape(-1))
    loss.backward()
    return [loss, model.decoder.weight.grad]


def step_bigrams():
    words = ["emma", "olivia", "ava", "isabella", "sophia"]
    letters = sorted(set("".join(words)))
    stoi = {s: i + 1 for i, s in enumerate(letters)} | {".": 0}
    counts = torch.zeros((len(stoi), len(stoi)), dtype=torch.int32)
    for w in words:
        for a, b in zip("." + w, w + "."):
            counts[stoi[a], stoi[b]] += 1
    p = (counts + 1).float()
    p /= p.sum(1, keepdim=True)
    g = torch.Generator().manual_seed(2147483647)
    names = []
    for _ in range(3):
        out, ix = [], 0
        while len(out) < 10:
            ix = torch.multinomial(p[ix], num_samples=1, replacement=True, generator=g).item()
            if ix == 0:
                break
            out.append(ix)
        names.append(out)
    xs, ys = torch.tensor([0, 1, 2]), torch.tensor([1, 2, 3])
    w = torch.randn((len(stoi), len(stoi)), generator=g, requires_grad=True)
    for _ in range(3):
        logits = F.one_hot(xs, num_classes=len(stoi)).float() @ w
        probs = logits.exp() / logits.exp().sum(1, keepdims=True)
        loss = -probs[torch.arange(3), ys].log().mean() + 0.01 * (w**2).mean()
        w.grad = None
        loss.backward()
        w.data += -10 * w.grad
    return [names, loss]


def step_mlp_letters():
    g = torch.Generator().manual_seed(42)
    ids, vocab = _tokens()
    x = torch.stack([ids[i : i + 3] for i in range(100)])
    y = ids[3:103]
    C = torch.randn((vocab, 4), generator=g)
    W1 = torch.randn((12, 20), generator=g) * (5 / 3) / (12**0.5)
    bngain, bnbias = torch.ones((1, 20)), torch.zeros((1, 20))
    W2 = torch.randn((20, vocab), generator=g) * 0.01
    parameters = [C, W1, bngain, bnbias, W2]
    for p in parameters:
        p.requires_grad = True
    found = []
    for _ in range(4):
        ix = torch.randint(0, x.shape[0], (16,), generator=g)
        hpre = C[x[ix]].view(-1, 12) @ W1
        hpre = bngain * (hpre - hpre.mean(0, keepdim=True)) / hpre.std(0, keepdim=True) + bnbias
        loss = F.cross_entropy(torch.tanh(hpre) @ W2, y[ix])
        for p in parameters:
            p.grad = None
        loss.backward()
        for p in parameters:
            p.data += -0.1 * p.grad
        found.append(loss.item())
    return found


@dataclass
class Config:
    block_size: int = 16
    vocab_size: int = 28
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16
    dropout: float = 0.0
    bias: bool = True


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.flash = hasattr(F, "scaled_dot_product_attention")
        self.n_head, self.n_embd = config.n_head, config.n_embd
        size = config.block_size
        self.register_buffer("bias", torch.tril(torch.ones(size, size)).view(1, 1, size, size))

    def forward(self, x, manual=False):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        if self.flash and not manual:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
            y = F.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class NewGELU(nn.Module):
    def forward(self, x):
        return (
            0.5
            * x
            * (1.0 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))
        )


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(config.n_embd), Attention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = nn.ModuleDict(
            {
                "c_fc": nn.Linear(config.n_embd, 4 * config.n_embd),
                "act": NewGELU(),
                "c_proj": nn.Linear(4 * config.n_embd, config.n_embd),
            }
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        m = self.mlp
        return x + m.c_proj(m.act(m.c_fc(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(
            dict(
                wte=nn.Embedding(config.vocab_size, config.n_embd),
                wpe=nn.Embedding(config.block_size, config.n_embd),
                drop=nn.Dropout(config.dropout),
                h=nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
                ln_f=nn.LayerNorm(config.n_embd),
            )
        )
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)
        for pn, p in self.named_parameters():
            if pn.endswith("c_proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * config.n_layer))

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device)
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for block in self.transformer.h:
            x = block(x)
        logits = self.lm_head(self.transformer.ln_f(x))
        if targets is None:
            return logits[:, [-1], :], None
        flat = logits.view(-1, logits.size(-1))
        return logits, F.cross_entropy(flat, targets.view(-1), ignore_index=-1)

    def configure_optimizers(self, weight_decay, lr, betas, device_type):
        params = {n: p for n, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in params.values() if p.dim() >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        fused = "fused" in inspect.signature(torch.optim.AdamW).parameters and device_type == "cuda"
        return torch.optim.AdamW(groups, lr=lr, betas=betas, **({"fused": True} if fused else {}))

    @torch.no_grad()
    def generate(self, idx, n, temperature=1.0, top_k=None):
        for _ in range(n):
            logits, _ = self(idx[:, -self.config.block_size :])
            logits = logits[:, -1, :] / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, dim=-1), 1)), dim=1)
        return idx


def step_gpt():
    torch.manual_seed(1337)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    ctx = nullcontext()
    ids, vocab = _tokens()
    model = GPT(Config(vocab_size=vocab))
    optimizer = model.configure_optimizers(0.1, 1e-3, (0.9, 0.95), "cpu")
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    model = torch.compile(model)
    found = []
    for _ in range(3):
        ix = torch.randint(len(ids) - 16, (4,))
        x = torch.stack([ids[i : i + 16] for i in ix])
        y = torch.stack([ids[i + 1 : i + 17] for i in ix])
        with ctx:
            _, loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        found.append(loss.item())
    return [found, model.generate(ids[:4][None], 8, top_k=5)]


class SortDataset(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, idx):
        inp = torch.randint(3, size=(6,), dtype=torch.long)
        sol = torch.sort(inp)[0]
        cat = torch.cat((inp, sol), dim=0)
        x, y = cat[:-1].clone(), cat[1:].clone()
        y[:5] = -1
        return x, y


def step_trainer():
    torch.manual_seed(3407)
    model = GPT(Config(vocab_size=3, block_size=11))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    data = SortDataset()
    loader = SameLoader(
        data,
        sampler=torch.utils.data.RandomSampler(data, replacement=True, num_samples=int(1e3)),
        shuffle=False,
        pin_memory=False,
        batch_size=8,
    )
    callbacks, found = defaultdict(list), []
    callbacks["end"].append(lambda loss: found.append(loss.item()))
    for i, batch in enumerate(loader):
        logits, loss = model(*[t.to("cpu") for t in batch])
        model.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        for call in callbacks["end"]:
            call(loss)
        if i == 4:
            break
    return found


def step_checkpoint():
    import io

    model = GPT(Config())
    buffer = io.BytesIO()
    torch.save({"model": model.state_dict(), "args": {"lr": 0.1}, "iter": 3}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer, map_location="cpu")
    return [sorted(loaded["model"])[:4], loaded["iter"], model.load_state_dict(loaded["model"])]


def step_translation():
    torch.manual_seed(0)
    model = nn.Transformer(16, 2, 1, 1, 32, batch_first=True)
    src, tgt = torch.randn(2, 5, 16), torch.randn(2, 4, 16)
    mask = nn.Transformer.generate_square_subsequent_mask(4)
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    out = model(src, tgt, tgt_mask=mask, src_key_padding_mask=padding)
    out.square().mean().backward()
    return [out, model.encoder.layers[0].linear1.weight.grad]


def step_loader_shapes():
    return [[list(x.shape), list(y.shape)] for x, y in DataLoader(SortDataset(), batch_size=16)]
