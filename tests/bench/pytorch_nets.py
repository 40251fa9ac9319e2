# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side of compare_pytorch.sh: one network, synthetic data, images per second of training.

    python3 pytorch_nets.py lenet --batch 100 --threads 2 --iterations 50
"""
import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F


def lenet():
    return nn.Sequential(nn.Conv2d(1, 20, 5), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(800, 500), nn.ReLU(inplace=True), nn.Linear(500, 10)), (1, 28, 28), 10


def alexnet():
    lrn = lambda: nn.LocalResponseNorm(5, 1e-4, 0.75, 1.0)
    relu = lambda: nn.ReLU(inplace=True)
    return nn.Sequential(
        nn.Conv2d(3, 96, 11, 4), relu(), lrn(), nn.MaxPool2d(3, 2), nn.Conv2d(96, 256, 5, padding=2), relu(), lrn(), nn.MaxPool2d(3, 2),
        nn.Conv2d(256, 384, 3, padding=1), relu(), nn.Conv2d(384, 384, 3, padding=1), relu(), nn.Conv2d(384, 256, 3, padding=1), relu(),
        nn.MaxPool2d(3, 2), nn.Flatten(), nn.Linear(9216, 4096), relu(), nn.Dropout(), nn.Linear(4096, 4096), relu(), nn.Dropout(),
        nn.Linear(4096, 1000)), (3, 227, 227), 1000


class PreactBlock(nn.Module):
    def __init__(self, c_in, c_out, down, first):
        super().__init__()
        self.pre = nn.Identity() if first else nn.Sequential(nn.BatchNorm2d(c_in), nn.ReLU(inplace=True))
        self.body = nn.Sequential(nn.Conv2d(c_in, c_out, 3, 2 if down else 1, 1), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True),
                                  nn.Conv2d(c_out, c_out, 3, 1, 1))
        self.down, self.pad = down, (c_out - c_in) // 2

    def forward(self, x):
        short = F.pad(F.avg_pool2d(x, 2), (0, 0, 0, 0, self.pad, self.pad)) if self.down else x
        return self.body(self.pre(x) if not isinstance(self.pre, nn.Identity) else x) + short


def residual32():
    layers, c = [nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True)], 16
    for stage, out in enumerate((16, 32, 64)):
        for block in range(5):
            layers.append(PreactBlock(c, out, stage > 0 and block == 0, stage == 0 and block == 0))
            c = out
    layers += [nn.BatchNorm2d(64), nn.ReLU(), nn.AvgPool2d(8), nn.Flatten(), nn.Linear(64, 10)]
    return nn.Sequential(*layers), (3, 32, 32), 10


def main():
    nets = {"lenet": lenet, "alexnet": alexnet, "residual32": residual32}
    parser = argparse.ArgumentParser()
    parser.add_argument("net", choices=nets)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    net, shape, classes = nets[args.net]()
    net.train()
    solver = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    x, y = torch.randn(args.batch, *shape), torch.randint(classes, (args.batch,))

    def iteration():
        solver.zero_grad(set_to_none=True)
        F.cross_entropy(net(x), y).backward()
        solver.step()

    iteration(), iteration()
    begin = time.perf_counter()
    for _ in range(args.iterations):
        iteration()
    print(f"{args.batch * args.iterations / (time.perf_counter() - begin):.1f}")


if __name__ == "__main__":
    main()
