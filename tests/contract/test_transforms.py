"""Transforms of ``torch.func`` and ``vmap``: expressions over samples, random numbers, refusals.

Numbers are compared to four places: what functions like ``exp`` give in the last place is the
business of the rows' tests.
"""

from __future__ import annotations

import functools
import importlib
import re
import warnings

import pytest

from tests.contract.forward_mode import warm_up
from tests.contract.programs import Notebook, collector

PROGRAMS, program = collector()

warm_up()

_NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


def rounded(line):
    """A note without the last places of its numbers, and without warnings of speed."""
    line = line.partition("\n  UserWarning: There is a performance drop")[0]
    return _NUMBER.sub(lambda n: f"{round(float(n[0]), 4) + 0.0:.4g}", line)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    notes = []
    for name in ("torch", "mindtorch"):
        note = Notebook()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(importlib.import_module(name), "", note)
        notes.append([rounded(line) for line in note.lines])
    want, got = notes
    differ = [
        f"{want[i - 1][:60]}\n ours: {g}\ntorch: {w}"
        for i, (w, g) in enumerate(zip(want, got, strict=True))
        if w != g
    ]
    assert want and not differ, "\n".join(differ)


def func(torch):
    return importlib.import_module(f"{torch.__name__}.func")


def functions(torch, sources, arguments="x"):
    """The functions that are written in *sources*, by their text."""
    scope = {"torch": torch, "F": torch.nn.functional}
    return [(s, eval(f"lambda {arguments}: {s}", scope)) for s in sources.split("; ")]


