#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the bundled subset from the Debian package dataset-fashion-mnist: 1,600 training and 400 test images.

    python3 samples/data/make_subset.py [/usr/share/datasets/fashion-mnist] [samples/data]

Takes the first images of each class, as many of each, in the order of the files; the same files come out every time.
"""
import gzip
import pathlib
import struct
import sys


def read(path):
    data = gzip.decompress(path.read_bytes())
    dimensions = data[3]
    sizes = struct.unpack(f">{dimensions}I", data[4:4 + 4 * dimensions])
    return sizes, data[4 + 4 * dimensions:]


def write(path, sizes, values):
    header = bytes([0, 0, 8, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
        out.write(header + values)


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/datasets/fashion-mnist")
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent)
    for prefix, count in (("train", 1600), ("t10k", 400)):
        (_, rows, columns), pixels = read(source / f"{prefix}-images-idx3-ubyte.gz")
        _, labels = read(source / f"{prefix}-labels-idx1-ubyte.gz")
        left = [count // 10] * 10
        chosen = []
        for index, label in enumerate(labels):
            if left[label] > 0:
                left[label] -= 1
                chosen.append(index)
        size = rows * columns
        write(target / f"{prefix}-images-idx3-ubyte.gz", (count, rows, columns),
              b"".join(pixels[i * size:(i + 1) * size] for i in chosen))
        write(target / f"{prefix}-labels-idx1-ubyte.gz", (count,), bytes(labels[i] for i in chosen))


main()
