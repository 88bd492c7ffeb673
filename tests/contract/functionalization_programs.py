"""Programs over ``(torch, x)`` that change tensors in place, for ``functionalize``."""

from __future__ import annotations

PROGRAMS = {}


def program(function):
    """A program ``f(torch, x)`` over a float tensor of shape (4, 2)."""
    PROGRAMS[function.__name__] = function
    return function


@program
def changes_its_argument(torch, x):
    x.add_(1)
    return x


@program
def changes_a_view_of_its_argument(torch, x):
    y = x.view(8)
    y.add_(torch.ones(8))
    return x * x


@program
def changes_a_view_of_a_view(torch, x):
    y = x.clone()
    whole = y.view(8)
    part = whole[2:].unsqueeze(0)
    part.mul_(2)
    return y.sum() + whole


@program
def changes_an_argument_s_row(torch, x):
    row = x[0]
    row.add_(1)
    return row


@program
def sets_items(torch, x):
    y = x.clone()
    y[0] = 1
    y[:, 1] = y[0].sum()
    y[1:3] = y[0]
    y[[0, 2]] = 5.0
    return y


@program
def sets_items_by_mask(torch, x):
    y = x.clone()
    y[y > 0] = 0
    return y


@program
def writes_into_out(torch, x):
    y = torch.empty_like(x)
    torch.add(x, x, out=y)
    z = torch.zeros(0)
    torch.mul(y, x, out=z)
    return y, z


@program
def writes_into_two_outs(torch, x):
    values, indices = torch.empty(4), torch.empty(4, dtype=torch.int64)
    torch.max(x, 1, out=(values, indices))
    return values, indices


@program
def writes_into_an_out_of_another_dtype(torch, x):
    y = torch.zeros(4, 2, dtype=torch.float64)
    torch.add(x, x, out=y)
    return y


@program
def changes_pieces(torch, x):
    y = x.clone()
    first, second = y.split(2)
    first.add_(1)
    turned = y.t()
    turned[0].mul_(3)
    columns = y.unbind(1)
    columns[1].zero_()
    halves = y.chunk(2, 1)
    halves[0].sub_(1)
    uneven = y.split([1, 3])
    uneven[1].div_(2)
    return y, second, turned, columns[0]


@program
def changes_shapes_in_place(torch, x):
    y = x.clone()
    z = y.transpose_(0, 1)
    y.unsqueeze_(0)
    y.add_(1)
    y.squeeze_()
    y.t_()
    return y, z


@program
def changes_the_shape_of_its_argument(torch, x):
    x.transpose_(0, 1)
    x.add_(1)
    return x.sum()


@program
def changes_a_window(torch, x):
    y = x.clone()
    z = y.as_strided((2, 2), (1, 2), 1)
    z.add_(1)
    return y, z


@program
def fills_a_diagonal(torch, x):
    y = x.clone()
    y.diagonal().fill_(3)
    y.diagonal(-1).copy_(x.diagonal())
    return y


@program
def changes_through_expand(torch, x):
    y = x.clone()
    y.expand(3, 4, 2).add_(1)
    y[:, :1].expand(4, 2).mul_(2)
    return y


@program
def changes_through_permute_and_movedim(torch, x):
    y = x.clone()
    y.view(2, 2, 2).permute(2, 0, 1).add_(1)
    y.view(2, 2, 2).movedim(0, -1).mul_(2)
    y.T.sub_(1)
    y.flatten().add_(1)
    y.unflatten(0, (2, 2))[0].exp_()
    return y


@program
def changes_through_squeeze(torch, x):
    y = x.clone()
    y.view(1, 8, 1).squeeze().add_(1)
    y.unsqueeze(1).squeeze(1).mul_(2)
    y.unsqueeze(-1).squeeze((-1, 0)).sub_(1)
    return y


@program
def changes_through_unfold(torch, x):
    y = x.clone()
    y.unfold(0, 2, 2).add_(1)
    return y


@program
def refuses_unfold_with_overlap(torch, x):
    y = x.clone()
    y.unfold(0, 2, 1).add_(1)
    return y


@program
def refuses_a_window_of_a_view(torch, x):
    y = x.clone()
    y.view(8).as_strided((2,), (1,)).add_(1)
    return y


@program
def changes_complex_parts(torch, x):
    y = torch.view_as_complex(x.clone())
    y.real.add_(1)
    y.imag.mul_(2)
    torch.view_as_real(y)[0].zero_()
    return y


@program
def copies_and_fills(torch, x):
    y = torch.zeros(4, 2)
    y.copy_(x[0])
    y.fill_(x.sum())
    y.index_put_((torch.tensor([0, 1]),), x[:2])
    y.masked_fill_(y > 2, 7)
    return y.diagonal(), y.contiguous(), y.detach()


@program
def joins_what_it_changes(torch, x):
    y = x.clone()
    z = torch.cat([y, y[:1]])
    z.relu_()
    y.neg_()
    return torch.stack([y, z[1:]])


@program
def changes_dtypes(torch, x):
    y = x.to(torch.float64)
    y.add_(x)
    z = x.int()
    z.add_(1)
    return y, z, x.float()


@program
def shows_one_memory_twice(torch, x):
    y = x.clone()
    a, b = y.view(8), y.t()
    a.add_(1)
    b.mul_(2)
    a[0].zero_()
    return y, a, b, y.alias() if hasattr(y, "alias") else y


@program
def does_nothing_in_place(torch, x):
    return (x @ x.t()).softmax(-1).sum(0)


@program
def makes_and_changes(torch, x):
    y = torch.arange(8.0).reshape(4, 2)
    y.add_(x)
    z = torch.full((4, 2), 2.0)
    z.mul_(y)
    return z, torch.tensor([1.0, 2.0]).add_(x[0])


@program
def resizes(torch, x):
    y = x.clone()
    y.resize_(2)
    y.add_(1)
    return y


@program
def refuses_to_enlarge_a_view(torch, x):
    x.clone().view(8).resize_(20)


@program
def sets_memory(torch, x):
    y = x.clone()
    y.set_(x)
    y.add_(1)
    return y


@program
def refuses_shapes_that_do_not_fit(torch, x):
    y = x.clone()
    y.copy_(torch.ones(3))


@program
def refuses_a_larger_result_in_place(torch, x):
    y = x.clone()
    y.add_(torch.ones(3, 4, 2))


@program
def reads_numbers(torch, x):
    n = torch.ones(3)
    n.add_(1)
    return x * n.sum().item() if bool(n[0] > 1) else x


@program
def changes_in_a_composite(torch, x):
    y = torch.nn.functional.relu(x, inplace=True)
    y = torch.nn.functional.linear(y, torch.ones(3, 2), torch.ones(3))
    return torch.nn.functional.layer_norm(y, (3,)).add_(1)


@program
def unsafe_views(torch, x):
    y = torch.matmul(x.view(2, 2, 2), torch.ones(2, 3))
    y.add_(1)
    return y