#: Expressions of a sample *x* of shape (2, 3), apart by semicolons.
OF_SAMPLES = (
    "x+1; x*x; x.sum(); x.sum(0); x.sum(-1); x.sum((0,1)); x.mean(1); x.mean(); x.prod(); "
    "x.prod(0); x.max(); x.max(0); x.max(-1,keepdim=True); x.min(1); x.argmax(); x.argmax(0); "
    "x.argmin(1,keepdim=True); x.amax(); x.amax((0,1)); x.amin(0); x.aminmax(); "
    "x.aminmax(dim=0); x.cumsum(0); x.cumsum(1); x.cumprod(-1); x.cummax(0); x.cummin(1); "
    "x.logcumsumexp(0); x.logsumexp(0); x.logsumexp((0,1)); x.softmax(0); x.log_softmax(-1); "
    "x.std(); x.std(0); x.var(1,unbiased=False); torch.var_mean(x,0); torch.std_mean(x); "
    "x.norm(); x.norm(dim=0); x.norm(p=1,dim=(0,1)); x.median(); x.median(0); x.nanmedian(); "
    "x.mode(0); x.kthvalue(1,0); x.sort(); x.sort(0,descending=True); x.argsort(0); x.topk(2); "
    "x.topk(1,0); x.all(); x.any(0); x.count_nonzero(); x.count_nonzero(0); x.nansum(); "
    "x.nanmean(0); x.t(); x.T; x.mT; x.transpose(0,1); x.permute(1,0); x.movedim(0,1); "
    "x.swapaxes(0,-1); x.unsqueeze(0); x.unsqueeze(-1); x.squeeze(); x.squeeze(0); x.flatten(); "
    "x.reshape(-1); x.reshape(3,2); x.view(6); x.view(-1,2); x.view_as(x); x.expand(4,2,3); "
    "x.expand(2,3); x.repeat(2,1); x.repeat(2,1,1); x.tile(2); x.repeat_interleave(2); "
    "x.repeat_interleave(2,0); x.flip(0); x.flip((0,1)); x.fliplr(); x.flipud(); x.roll(1); "
    "x.roll(1,0); x.roll((1,1),(0,1)); x.rot90(); x.diagonal(); x.diag(); x[0].diag(); "
    "x.diag_embed(); x.tril(); x.triu(1); x.unfold(1,2,1); x.unbind(); x.unbind(1); x.split(1); "
    "x.split([1,1]); x.split(2,1); x.chunk(2); x.chunk(2,1); x.tensor_split(2); x.hsplit(3); "
    "x.vsplit(2); x.narrow(0,0,1); x.select(0,1); x.select(-1,0); x[0]; x[:,1]; x[...,0]; "
    "x[None]; x[0:1]; x[::2]; x[-1]; x[torch.tensor([1,0])]; x[:,torch.tensor([0,2])]; "
    "x[torch.tensor([0,1]),torch.tensor([1,2])]; x[torch.tensor([True,False])]; x[[0,1]]; "
    "x.index_select(0,torch.tensor([1,0])); x.index_select(1,torch.tensor([0])); "
    "x.index_add(0,torch.tensor([1,0]),x); x.index_fill(0,torch.tensor([1]),7.); "
    "x.index_copy(0,torch.tensor([1,0]),x); x.masked_fill(x>2,0.); x.take(torch.tensor([0,4])); "
    "torch.where(x>2,x,0.); torch.where(x>2,x,-x); x.clamp(1,3); x.clamp(min=x*0+2); x.abs(); "
    "x.neg(); x.exp(); x.sqrt(); x.sin(); x.tanh(); x.sigmoid(); x.relu(); x.round(); "
    "x.floor(); x.sign(); x.reciprocal(); x.pow(2); x.pow(x); 2**x; x%2; x//2; x/3; 1/x; "
    "x-x.mean(); x>2; x==x; x.eq(3.); (x>2)&(x<5); (x>2).logical_not(); x.isnan(); "
    "x.isfinite(); x.double(); x.long(); x.to(torch.float16); x.type_as(x.double()); x.clone(); "
    "x.contiguous(); x.detach(); x.new_zeros(2); x.new_ones(2,2); x.new_full((2,),3.); "
    "x.new_tensor([1.]); torch.zeros_like(x); torch.ones_like(x); torch.full_like(x,2.); "
    "x@x.t(); x.mm(x.t()); x.matmul(torch.ones(3)); torch.ones(2)@x; x.mv(torch.ones(3)); "
    "x[0].dot(x[1]); torch.outer(x[0],x[1]); torch.einsum('ij,kj->ik',x,x); "
    "torch.einsum('ij->j',x); torch.tensordot(x,x,([0],[0])); torch.kron(x,x); "
    "torch.cat([x,x]); torch.cat([x,x],1); torch.stack([x,x]); torch.stack([x,x],-1); "
    "torch.hstack([x,x]); torch.vstack([x,x]); torch.dstack([x,x]); "
    "torch.cat([x,torch.ones(1,3)]); torch.meshgrid(x[0],x[1],indexing='ij'); "
    "torch.broadcast_tensors(x,x[0]); torch.broadcast_to(x,(2,2,3)); "
    "torch.addmm(x[:,:2],x,x.t()); torch.baddbmm(x[None,:,:2],x[None],x.t()[None]); "
    "torch.addmv(x[:,0],x,x[0]); torch.addcmul(x,x,x); torch.addcdiv(x,x,x); "
    "torch.lerp(x,x*2,0.5); F.linear(x,torch.ones(4,3)); F.linear(x,x,x[:,0]); F.softplus(x); "
    "F.gelu(x); F.silu(x); F.elu(x); F.leaky_relu(x); F.glu(x[:,:2]); F.layer_norm(x,(3,)); "
    "F.normalize(x); F.pad(x,(1,1)); F.pad(x[None],(1,1),mode='reflect'); F.mse_loss(x,x*2); "
    "F.l1_loss(x,x*2,reduction='none'); F.cross_entropy(x,torch.tensor([0,1])); "
    "F.nll_loss(x,torch.tensor([0,1])); F.binary_cross_entropy(x.sigmoid(),x*0); "
    "F.conv1d(x[None],torch.ones(1,2,2)); F.conv2d(x[None,None],torch.ones(1,1,2,2)); "
    "F.max_pool1d(x[None],2); F.max_pool2d(x[None],2); F.avg_pool2d(x[None],2); "
    "F.adaptive_avg_pool2d(x[None],1); F.interpolate(x[None,None],scale_factor=2); "
    "F.group_norm(x[None].expand(1,2,3),2); F.instance_norm(x[None]); F.unfold(x[None,None],2); "
    "F.scaled_dot_product_attention(x,x,x); F.dropout(x,0.5,False); F.cosine_similarity(x,x,0); "
    "F.pixel_shuffle(x[:,:,None].expand(2,3,4).permute(2,0,1),2); x.nonzero(); x.unique(); "
    "torch.masked_select(x,x>2); x[x>2]; x.item(); bool(x.sum()>0); float(x[0,0]); x.tolist(); "
    "len(x); x.shape; x.size(0); x.dim(); x.numel(); x.stride(); x.is_contiguous(); list(x); "
    "torch.equal(x,x); torch.allclose(x,x); torch.is_nonzero(x[0,0]); x.storage_offset(); "
    "x.untyped_storage(); x.is_floating_point(); x.element_size(); x.requires_grad; "
    "torch.numel(x); x.as_strided((2,),(1,)); x.view(torch.int32); "
    "torch.view_as_complex(x[:,:2]); (x+0j).conj(); (x+1j).real; (x+1j).imag; "
    "torch.complex(x,x).abs(); torch.polar(x,x); x.angle(); torch.cross(x,x,dim=1); "
    "torch.diff(x); torch.combinations(x[0]); torch.cartesian_prod(x[0],x[1]); "
    "torch.block_diag(x,x); torch.linspace(0,1,3)+x; torch.arange(3)+x; x.fmod(2); "
    "x.remainder(2); torch.atan2(x,x); torch.hypot(x,x); torch.nextafter(x,x*2); "
    "torch.copysign(x,-x); torch.xlogy(x,x); x.digamma(); x.erf(); x.erfinv(); x.frac(); "
    "x.trunc(); torch.nan_to_num(x); x.heaviside(x); x.long()<<1; torch.gcd(x.long(),x.long()); "
    "x.index_put((torch.tensor([0]),),torch.ones(3)); "
    "x.put(torch.tensor([0]),torch.tensor([9.])); torch.select_scatter(x,torch.zeros(3),0,0); "
    "torch.slice_scatter(x,torch.zeros(1,3),0,0,1); torch.diagonal_scatter(x,torch.zeros(2)); "
    "x.sum_to_size(1,3); x.expand_as(x); x.unflatten(1,(3,1)); torch.atleast_3d(x); "
    "torch.squeeze(x[None],0); torch.ravel(x); torch.adjoint(x+0j); "
    "torch.squeeze_copy(x[None]); x.swapdims(0,1).contiguous(); x.logaddexp(x); "
    "F.pairwise_distance(x,x); F.huber_loss(x,x*2); F.smooth_l1_loss(x,x*2); "
    "F.hinge_embedding_loss(x,x.sign()); F.hardtanh(x); F.local_response_norm(x[None],2)"
)

