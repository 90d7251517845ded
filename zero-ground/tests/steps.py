"""The steps of zero-ground a second time, from their description and by other means.

Reads a case on standard input and writes it back with every line of results ("= ...") computed here. Python has only
64-bit floats, so each operation is done in those and rounded once to 32 bits: for + - * / and the square root of 32-bit
numbers that is the correctly rounded 32-bit result. Standard library only.
"""

import math
import struct
import sys

MASK = 0xFFFFFFFF


def f32(value):
    """The nearest 32-bit float, as a Python float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bits(value):
    return "%08x" % struct.unpack("<I", struct.pack("<f", value))[0]


def add(a, b):
    return f32(a + b)


def sub(a, b):
    return f32(a - b)


def mul(a, b):
    return f32(a * b)


def div(a, b):
    return f32(a / b)


def lerp(a, b, t):
    return add(a, mul(sub(b, a), t))


# The hash: FNV-1a over the bytes of little-endian words, then MurmurHash3's finaliser.


def scoped_hash(*numbers):
    state = 2166136261
    for number in numbers:
        for byte in struct.pack("<I", number & MASK):
            state = ((state ^ byte) * 16777619) & MASK
    state = ((state ^ (state >> 16)) * 2246822507) & MASK
    state = ((state ^ (state >> 13)) * 3266489909) & MASK
    return state ^ (state >> 16)


def unit(value):
    return (value >> 8) / 16777216.0


# Sine and cosine of small angles: Cody and Waite's reduction by pi/2 in four parts, then a polynomial.

HALF_PI_PARTS = [f32(1.5703125), f32(0.0004837513), f32(7.5495336e-8), f32(2.563344e-12)]
SINE = [f32(-0.16666655), f32(0.008332187), f32(-0.00019517893)]
COSINE = [f32(0.041666646), f32(-0.001388731), f32(2.4432327e-5)]


def wave(x, turn):
    quadrant = math.floor(add(mul(x, f32(0.63661975)), 0.5))
    n = float(quadrant)
    products = [mul(n, part) for part in HALF_PI_PARTS]
    exact = sub(sub(x, products[0]), products[1])
    partial = sub(exact, products[2])
    rest = sub(partial, products[3])
    low = add(sub(sub(exact, partial), products[2]), sub(sub(partial, rest), products[3]))
    quadrant += turn
    square = mul(rest, rest)
    if quadrant % 2 == 0:
        series = add(SINE[0], mul(square, add(SINE[1], mul(square, SINE[2]))))
        value = add(rest, add(mul(rest, mul(square, series)), low))
    else:
        series = add(COSINE[0], mul(square, add(COSINE[1], mul(square, COSINE[2]))))
        half = mul(square, 0.5)
        near = sub(1.0, half)
        correction = sub(mul(square, mul(square, series)), mul(rest, low))
        value = add(near, add(sub(sub(1.0, near), half), correction))
    if (quadrant // 2) % 2 == 1:
        value = 0.0 - value
    return max(-1.0, min(1.0, value))


def turn(yaw, x, z):
    c, s = wave(yaw, 1), wave(yaw, 0)
    return c, s, add(mul(c, x), mul(s, z)), add(mul(-s, x), mul(c, z))


def along(cell, draw, jitter, spacing):
    return mul(add(f32(cell), lerp(0.5, draw, jitter)), spacing)


def cells_a_side(chunk, step):
    quotient = div(chunk, step)
    return max(1, math.ceil(sub(quotient, mul(quotient, 2.0**-22))))


class Ground:
    """What the lines of a case have set so far."""

    def __init__(self):
        self.clearings = []
        self.callback = None

    def grid(self, corner_x, corner_z, side):
        self.corner, self.side = (f32(float(corner_x)), f32(float(corner_z))), f32(float(side))

    def density(self, width, depth, texel, corner_x, corner_z):
        self.size = (int(width), int(depth))
        self.texel, self.map_corner = f32(float(texel)), (f32(float(corner_x)), f32(float(corner_z)))
        self.texels = []

    def texels_row(self, *pairs):
        self.texels.append([tuple(f32(float(part)) for part in pair.split("/")) for pair in pairs])

    def layer(self, number, solid, trample, *numbers):
        self.number, self.solid, self.trample = int(number), solid == "solid", trample == "trample"
        self.jitter, self.chance, self.smin, self.smax, self.wmin, self.wmax = (f32(float(n)) for n in numbers)
        self.bands = []

    def band(self, step, grow):
        self.bands.append((f32(float(step)), f32(float(grow))))

    def sample(self, x, z):
        """Both channels at a point: first along x, then along z; nothing outside the map."""
        places = []
        for at, corner, count in zip((x, z), self.map_corner, self.size):
            texels = div(sub(at, corner), self.texel)
            if not 0.0 <= texels < count:
                return 0.0, 1.0
            centered = min(max(sub(texels, 0.5), 0.0), float(count - 1))
            first = math.floor(centered)
            places.append((first, min(first + 1, count - 1), sub(centered, float(first))))
        (x0, x1, tx), (z0, z1, tz) = places
        rows = self.texels
        return tuple(
            lerp(lerp(rows[z0][x0][k], rows[z0][x1][k], tx), lerp(rows[z1][x0][k], rows[z1][x1][k], tx), tz)
            for k in (0, 1)
        )

    def trampled(self, chance, x, z):
        if self.callback is not None:
            edge, left, right = self.callback
            chance = mul(chance, left if x < edge else right)
        return self.cleared(chance, x, z)

    def cleared(self, chance, x, z):
        for cx, cz, inner, outer, floor in self.clearings:
            dx, dz = sub(x, cx), sub(z, cz)
            distance = f32(math.sqrt(add(mul(dx, dx), mul(dz, dz))))
            if distance <= inner:
                factor = floor
            elif distance >= outer:
                factor = 1.0
            else:
                t = div(sub(distance, inner), sub(outer, inner))
                factor = lerp(floor, 1.0, mul(mul(t, t), sub(3.0, mul(2.0, t))))
            chance = mul(chance, factor)
        return chance

    def things(self, cx, cz, band):
        """What stands in a chunk at a band, and how many cells a side it has."""
        step, grow = self.bands[band]
        share = 1.0
        hashed = band
        if self.solid:
            ratio = div(self.bands[0][0], step)
            share, hashed, grow, step = mul(ratio, ratio), 0, 1.0, self.bands[0][0]
        cells = cells_a_side(self.side, step)
        spacing = div(self.side, f32(cells))
        if self.solid and not (-128 <= cx <= 127 and -128 <= cz <= 127):
            return cells, []
        origin = [add(corner, mul(f32(c), self.side)) for corner, c in zip(self.corner, (cx, cz))]
        found = []
        for i in range(cells):
            for j in range(cells):
                draws = [unit(scoped_hash(self.number, cx, cz, hashed, i, j, number)) for number in range(8)]
                x = add(origin[0], along(i, draws[0], self.jitter, spacing))
                z = add(origin[1], along(j, draws[1], self.jitter, spacing))
                painted_chance, painted_scale = self.sample(x, z)
                chance = mul(painted_chance, self.chance)
                if self.trample:
                    chance = self.trampled(chance, x, z)
                scale = mul(mul(lerp(self.smin, self.smax, draws[6]), painted_scale), grow)
                if draws[2] < chance and draws[7] < share and scale > 0.0:
                    yaw = mul(draws[3], f32(math.tau))
                    wind = lerp(self.wmin, self.wmax, draws[5])
                    found.append((i, j, x, z, scale, yaw, draws[4], wind))
        return cells, found


def thing_line(thing):
    i, j, *numbers = thing
    return "= %d %d %s" % (i, j, " ".join(bits(number) for number in numbers))


def results(ground, word, args):
    """The lines of results of one line of a case; lines that only set something have none."""
    numbers = lambda: [f32(float(arg)) for arg in args]
    if word == "hash":
        value = scoped_hash(*(int(arg) for arg in args))
        yield "= %08x %s" % (value, bits(unit(value)))
    elif word == "lerp":
        yield "= " + bits(lerp(*numbers()))
    elif word == "yaw":
        draw, x, z = numbers()
        yaw = mul(draw, f32(math.tau))
        yield "= " + " ".join(bits(n) for n in (yaw, *turn(yaw, x, z)))
    elif word == "cells":
        yield "= %d" % cells_a_side(*numbers())
    elif word == "sample":
        yield "= " + " ".join(bits(n) for n in ground.sample(*numbers()))
    elif word == "factor":
        yield "= " + bits(ground.cleared(1.0, *numbers()))
    elif word == "chunk":
        _, things = ground.things(*(int(arg) for arg in args))
        yield from map(thing_line, things)
    elif word == "solids":
        cx, cz = (int(arg) for arg in args)
        cells, things = ground.things(cx, cz, 0)
        for thing in things:
            cell = ((ground.number * 256 + cz + 128) * 256 + cx + 128) * 512 + thing[0] * cells + thing[1]
            yield "= %d %s" % (cell, thing_line(thing)[2:])
    elif word == "clearing":
        ground.clearings.append(tuple(numbers()))
    elif word == "callback":
        ground.callback = tuple(numbers())
    elif word == "untrampled":
        ground.clearings, ground.callback = [], None
    elif word == "texels":
        ground.texels_row(*args)
    elif word in ("grid", "density", "layer", "band"):
        getattr(ground, word)(*args)
    else:
        sys.exit("steps.py: unknown line: " + word)


def main():
    ground = Ground()
    for line in sys.stdin:
        line = line.split("#")[0].strip()
        if not line or line.startswith("="):
            continue
        print(line)
        for result in results(ground, *(lambda word, *args: (word, args))(*line.split())):
            print(result)


main()
