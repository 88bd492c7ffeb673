"""The programs that PyTorch's examples show for text, sequences, graphs and games, made small."""

import math
from collections import Counter

import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

TEXT = (
    "the cat sat on the mat . the dog sat on the log . a cat and a dog ran to the mat . "
    "the mat is on the log . "
) * 6


def _corpus():
    words = TEXT.split()
    vocabulary = {w: i for i, w in enumerate(sorted(set(words)))}
    return torch.tensor([vocabulary[w] for w in words]), len(vocabulary)


def _batchify(data, size):
    steps = data.size(0) // size
    return data.narrow(0, 0, steps * size).view(size, -1).t().contiguous()


class RNNModel(nn.Module):
    def __init__(self, kind, tokens, tied=False):
        super().__init__()
        self.kind = kind
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(tokens, 12)
        if kind in ("LSTM", "GRU"):
            self.rnn = getattr(nn, kind)(12, 12, 2, dropout=0.2)
        else:
            self.rnn = nn.RNN(12, 12, 2, nonlinearity=kind[4:].lower(), dropout=0.2)
        self.decoder = nn.Linear(12, tokens)
        if tied:
            self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        decoded = self.decoder(self.drop(out)).view(-1, self.decoder.out_features)
        return F.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, size):
        weight = next(self.parameters())
        if self.kind == "LSTM":
            return weight.new_zeros(2, size, 12), weight.new_zeros(2, size, 12)
        return weight.new_zeros(2, size, 12)


def _repackage(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(_repackage(v) for v in h)


def _word_model(kind, tied=False):
    data, tokens = _corpus()
    data = _batchify(data, 4)
    model = RNNModel(kind, tokens, tied)
    hidden, found = model.init_hidden(4), []
    for start in range(0, 24, 8):
        model.zero_grad()
        hidden = _repackage(hidden)
        out, hidden = model(data[start : start + 8], hidden)
        loss = F.nll_loss(out, data[start + 1 : start + 9].view(-1))
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-2.0)
        found.append([loss.item(), math.exp(loss.item()), norm])
    model.eval()
    word, hidden, said = torch.randint(tokens, (1, 1)), model.init_hidden(1), []
    with torch.no_grad():
        for _ in range(8):
            out, hidden = model(word, hidden)
            word.fill_(torch.multinomial(out.squeeze().div(0.9).exp().cpu(), 1)[0])
            said.append(word.item())
    return [found, said]


def step_word_lstm():
    return _word_model("LSTM", tied=True)


def step_word_gru():
    return _word_model("GRU")


def step_word_rnn_tanh():
    return _word_model("RNN_TANH")


def step_word_rnn_relu():
    return _word_model("RNN_RELU")