#: Expressions of a sample *x* of shape (2, 3), apart by semicolons.
IN_PLACE = (
    "x.add_(1); x.mul_(x); x.zero_(); x.fill_(3); x.copy_(x*2); x.copy_(torch.ones(2,3)); "
    "x.clamp_(1,2); x.neg_(); x.exp_(); x.relu_(); x.t_(); x.unsqueeze_(0); x.squeeze_(); "
    "x.transpose_(0,1); x.index_add_(0,torch.tensor([0]),torch.ones(1,3)); "
    "x.index_copy_(0,torch.tensor([0]),torch.ones(1,3)); x.index_fill_(0,torch.tensor([0]),2.); "
    "x.masked_fill_(x>1,0.); x.scatter_(0,torch.zeros(1,3,dtype=torch.int64),2.); "
    "x.__setitem__(0,1.); x.__setitem__((slice(None),0),x[:,1]); x.__setitem__(x>2,0.); "
    "x.__setitem__(torch.tensor([0]),torch.ones(1,3)); x[0].add_(1); x[:,1].zero_(); "
    "x.view(-1)[1:].mul_(2); x.fill_diagonal_(9); x.sub_(torch.ones(3)); x.div_(2); x.pow_(2); "
    "x.cumsum_(0); x.tril_(); x.lerp_(x,0.5); x.addcmul_(x,x); x.detach_(); x.requires_grad_(); "
    "x.set_(torch.ones(2)); x.swapaxes_(0,1); x.swapdims_(0,1); x.random_(0,3); x.normal_(); "
    "x.uniform_(); x.bernoulli_(0.5); x.exponential_(); torch.ones(2,3).add_(x); "
    "torch.ones(2,3).copy_(x); torch.ones(2,3).mul_(x); torch.ones(2,3).masked_fill_(x>1,0.); "
    "torch.ones(2,3).index_put_((torch.tensor([0]),),x[0]); "
    "torch.ones(2,3).__setitem__(0,x[0]); torch.add(x,x,out=torch.empty(2,3)); "
    "x.index_put_((torch.tensor([0]),),torch.ones(3)); "
    "x.put_(torch.tensor([0]),torch.tensor([9.])); x.floor_divide_(2); x.remainder_(2); "
    "x.eq_(1); x.gt_(1); x.logical_not_()"
)


