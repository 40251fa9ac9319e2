#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes pytorch_NAME.json for each network below: what PyTorch computes when it trains it.

    /usr/bin/python3 tests/oracle/pytorch_training.py        # Debian: python3-torch

tests/backends/pytorch_training_test.cpp trains the same networks and compares. Each file has the network as a network
file, the losses of three iterations, a digest of each parameter's gradient in the first one, digests of all parameters
and running statistics after the last one, and the loss of one more batch in evaluation.

All in double, so that only the other side rounds. Both sides make parameters, images and labels by one rule from names
(`unit`, `first_values`): dyadic numbers, exact in float.

The solver is the engine's, which is torch.optim.SGD with dampening 0, and weight decay for weights and the scale of batch
norm only (biases and shifts are in a group without):
    g = gradient + decay * p;  v = momentum * v + g;  p -= rate * (nesterov ? g + momentum * v : v)
The rate is outside of v and changes between iterations, so that v += rate * g would be seen.
"""
import itertools
import json
import math
import pathlib

import torch
from torch.nn import functional as F

BATCH, ITERATIONS, HERE = 4, 3, pathlib.Path(__file__).resolve().parent
# A ReLU input or a runner-up of a max pool this close to the other side, in units of its tensor's RMS, could fall there
# by rounding alone; such a run says nothing. Seeds are tried until none is.
MARGIN = 1e-5


def lenet():
    net = json.loads((HERE / "../../samples/networks/lenet.json").read_text())
    net["solver"] = {"type": "momentum", "learningRate": 0.05, "momentum": 0.9, "weightDecay": 0.01,
                     "schedule": [{"from": 1, "learningRate": 0.02}, {"from": 2, "learningRate": 0.04}]}
    return {key: net[key] for key in ("name", "solver", "layers")}


def resnet():
    """Pre-activation, as samples/networks/residual32.json; one block without and one with a change of size."""
    return {"name": "resnet-tiny", "solver": NESTEROV,
            "layers": [layer("data", "data", shape=[3, 16, 16], classes=10),
                       conv("conv1", 8), layer("bn1", "batchnorm"), layer("relu1", "relu"), layer("fork1", "fork"),
                       conv("convA1", 8), layer("bnB1", "batchnorm"), layer("reluB1", "relu"), conv("convB1", 8),
                       layer("join1", "join", input=["convB1", "fork1"]), layer("fork2", "fork"),
                       layer("bnA2", "batchnorm", epsilon=0.01, momentum=0.25), layer("reluA2", "relu"), conv("convA2", 16, stride=2),
                       layer("bnB2", "batchnorm"), layer("reluB2", "relu"), conv("convB2", 16),
                       layer("pool2", "pool", input="fork2", mode="average", kernel=2), layer("pad2", "pad", before=4, after=4),
                       layer("join2", "join", input=["convB2", "pad2"]),
                       layer("bn2", "batchnorm"), layer("relu2", "relu"), layer("pool", "pool", mode="average", kernel=8, stride=1),
                       layer("fc", "fc", out=10), layer("softmax", "softmax")]}


def conv(name, out, kernel=3, pad=1, **more):
    return {"name": name, "type": "conv", "out": out, "kernel": kernel, "pad": pad, "bias": False, **more}


def layer(name, kind, **more):
    return {"name": name, "type": kind, **more}


NESTEROV = {"type": "nesterov", "learningRate": 0.05, "momentum": 0.9, "weightDecay": 0.01,
            "schedule": [{"from": 1, "learningRate": 0.02}, {"from": 2, "learningRate": 0.04}]}


def inception():
    """Two modules as in Inception-v4: one with a fork inside of a branch, one that halves the sides. Then a batch norm of each
    activation. Branches of a fork and inputs of a concat are in different orders."""
    relu = lambda name: layer("relu" + name, "relu")
    return {"name": "inception-tiny", "solver": NESTEROV,
            "layers": [layer("data", "data", shape=[3, 12, 10], classes=10),
                       conv("front", 8, bias=True), relu("Front"), layer("fork1", "fork"),
                       conv("one", 6, 1, 0), relu("One"),
                       conv("reduce", 7, 1, 0, input="fork1"), relu("Reduce"), layer("inner", "fork"),
                       conv("wide", 5, [1, 3], [0, 1]), relu("Wide"),
                       conv("tall", 4, [3, 1], [1, 0], input="inner", bias=True), relu("Tall"),
                       layer("pool1", "pool", input="fork1", mode="average-including-padding", kernel=3, stride=1, pad=1),
                       conv("pooled", 3, 1, 0), relu("Pooled"),
                       layer("concat1", "concat", input=["reluTall", "reluOne", "reluWide", "reluPooled"]),
                       layer("fork2", "fork"), conv("half", 8, 3, 0, stride=2), layer("bnHalf", "batchnorm"), relu("Half"),
                       layer("pool2", "pool", input="fork2", kernel=3, stride=2),
                       layer("concat2", "concat", input=["reluHalf", "pool2"]),
                       layer("norm", "batchnorm", perActivation=True, epsilon=0.1),
                       layer("fc", "fc", out=10), layer("softmax", "softmax")]}


def dense():
    """Two dense layers, a transition, another dense layer, as in DenseNet: the features go straight to input 0 of each concat."""
    def dense_layer(tag, last):
        return [layer("fork" + tag, "fork", input=last), layer("bnA" + tag, "batchnorm"), layer("reluA" + tag, "relu"), conv("convA" + tag, 12, 1, 0),
                layer("bnB" + tag, "batchnorm"), layer("reluB" + tag, "relu"), conv("convB" + tag, 4),
                layer("concat" + tag, "concat", input=["fork" + tag, "convB" + tag])]
    return {"name": "densenet-tiny", "solver": NESTEROV,
            "layers": [layer("data", "data", shape=[3, 12, 12], classes=10), conv("conv0", 6),
                       *dense_layer("1", "conv0"), *dense_layer("2", "concat1"),
                       layer("bnT", "batchnorm"), layer("reluT", "relu"), conv("convT", 8, 1, 0),
                       layer("poolT", "pool", mode="average", kernel=2), *dense_layer("3", "poolT"),
                       layer("bn", "batchnorm"), layer("relu", "relu"), layer("pool", "pool", mode="average", kernel=6),
                       layer("fc", "fc", out=10), layer("softmax", "softmax")]}


WORD = (1 << 64) - 1


def scramble(x):
    x = (x + 0x9E3779B97F4A7C15) & WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


def mix(a, b):
    return scramble(a ^ scramble(b))


def key_of(seed, name):
    fnv = 0xCBF29CE484222325
    for byte in name.encode():
        fnv = ((fnv ^ byte) * 0x100000001B3) & WORD
    return mix(seed, fnv)


def unit(seed, name, shape):
    """In [-1, 1), multiples of 2^-15."""
    key = key_of(seed, name)
    values = [(mix(key, i) >> 48) / 32768 - 1 for i in range(math.prod(shape))]
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def first_values(seed, name, shape):
    u, role = unit(seed, name, shape), name.split(".")[1]
    if role == "weights":   # the largest power of two with a variance of at most 2 / fan-in
        scale = 1.0
        while scale * scale * math.prod(shape[1:]) > 6:
            scale /= 2
        return u * scale
    return 1 + u / 2 if role in ("scale", "runningVariance") else u / 4


class Net:
    """The network file as PyTorch's functions; parameters are made when their layer is first met."""

    def __init__(self, net, seed):
        self.layers, self.seed, self.parameters, self.statistics, self.margin = net["layers"], seed, {}, {}, math.inf

    def value(self, name, shape, store=None):
        store = self.parameters if store is None else store
        if name not in store:
            store[name] = first_values(self.seed, name, shape).requires_grad_(store is self.parameters)
        return store[name]

    def loss(self, images, labels, training=True):
        outputs, last = {}, None
        for layer in self.layers:
            inputs = layer.get("input", last)
            sources = [outputs[name] for name in ([inputs] if isinstance(inputs, str) else inputs or [])]
            last = layer["name"]
            outputs[last] = images if layer["type"] == "data" else self.forward(layer, sources, labels, training)
        return outputs[last]

    def forward(self, layer, sources, labels, training):
        x, name, kind, get = sources[0], layer["name"], layer["type"], layer.get
        if kind == "conv":
            kernel = layer["kernel"] if isinstance(layer["kernel"], list) else 2 * [layer["kernel"]]
            weights = self.value(name + ".weights", (layer["out"], x.shape[1], *kernel))
            bias = self.value(name + ".bias", (layer["out"],)) if get("bias", True) else None
            return F.conv2d(x, weights, bias, get("stride", 1), get("pad", 0))
        if kind == "fc":
            x = x.flatten(1)
            return F.linear(x, self.value(name + ".weights", (layer["out"], x.shape[1])), self.value(name + ".bias", (layer["out"],)))
        if kind == "batchnorm":
            y = x.flatten(1) if get("perActivation", False) else x   # then each activation is a channel of its own
            channels = (y.shape[1],)
            mean, variance = (self.value(f"{name}.{s}", channels, self.statistics) for s in ("runningMean", "runningVariance"))
            return F.batch_norm(y, mean, variance, self.value(name + ".scale", channels), self.value(name + ".shift", channels),
                                training, get("momentum", 0.1), get("epsilon", 1e-3)).reshape(x.shape)
        if kind == "pool":
            kernel, stride = layer["kernel"], get("stride", layer["kernel"])
            if (mode := get("mode", "max")) != "max":
                return F.avg_pool2d(x, kernel, stride, get("pad", 0), count_include_pad=mode == "average-including-padding")
            two = x.detach().unfold(2, kernel, stride).unfold(3, kernel, stride).flatten(-2).topk(2).values
            # Two exact zeros come from a ReLU, which stops the gradient of either.
            self.note_margin((two[..., 0] - two[..., 1])[two[..., 0] != 0], x)
            return F.max_pool2d(x, kernel, stride)
        if kind == "relu":
            self.note_margin(x.detach().abs(), x)
            return F.relu(x)
        if kind == "join":
            return sum(sources)
        if kind == "concat":
            return torch.cat(sources, 1)
        if kind == "pad":
            return F.pad(x, (0, 0, 0, 0, layer["before"], layer["after"]))
        return {"fork": lambda: x, "softmax": lambda: F.cross_entropy(x, labels)}[kind]()

    def note_margin(self, gaps, x):
        self.margin = min(self.margin, (gaps.min() / x.detach().pow(2).mean().sqrt()).item())


