#!/usr/bin/env python3
"""report.py [--markdown FILE] BARS RESULTS...: each bar beside what was measured.
report.py --names BARS: a filter that matches the benchmarks that BARS names.

RESULTS are files of Google Benchmark (--benchmark_out, aggregates of repetitions); medians are taken.  BARS is a
JSON list of objects:
  what      a line for people
  ours      name of our benchmark
  peer      name of the peer's benchmark in the same run (optional)
  value     "ns"       CPU nanoseconds per item, ours
            "ratio"    CPU time per item, ours over the peer's
            "speedup"  CPU time per item, the peer's over ours
            "MB/s"     10^6 bytes per second of CPU time, ours
            else       a counter of our benchmark ("bits_per_item"); with a peer, ours over the peer's
  at_most / at_least   the bar; without either the figure is only reported
"""
import json
import sys


def load(paths):
    runs, context = {}, {}
    for path in paths:
        with open(path) as file:
            data = json.load(file)
        context = data["context"]
        for run in data["benchmarks"]:
            if run.get("aggregate_name", "median") == "median" and not run.get("error_occurred"):
                runs[run.get("run_name", run["name"])] = run
    return runs, context


def ns_per_item(run):
    if "items_per_second" in run:
        return 1e9 / run["items_per_second"]
    if "ns_per_item" in run:
        return run["ns_per_item"]
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[run["time_unit"]]
    return run["cpu_time"] * scale


def measure(bar, runs):
    names = [bar["ours"]] + ([bar["peer"]] if "peer" in bar else [])
    if any(name not in runs for name in names):
        return None
    ours = runs[bar["ours"]]
    peer = runs[bar["peer"]] if "peer" in bar else None
    value = bar["value"]
    if value == "ns":
        return ns_per_item(ours)
    if value == "MB/s":
        return ours["bytes_per_second"] / 1e6
    if value == "ratio":
        return ns_per_item(ours) / ns_per_item(peer)
    if value == "speedup":
        return ns_per_item(peer) / ns_per_item(ours)
    return ours[value] / peer[value] if peer else ours[value]


def main(arguments):
    if arguments[0] == "--names":
        with open(arguments[1]) as file:
            names = {bar[key] for bar in json.load(file) for key in ("ours", "peer") if key in bar}
        print("^(" + "|".join(sorted(names)) + ")$")
        return 0
    markdown = None
    if arguments[0] == "--markdown":
        markdown, arguments = arguments[1], arguments[2:]
    with open(arguments[0]) as file:
        bars = json.load(file)
    runs, context = load(arguments[1:])
    missed, rows = 0, []
    for bar in bars:
        found = measure(bar, runs)
        if found is None:
            continue
        limit, verdict = "", ""
        if "at_most" in bar:
            limit, good = f"≤ {bar['at_most']}", found <= bar["at_most"]
        elif "at_least" in bar:
            limit, good = f"≥ {bar['at_least']}", found >= bar["at_least"]
        if limit:
            verdict = "met" if good else "MISSED"
            missed += not good
        rows.append((bar["what"], bar["value"], limit, f"{found:.3g}", verdict))
    head = ("what", "unit", "bar", "measured", "")
    widths = [max(len(str(row[c])) for row in rows + [head]) for c in range(5)]
    for row in [head] + rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(f"{len(rows)} figures, {missed} bars missed")
    if markdown:
        with open(markdown, "w") as file:
            file.write(f"{context.get('num_cpus')} CPUs at {context.get('mhz_per_cpu')} MHz, {context.get('date', '')[:10]}\n\n")
            file.write("| " + " | ".join(head) + " |\n|---|---|---|---|---|\n")
            for row in rows:
                file.write("| " + " | ".join(row) + " |\n")
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
