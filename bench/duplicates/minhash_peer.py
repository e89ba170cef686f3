#!/usr/bin/env python3
"""minhash_peer.py < TEXTS: clusters of near-duplicates by MinHash with FineWeb's parameters, in plain Python, of texts whose
words are joined by spaces, one on each line.  A line for each cluster; the time goes to standard error."""
import hashlib
import random
import struct
import sys
import time

GRAM, BANDS, ROWS, PRIME = 5, 14, 8, (1 << 61) - 1
WORD = (1 << 64) - 1


def numpy_words(seed):
    """The 64-bit words of numpy's RandomState(seed): its Mersenne twister, seeded as its authors did."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    while True:
        yield twister.getrandbits(32) << 32 | twister.getrandbits(32)


def below(words, bound):
    return next(word & PRIME for word in words if word & PRIME < bound)


WORDS = numpy_words(1)
FACTORS = [1 + below(WORDS, PRIME - 1) for _ in range(BANDS * ROWS)]
SUMMANDS = [below(WORDS, PRIME) for _ in range(BANDS * ROWS)]


def minima(words):
    grams = {" ".join(words[i : i + GRAM]) for i in range(len(words) - GRAM + 1)}
    hashes = [struct.unpack("<Q", hashlib.sha1(gram.encode()).digest()[:8])[0] for gram in grams]
    if not hashes:
        return None
    return [min([(h * a + b & WORD) % PRIME for h in hashes]) for a, b in zip(FACTORS, SUMMANDS)]


def main():
    texts = sys.stdin.read().splitlines()
    start = time.monotonic()
    parents = list(range(len(texts)))

    def root(number):
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    bands = {}
    for number, text in enumerate(texts):
        values = minima(text.split())
        for band in range(BANDS if values else 0):
            key = (band, *values[band * ROWS : (band + 1) * ROWS])
            a, b = sorted((root(bands.setdefault(key, number)), root(number)))
            parents[b] = a
    clusters = {}
    for number in range(len(texts)):
        clusters.setdefault(root(number), []).append(number)
    for members in clusters.values():
        if len(members) > 1:
            print(*members)
    size = sum(map(len, texts))
    print(f"python: {len(texts)} texts, {size} bytes, {time.monotonic() - start:.3f} s", file=sys.stderr)


main()