def step_word_transformer():
    class Model(nn.Transformer):
        def __init__(self, tokens):
            super().__init__(d_model=12, nhead=2, dim_feedforward=16, num_encoder_layers=2)
            self.input_emb = nn.Embedding(tokens, 12)
            self.decoder = nn.Linear(12, tokens)
            position = torch.arange(0, 30, dtype=torch.float).unsqueeze(1)
            scale = torch.exp(torch.arange(0, 12, 2).float() * (-math.log(10000.0) / 12))
            pe = torch.zeros(30, 1, 12)
            pe[:, 0, 0::2], pe[:, 0, 1::2] = (
                torch.sin(position * scale),
                torch.cos(position * scale),
            )
            self.register_buffer("pe", pe)
            self.src_mask = None

        def forward(self, src):
            if self.src_mask is None or self.src_mask.size(0) != len(src):
                self.src_mask = torch.log(torch.tril(torch.ones(len(src), len(src))))
            x = self.input_emb(src) * math.sqrt(12) + self.pe[: len(src)]
            return F.log_softmax(self.decoder(self.encoder(x, mask=self.src_mask)), dim=-1)

    data, tokens = _corpus()
    data = _batchify(data, 4)
    model, losses = Model(tokens), []
    for start in range(0, 24, 8):
        model.zero_grad()
        out = model(data[start : start + 8]).view(-1, tokens)
        loss = F.nll_loss(out, data[start + 1 : start + 9].view(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            if p.grad is not None:
                p.data.add_(p.grad, alpha=-1.0)
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        return [losses, model(data[:5])[-1]]


def step_time_sequence():
    wave = torch.sin(torch.arange(40, dtype=torch.float64) / 5.0).repeat(3, 1)
    wave += torch.arange(3, dtype=torch.float64).unsqueeze(1) / 10

    class Sequence(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm1, self.lstm2 = nn.LSTMCell(1, 8), nn.LSTMCell(8, 8)
            self.linear = nn.Linear(8, 1)

        def forward(self, x, future=0):
            outputs = []
            h, c, h2, c2 = (torch.zeros(x.size(0), 8, dtype=torch.double) for _ in range(4))
            for t in x.split(1, dim=1):
                h, c = self.lstm1(t, (h, c))
                h2, c2 = self.lstm2(h, (h2, c2))
                out = self.linear(h2)
                outputs.append(out)
            for _ in range(future):
                h, c = self.lstm1(out, (h, c))
                h2, c2 = self.lstm2(h, (h2, c2))
                out = self.linear(h2)
                outputs.append(out)
            return torch.cat(outputs, dim=1)

    model = Sequence().double()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8, max_iter=4)
    seen = []

    def closure():
        optimizer.zero_grad()
        loss = F.mse_loss(model(wave[:, :-1]), wave[:, 1:])
        seen.append(loss.item())
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)
    with torch.no_grad():
        return [seen, model(wave[:1, :5], future=4)]


def step_language_translation():
    """An encoder and a decoder with masks of padding and of the future; greedy decoding."""
    pad, begin, end = 0, 1, 2
    sources = [torch.tensor([begin, *row, end]) for row in ([3, 4, 5], [4, 6], [7, 5, 3, 4])]
    targets = [torch.cat([s[:1], s[1:-1].flip(0) + 1, s[-1:]]) for s in sources]
    src, tgt = pad_sequence(sources, padding_value=pad), pad_sequence(targets, padding_value=pad)

    class Translate(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(10, 16, padding_idx=pad)
            self.position = nn.Parameter(torch.randn(12, 1, 16) * 0.1)
            self.transformer = nn.Transformer(16, 2, 1, 1, 32, dropout=0.1)
            self.ff = nn.Linear(16, 10)

        def embed(self, x):
            return self.embedding(x) * 4 + self.position[: x.shape[0]]

        def forward(self, src, trg, src_mask, tgt_mask, src_pad, tgt_pad):
            out = self.transformer(
                self.embed(src),
                self.embed(trg),
                src_mask,
                tgt_mask,
                None,
                src_pad,
                tgt_pad,
                src_pad,
            )
            return self.ff(out)

        def encode(self, src, mask):
            return self.transformer.encoder(self.embed(src), mask)

        def decode(self, tgt, memory, mask):
            return self.transformer.decoder(self.embed(tgt), memory, mask)

    def square(size):
        mask = (torch.triu(torch.ones((size, size))) == 1).transpose(0, 1)
        return mask.float().masked_fill(mask == 0, float("-inf")).masked_fill(mask == 1, 0.0)

    model = Translate()
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for _ in range(4):
        inside, outside = tgt[:-1], tgt[1:]
        none = torch.zeros((len(src), len(src))).type(torch.bool)
        out = model(
            src,
            inside,
            none,
            square(len(inside)),
            (src == pad).transpose(0, 1),
            (inside == pad).transpose(0, 1),
        )
        loss = nn.CrossEntropyLoss(ignore_index=pad)(out.reshape(-1, 10), outside.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        one = src[:, :1][:5]
        memory = model.encode(one, torch.zeros(5, 5).bool())
        ys = torch.ones(1, 1).fill_(begin).type(torch.long)
        for _ in range(5):
            mask = nn.Transformer.generate_square_subsequent_mask(len(ys)).type(torch.bool)
            prob = model.ff(model.decode(ys, memory, mask).transpose(0, 1)[:, -1])
            word = torch.max(prob, dim=1)[1].item()
            ys = torch.cat([ys, torch.ones(1, 1).type_as(one.data).fill_(word)], dim=0)
    return [losses, ys]


def step_natural_inference():
    """Two sentences through one packed bidirectional encoder; three classes."""
    lengths = torch.tensor([5, 3, 2])
    premise = torch.randint(1, 20, (5, 3))
    hypothesis = torch.randint(1, 20, (4, 3))

    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(20, 8)
            self.projection = nn.Linear(8, 8)
            self.rnn = nn.LSTM(8, 6, num_layers=2, dropout=0.1, bidirectional=True)
            self.out = nn.Sequential(
                nn.Linear(24, 10), nn.ReLU(), nn.Dropout(0.2), nn.Linear(10, 3)
            )

        def encode(self, x, lengths=None):
            x = F.relu(self.projection(self.embed(x)))
            if lengths is None:
                state = x.new_zeros(4, x.size(1), 6)
                _, (h, _) = self.rnn(x, (state, state))
            else:
                packed, (h, _) = self.rnn(pack_padded_sequence(x, lengths))
                pad_packed_sequence(packed)
            return h[-2:].transpose(0, 1).contiguous().view(x.size(1), -1)

        def forward(self, a, b, lengths):
            return self.out(torch.cat([self.encode(a, lengths), self.encode(b)], 1))

    model = Classifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    found = []
    for _ in range(4):
        answer = model(premise, hypothesis, lengths)
        loss = nn.CrossEntropyLoss()(answer, torch.tensor([0, 1, 2]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def step_polynomial_fit():
    def features(x):
        return torch.cat([x.unsqueeze(1) ** i for i in range(1, 5)], 1)

    weight, bias = torch.randn(4, 1) * 5, torch.randn(1) * 5
    fc = nn.Linear(4, 1)
    for index in range(20):
        x = features(torch.randn(32))
        fc.zero_grad()
        loss = F.smooth_l1_loss(fc(x), x.mm(weight) + bias.item())
        loss.backward()
        for p in fc.parameters():
            p.data.add_(-0.1 * p.grad)
    text = " ".join(f"{w:+.2f} x^{i + 1}" for i, w in enumerate(fc.weight.view(-1)))
    return [loss.item(), text, index]


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(4, 16)
        self.dropout = nn.Dropout(p=0.6)
        self.action, self.value = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, x):
        x = F.relu(self.dropout(self.affine(x)))
        return F.softmax(self.action(x), dim=-1), self.value(x)


def _pole(state, action):
    """A pole that a push moves; done where it leans too far."""
    position, speed, angle, turn = state
    force = 1.0 if action else -1.0
    turn = turn + 0.3 * math.sin(angle) - 0.1 * force
    state = (position + 0.1 * speed, speed + 0.1 * force, angle + 0.3 * turn, turn)
    return state, 1.0, abs(state[2]) > 0.6


def step_reinforce():
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    found = []
    for _ in range(3):
        state, logs, rewards = (0.0, 0.0, 0.02, 0.0), [], []
        for _ in range(20):
            m = Categorical(policy(torch.tensor(state).float().unsqueeze(0))[0])
            action = m.sample()
            logs.append(m.log_prob(action))
            state, reward, done = _pole(state, action.item())
            rewards.append(reward)
            if done:
                break
        returns, total = [], 0.0
        for r in reversed(rewards):
            total = r + 0.99 * total
            returns.insert(0, total)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        optimizer.zero_grad()
        loss = torch.cat([-log * r for log, r in zip(logs, returns, strict=True)]).sum()
        loss.backward()
        optimizer.step()
        found.append([len(rewards), loss.item()])
    return found


def step_actor_critic():
    model = Policy().eval()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
    found = []
    for _ in range(3):
        state, saved, rewards = (0.0, 0.0, 0.02, 0.0), [], []
        for _ in range(15):
            probs, value = model(torch.tensor(state))
            m = Categorical(probs)
            action = m.sample()
            saved.append((m.log_prob(action), value, m.entropy()))
            state, reward, done = _pole(state, action.item())
            rewards.append(reward)
            if done:
                break
        total, returns = 0.0, []
        for r in rewards[::-1]:
            total = r + 0.9 * total
            returns.insert(0, total)
        policy_losses, value_losses = [], []
        for (log, value, _), r in zip(saved, torch.tensor(returns), strict=True):
            policy_losses.append(-log * (r - value.item()))
            value_losses.append(F.smooth_l1_loss(value, torch.tensor([r])))
        optimizer.zero_grad()
        loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
        loss.backward()
        optimizer.step()
        found.append([loss.item(), saved[0][2]])
    return found


def _graph():
    source = torch.tensor([0, 0, 1, 2, 2, 3, 4, 5, 5, 6])
    target = torch.tensor([1, 2, 2, 3, 0, 4, 5, 6, 3, 4])
    x, y = torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 1, 1])
    edges = torch.stack([torch.cat([source, target]), torch.cat([target, source])])
    return x, y, torch.cat([edges, torch.arange(7).expand(2, 7)], 1)


def step_graph_convolution():
    x, y, edges = _graph()
    adjacency = torch.sparse_coo_tensor(edges, torch.ones(edges.size(1)), (7, 7)).coalesce()
    degree = torch.sparse.sum(adjacency, dim=1).to_dense().rsqrt()
    i = adjacency.indices()
    normal = torch.sparse_coo_tensor(i, degree[i[0]] * degree[i[1]] * adjacency.values(), (7, 7))

    class GraphConv(nn.Module):
        def __init__(self, inside, outside):
            super().__init__()
            self.kernel = nn.Parameter(torch.Tensor(inside, outside))
            nn.init.xavier_normal_(self.kernel)
            self.bias = nn.Parameter(torch.zeros(outside))

        def forward(self, x, a):
            return torch.spmm(a, torch.mm(x, self.kernel)) + self.bias

    one, two = GraphConv(5, 8), GraphConv(8, 2)
    optimizer = torch.optim.Adam([*one.parameters(), *two.parameters()], lr=0.05, weight_decay=5e-4)
    losses = []
    for _ in range(6):
        optimizer.zero_grad()
        h = F.dropout(F.relu(one(x, normal)), 0.3)
        loss = F.nll_loss(F.log_softmax(two(h, normal), dim=1)[:5], y[:5])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_graph_attention():
    x, y, edges = _graph()
    mask = torch.zeros(7, 7).index_put_((edges[0], edges[1]), torch.tensor(1.0))

    class Attention(nn.Module):
        def __init__(self, inside, outside, heads, concat):
            super().__init__()
            self.heads, self.outside, self.concat = heads, outside, concat
            self.w = nn.Parameter(torch.empty(inside, outside * heads))
            self.a = nn.Parameter(torch.empty(heads, 2 * outside, 1))
            nn.init.xavier_normal_(self.w)
            nn.init.xavier_normal_(self.a)

        def forward(self, x, adjacency):
            h = torch.mm(x, self.w).view(len(x), self.heads, self.outside).permute(1, 0, 2)
            left = torch.matmul(h, self.a[:, : self.outside])
            right = torch.matmul(h, self.a[:, self.outside :])
            e = F.leaky_relu(left + right.mT, 0.2)
            e = torch.where(adjacency > 0, e, -9e16 * torch.ones_like(e))
            out = torch.matmul(F.dropout(F.softmax(e, -1), 0.2), h)
            if self.concat:
                return out.permute(1, 0, 2).contiguous().view(len(x), -1)
            return out.mean(dim=0)

    one, two = Attention(5, 4, 2, True), Attention(8, 2, 1, False)
    optimizer = torch.optim.Adam([*one.parameters(), *two.parameters()], lr=0.05)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = F.nll_loss(F.log_softmax(two(F.elu(one(x, mask)), mask), 1), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [losses, Counter(mask.sum(1).int().tolist())]