@program
def expressions_of_samples(torch, ns, note):
    F = func(torch)
    base = torch.arange(1.0, 13.0).reshape(2, 2, 3)
    for source, f in functions(torch, OF_SAMPLES):
        note(source)
        note(lambda: F.vmap(f)(base))
        note(lambda: F.vmap(f, in_dims=2)(base.permute(1, 2, 0)))


@program
def changes_of_samples(torch, ns, note):
    F = func(torch)
    for source, f in functions(torch, IN_PLACE):
        for dim, order in ((0, (0, 1, 2)), (2, (1, 2, 0))):
            base = torch.arange(1.0, 13.0).reshape(2, 2, 3).permute(order)
            note(source)
            torch.manual_seed(0)
            note(lambda: F.vmap(lambda x: (f(x), x)[1], dim, randomness="different")(base))
            note(base)


@program
def the_ways_of_calling(torch, ns, note):
    F = func(torch)
    x = torch.arange(6.0).reshape(2, 3)
    note(lambda: F.vmap(lambda a: a)(3))
    note(lambda: F.vmap(lambda a: a)())
    note(lambda: F.vmap(lambda a: a, in_dims=2)(x))
    note(lambda: F.vmap(lambda a: a, in_dims=-1)(x))
    note(lambda: F.vmap(lambda a: a, in_dims=-3)(x))
    note(lambda: F.vmap(lambda a: a, in_dims=None)(x))
    note(lambda: F.vmap(lambda a: a, in_dims=(None,))(x))
    note(lambda: F.vmap(lambda a: a, in_dims="x")(x))
    note(lambda: F.vmap(lambda a: a, in_dims=[0])(x))
    note(lambda: F.vmap(lambda a: a, in_dims=(0, 0))(x))
    note(lambda: F.vmap(lambda a, b: a)(x, torch.ones(3)))
    note(lambda: F.vmap(lambda a: a)(torch.ones(())))
    note(lambda: F.vmap(lambda a: a["k"], in_dims=({"k": 0},))({"k": x}))
    note(lambda: F.vmap(lambda a: a["k"], in_dims=({"j": 0},))({"k": x}))
    note(lambda: F.vmap(lambda a: a[0] + a[1], in_dims=([0, None],))([x, x[0]]))
    note(lambda: F.vmap(lambda a, b: a * b, in_dims=(0, None))(x, 3))
    note(lambda: F.vmap(lambda a, b: a * b)(x, 3))
    note(lambda: F.vmap(lambda a: (a, a.sum()), out_dims=(1, 0))(x))
    note(lambda: F.vmap(lambda a: (a, a.sum()), out_dims=1)(x))
    note(lambda: F.vmap(lambda a: a, out_dims=2)(x))
    note(lambda: F.vmap(lambda a: a, out_dims=-1)(x))
    note(lambda: F.vmap(lambda a: a, out_dims=-3)(x))
    note(lambda: F.vmap(lambda a: a, out_dims=(0, 0))(x))
    note(lambda: F.vmap(lambda a: a, out_dims=None)(x))
    note(lambda: F.vmap(lambda a: torch.ones(2), out_dims=None)(x))
    note(lambda: F.vmap(lambda a: {"k": a, "l": [a]}, out_dims={"k": 1, "l": [0]})(x))
    note(lambda: F.vmap(lambda a: {"k": a}, out_dims={"j": 1})(x))
    note(lambda: F.vmap(lambda a: a, out_dims="x")(x))
    note(lambda: F.vmap(lambda a: a, out_dims=1.5)(x))
    note(lambda: F.vmap(lambda a: None)(x))
    note(lambda: F.vmap(lambda a: 3)(x))
    note(lambda: F.vmap(lambda a: (a, 3), out_dims=(0, None))(x))
    note(lambda: F.vmap(lambda a: ())(x))
    note(lambda: F.vmap(lambda a: [a])(x))
    note(lambda: F.vmap(lambda a: torch.ones(2))(x))
    note(lambda: F.vmap(lambda a: x)(x))
    note(lambda: F.vmap(lambda a: (a, a), out_dims=(0,))(x))
    note(lambda: F.vmap(lambda a: a, chunk_size=0)(x))
    note(lambda: F.vmap(lambda a: a, chunk_size=-1)(x))
    note(lambda: F.vmap(lambda a: a * 2, chunk_size=1)(x))
    note(lambda: F.vmap(lambda a: (a * 2, a.sum()), chunk_size=1, out_dims=(1, 0))(x))
    note(lambda: F.vmap(lambda a: a, randomness="x")(x))
    note(lambda: F.vmap(lambda a, k=1: a * k)(x, k=3))
    note(lambda: F.vmap(lambda a, k=None: a * k)(x, k=x[0]))
    note(lambda: F.vmap(lambda a: a * 2)(torch.ones(0, 3)))
    note(lambda: F.vmap(lambda a: a.sum())(torch.ones(0, 3)))
    note(lambda: F.vmap(lambda a: a @ a)(torch.ones(0, 3)))
    note(lambda: F.vmap(lambda a: torch.nn.functional.relu(a))(torch.ones(2, 0)))
    note(lambda: F.vmap(F.vmap(lambda a, b: a * b), in_dims=(0, None))(x, x[0]))
    note(
        lambda: F.vmap(F.vmap(lambda a, b: a * b, in_dims=(None, 0)), in_dims=(0, None))(x[0], x[1])
    )
    note(lambda: F.vmap(F.vmap(F.vmap(lambda a: a + 1)))(x[None]))
    note(lambda: F.vmap(lambda a: F.vmap(lambda b: b + a)(x))(x))
    note(lambda: F.vmap(lambda a: F.vmap(lambda b: b.sum() + a.sum(), in_dims=1, out_dims=0)(x))(x))
    note(lambda: F.vmap(torch.sum)(x))
    note(F.vmap(torch.sum).__name__)
    note(lambda: F.vmap(functools.partial(torch.add, alpha=2))(x, x))
    note(lambda: F.vmap(torch.nn.ReLU())(x))
    note(lambda: F.vmap(functools.partial(lambda a: 3))(x))
    y = x.clone().requires_grad_()
    out = F.vmap(lambda a: a * a)(y)
    note(out)
    out.sum().backward()
    note(y.grad)
    with torch.no_grad():
        note(lambda: F.vmap(lambda a: a * a)(y))
    with torch.inference_mode():
        note(lambda: F.vmap(lambda a: a * a)(x))
    note(lambda: F.vmap(lambda a: a.requires_grad)(y))
    note(lambda: F.vmap(lambda a: a if a.sum() > 0 else -a)(x))
    note(lambda: F.vmap(lambda a: [float(a[0])])(x))
    note(lambda: F.vmap(F.grad(lambda a: (a**3).sum()))(x))
    note(lambda: F.grad(lambda a: F.vmap(lambda b: (b**3).sum())(a).sum())(x))
    note(lambda: F.vmap(F.jacrev(lambda a: a**2))(x))
    note(lambda: F.vmap(F.hessian(lambda a: (a**3).sum()))(x))
    note(lambda: F.vmap(F.vjp, in_dims=(None, 0))(lambda a: a * 2, x))


