#!/usr/bin/env python3
"""plot.py FOLDER < CURVES: draws the lines of 'duplicates curves', one picture for each curve: the formula as a line, what was
measured as dots."""
import pathlib
import sys

TITLES = {
    "bits": ("equal bits of two SimHashes", "cosine"),
    "distance": ("pairs within 3 of 64 bits", "cosine"),
    "bands": ("pairs that share one of 14 bands of 8 minima", "resemblance (Jaccard)"),
}
WIDTH, HEIGHT, LEFT, TOP = 360, 220, 44, 30


def picture(name, rows):
    what, axis = TITLES[name]
    x = lambda value: LEFT + value * WIDTH
    y = lambda value: TOP + (1 - value) * HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 70}" height="{HEIGHT + 80}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{LEFT}" y="18">{what}: formula (line) and measured (dots)</text>',
    ]
    for tick in range(0, 11, 2):
        value = tick / 10
        lines.append(f'<path d="M{x(0)} {y(value):.1f}H{x(1)}M{x(value):.1f} {y(0)}V{y(1)}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.1f}</text>')
        lines.append(f'<text x="{x(value):.1f}" y="{y(0) + 18}" text-anchor="middle">{value:.1f}</text>')
    points = " ".join(f"{x(a):.1f},{y(formula):.1f}" for a, _, formula in rows)
    lines.append(f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="2"/>')
    lines += [f'<circle cx="{x(a):.1f}" cy="{y(measured):.1f}" r="2.5" fill="#c30"/>' for a, measured, _ in rows]
    lines.append(f'<text x="{x(0.5)}" y="{y(0) + 38}" text-anchor="middle">{axis}</text></svg>')
    return "\n".join(lines) + "\n"


curves = {}
for line in sys.stdin.read().splitlines()[1:]:
    name, *values = line.split("\t")
    curves.setdefault(name, []).append(tuple(map(float, values)))
for name, rows in curves.items():
    (pathlib.Path(sys.argv[1]) / f"duplicates-{name}.svg").write_text(picture(name, sorted(rows)))
