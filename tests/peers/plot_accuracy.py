#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of error against runs in the README.

    plot_accuracy.py PICTURE.png ACCURACY.json [ACCURACY.json ...] [PEERS.jsonl]

Documents of `bench accuracy --json`; peers by their --peer, or by the file that accuracy_peer.py writes. A panel for each family of fields; each line is the
geometric mean over its fields.
"""
import json
import math
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError as missing:
    print(f"SKIP: {missing}; pip install matplotlib")
    sys.exit(77)

LINES = {
    "adaptive": ("adaptive, mixed runs", "#0072b2", "-", 2.2),
    "space-filling": ("space-filling, kriging", "#009e73", "-", 2.2),
    "clenshaw-curtis": ("adaptive Clenshaw-Curtis", "#56b4e9", "-", 1.2),
    "all_modes": ("POD + Gaussian process, RBF", "#d55e00", "--", 1.6),
    "rbf": ("POD + RBF", "#999999", "--", 1.6),
}


def read(names):
    """({family: cases}, {field and runs: peers' errors})"""
    families, peers = {}, {}
    for name in names:
        with open(name, encoding="utf-8") as file:
            if name.endswith(".jsonl"):
                peers.update({(entry["field"], entry["runs"]): entry for entry in map(json.loads, file)})
                continue
            for case in json.load(file)["cases"]:
                families.setdefault(case["family"], []).append(case)
    for case in (case for cases in families.values() for case in cases):
        for row in case["rows"]:
            row.setdefault("peers", peers.get((case["field"], row["runs"]), {}))
    return {family: families[family] for family in sorted(families)}


def error_of(row, name):
    return row["errors"][name]["error"] if name in row["errors"] else row["peers"].get(name)


def means(cases, name):
    """(runs, geometric means) where all fields of the family have an error."""
    errors = {}
    for case in cases:
        for row in case["rows"]:
            error = error_of(row, name)
            if error:
                errors.setdefault(row["runs"], []).append(error)
    runs = sorted(count for count, found in errors.items() if len(found) == len(cases))
    return runs, [math.exp(sum(map(math.log, errors[count])) / len(cases)) for count in runs]


def draw(families, path):
    figure, axes = pyplot.subplots(1, len(families), figsize=(2.6 * len(families), 3.3), dpi=100, squeeze=False)
    for panel, (family, cases) in zip(axes[0], families.items()):
        for name, (label, colour, style, width) in LINES.items():
            runs, errors = means(cases, name)
            panel.loglog(runs, [100 * error for error in errors], style, color=colour, linewidth=width,
                         marker="o", markersize=3, label=label)
        panel.set_title(f"{family} ({len(cases)})", fontsize=10)
        panel.set_xticks([31, 81, 225], ["31", "81", "225"])
        panel.minorticks_off()
        panel.tick_params(labelsize=8)
        panel.grid(True, color="#dddddd", linewidth=0.6)
        panel.set_xlabel("runs", fontsize=9)
    axes[0][0].set_ylabel("relative L2 error, %", fontsize=9)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(LINES), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(path, metadata={"Software": None})


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    draw(read(sys.argv[2:]), sys.argv[1])


if __name__ == "__main__":
    main()