#: Expressions of a sample *x* of shape (2, 3), apart by semicolons.
RANDOM = (
    "torch.rand(2); torch.randn(2)+x; torch.rand_like(x); torch.randn_like(x); "
    "torch.randint(0,5,(2,)); torch.randint_like(x,5); torch.randperm(4); "
    "torch.bernoulli(x*0+0.5); torch.bernoulli(torch.full((2,),0.5)); torch.normal(0.,1.,(2,)); "
    "torch.normal(x,1.); torch.normal(0.,x+1); torch.normal(x,x+1); torch.multinomial(x+1,1); "
    "torch.multinomial(torch.ones(3),2); F.dropout(x); x.clone().normal_(); "
    "x.clone().uniform_(); x.clone().bernoulli_(0.5); x.clone().bernoulli_(x*0+0.5); "
    "x.clone().exponential_(); x.clone().random_(5); x.clone().geometric_(0.5); "
    "x.clone().cauchy_(); x.clone().log_normal_(); torch.ones(2).normal_(); torch.poisson(x); "
    "F.alpha_dropout(x,0.5); F.feature_alpha_dropout(x[:,None,None],0.5); "
    "F.rrelu(-x); F.rrelu(-x,training=True); F.rrelu(-x,inplace=True); F.rrelu(torch.ones(2)); "
    "torch.randn(2,generator=torch.Generator().manual_seed(3)); "
    "torch.rand(2,dtype=torch.float64); torch.rand(()); torch.randn(0)"
)


