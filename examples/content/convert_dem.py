#!/usr/bin/env python3
"""Converts the Jacksboro fault elevation model to the texture asset beside this script.

    python3 convert_dem.py jacksboro_fault_dem.npz

The source is the sample file of that name that Matplotlib ships (`elevation`: int16 metres, row by row; `dx`, `dy`
and the bounds in degrees). It is read with the standard library alone: an .npz file is a zip of .npy arrays.

In the source `ymin` and `ymax` are swapped: the one called `ymin` is the northern edge. Row 0 of `elevation` is the
northern row, so that rows run along +Z when +Z is south. The asset keeps the rows in that order and names the edges
rightly.
"""

import ast
import math
import os
import struct
import sys
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ASSET = os.path.join(HERE, "jacksboro.texture")
PAYLOAD = "elevation.png"

YAML = """\
# A real elevation model as a texture: one texel is one cell, its integer value is metres above sea level.
version: 1
format: r16
size: [{width}, {height}]
colorSpace: linear
wrap: clamp
mips: 1
payload: {payload}
elevation:
  unit: m
  scale: 1.0 # metres a step of the 16-bit value
  offset: 0.0 # metres at value 0
  range: [{low}, {high}] # lowest and highest value in the file
  cellSize: [{cell_x:.1f}, {cell_z:.1f}] # metres east-west and north-south, at {latitude:.1f} degrees north
  rows: north to south
  bounds: # degrees, the outer edges of the outer cells
    west: {west:.8f}
    east: {east:.8f}
    south: {south:.8f}
    north: {north:.8f}
source: >-
  U.S. Geological Survey, public domain; shipped as sample data (jacksboro_fault_dem.npz) with Matplotlib.
"""


def read_array(archive, name):
    """The shape and the values of one version 1 .npy array in C order."""
    raw = archive.read(name + ".npy")
    if raw[:8] != b"\x93NUMPY\x01\x00":
        raise SystemExit(f"{name}: not a version 1 .npy array")
    (header_bytes,) = struct.unpack("<H", raw[8:10])
    header = ast.literal_eval(raw[10 : 10 + header_bytes].decode("latin-1"))
    code = {"<i2": "h", "<f8": "d"}.get(header["descr"])
    if code is None or header["fortran_order"]:
        raise SystemExit(f"{name}: expected <i2 or <f8 in C order, found {header}")
    values = [v[0] for v in struct.iter_unpack("<" + code, raw[10 + header_bytes :])]
    if len(values) != math.prod(header["shape"]):
        raise SystemExit(f"{name}: {len(values)} values for shape {header['shape']}")
    return header["shape"], values


def png_grey16(width, height, values):
    """A 16-bit greyscale PNG, each row filtered against the one above (Up), which suits smooth ground."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    above = bytes(2 * width)
    lines = bytearray()
    for row in range(height):
        line = struct.pack(f">{width}H", *values[row * width : (row + 1) * width])
        lines.append(2)
        lines.extend((a - b) & 0xFF for a, b in zip(line, above))
        above = line
    return b"".join([
        b"\x89PNG\r\n\x1a\n",
        chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)),
        chunk(b"IDAT", zlib.compress(bytes(lines), 9)),
        chunk(b"IEND", b""),
    ])


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with zipfile.ZipFile(sys.argv[1]) as archive:
        (height, width), elevation = read_array(archive, "elevation")
        degrees = {name: read_array(archive, name)[1][0] for name in ("dx", "dy", "xmin", "xmax", "ymin", "ymax")}
    low, high = min(elevation), max(elevation)
    if low < 0:
        raise SystemExit(f"lowest elevation is {low}: an unsigned payload needs an offset")
    south, north = sorted((degrees["ymin"], degrees["ymax"]))
    latitude = (south + north) / 2
    # On a sphere of the Earth's mean radius, which is how the cell sizes of such models are usually quoted. The
    # ellipsoid (WGS 84) would give 74.6 by 92.5 m here.
    metres_a_degree = math.radians(6_371_008.8)
    text = YAML.format(
        width=width,
        height=height,
        payload=PAYLOAD,
        low=low,
        high=high,
        cell_x=degrees["dx"] * metres_a_degree * math.cos(math.radians(latitude)),
        cell_z=degrees["dy"] * metres_a_degree,
        latitude=latitude,
        west=degrees["xmin"],
        east=degrees["xmax"],
        south=south,
        north=north,
    )
    os.makedirs(ASSET, exist_ok=True)
    with open(os.path.join(ASSET, PAYLOAD), "wb") as out:
        out.write(png_grey16(width, height, elevation))
    with open(os.path.join(ASSET, "texture.yaml"), "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main()