def rounded(value):
    return float(f"{value:.10g}")


def digest(tensor):
    """Sum, L2 norm, and the elements: all of a small tensor, else 32 of them, evenly from the first to the last."""
    flat = tensor.detach().flatten()
    n = len(flat)
    places = range(n) if n <= 64 else [k * (n - 1) // 31 for k in range(32)]
    return {"elements": n, "sum": rounded(flat.sum().item()), "norm": rounded(flat.norm().item()), "samples": [rounded(flat[i].item()) for i in places]}


def batch(net, seed, number):
    data = net["layers"][0]
    images = unit(seed, f"images{number}", (BATCH, *data["shape"]))
    key = key_of(seed, f"labels{number}")
    return images, torch.tensor([mix(key, i) % data["classes"] for i in range(BATCH)])


def train(net, seed):
    model, solver = Net(net, seed), net["solver"]
    model.loss(*batch(net, seed, 0), training=False)   # makes the parameters
    decayed = lambda name: name.endswith((".weights", ".scale"))
    groups = [{"params": [p for name, p in model.parameters.items() if decayed(name)], "weight_decay": solver["weightDecay"]},
              {"params": [p for name, p in model.parameters.items() if not decayed(name)], "weight_decay": 0.0}]
    sgd = torch.optim.SGD(groups, lr=solver["learningRate"], momentum=solver["momentum"], nesterov=solver["type"] == "nesterov")
    losses, gradients = [], {}
    for i in range(ITERATIONS):
        for drop in solver["schedule"]:
            if i >= drop["from"]:
                for group in sgd.param_groups:
                    group["lr"] = drop["learningRate"]
        sgd.zero_grad(set_to_none=True)
        loss = model.loss(*batch(net, seed, i))
        loss.backward()
        losses.append(rounded(loss.item()))
        if i == 0:
            gradients = {name: digest(p.grad) for name, p in model.parameters.items()}
        sgd.step()
    with torch.no_grad():
        evaluation = rounded(model.loss(*batch(net, seed, ITERATIONS), training=False).item())
    return model.margin, {"torch": torch.__version__, "network": net, "batch": BATCH, "seed": seed, "losses": losses, "gradients": gradients,
                          "parameters": {name: digest(p) for name, p in {**model.parameters, **model.statistics}.items()},
                          "evaluationLoss": evaluation}


def main():
    torch.set_num_threads(1)
    for name, net in (("lenet", lenet()), ("resnet", resnet()), ("inception", inception()), ("densenet", dense())):
        for seed in itertools.count(1):
            margin, result = train(net, seed)
            if margin >= MARGIN:
                break
        lines = [f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in result.items()]
        (HERE / f"pytorch_{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{name}: seed {seed}, margin {margin:.1e}, losses {result['losses']}, in evaluation {result['evaluationLoss']}")


if __name__ == "__main__":
    main()