@program
def random_numbers(torch, ns, note):
    F = func(torch)
    x = torch.arange(6.0).reshape(3, 2)
    for src, f in functions(torch, RANDOM):
        note(src)
        for r in ("error", "same", "different"):
            for d, inp in ((0, x), (1, x.t())):
                torch.manual_seed(1)
                note(lambda: F.vmap(f, in_dims=d, randomness=r)(inp))
                note(torch.rand(1))
    for ch in (1, 2, 3, 5):
        for r in ("same", "different"):
            torch.manual_seed(1)
            note(lambda: F.vmap(lambda a: a + torch.rand(2), randomness=r, chunk_size=ch)(x))
    torch.manual_seed(1)
    note(
        lambda: F.vmap(
            F.vmap(lambda a: a + torch.rand(()), randomness="same"), randomness="different"
        )(x)
    )
    torch.manual_seed(1)
    note(
        lambda: F.vmap(
            F.vmap(lambda a: a + torch.rand(()), randomness="different"), randomness="same"
        )(x)
    )
    torch.manual_seed(1)
    note(
        lambda: F.vmap(
            F.vmap(lambda a: a + torch.rand(()), randomness="different"), randomness="error"
        )(x)
    )
    torch.manual_seed(1)
    note(lambda: F.vmap(F.grad(lambda a: (a * torch.rand(2)).sum()), randomness="different")(x))


@program
def transforms_that_show_values(torch, ns, note):
    """Lines without anything in them stay so, however deep a value is wrapped."""

    def showing(x):
        note(repr(x))
        return x.sum()

    x = torch.ones(2, 2, 2)
    torch.vmap(torch.vmap(showing))(x)
    torch.func.grad(showing)(x)
    torch.vmap(torch.func.grad(showing))(x)
    torch.func.jvp(showing, (x,), (x,))


@program
def choices_of_randomness_that_are_none(torch, ns, note):
    x = torch.ones(2)
    for call in (
        lambda: torch.func.vmap(torch.sin, randomness="x")(x),
        lambda: torch.func.jacfwd(torch.sin, randomness="x")(x),
    ):
        note(call)
    note(torch.func.linearize(torch.sin, x)[1].__name__)
