"""Prints tables, and targets that are met or missed."""


def print_table(header, rows):
    """Prints rows of texts: the first column is left-aligned, the others are right-aligned."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, ["-" * width for width in widths], *rows]:
        first = row[0].ljust(widths[0])
        print("  ".join([first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip())
    print(flush=True)


class Targets:
    """The targets; those that are missed are reported at the end, and by the exit status."""

    def __init__(self):
        self.rows = []
        self.missed = 0

    def at_most(self, what, value, bound, unit=""):
        self.add(what, value, bound, unit, "at most", value <= bound)

    def at_least(self, what, value, bound, unit=""):
        self.add(what, value, bound, unit, "at least", value >= bound)

    def add(self, what, value, bound, unit, relation, is_met):
        self.missed += not is_met
        verdict = "" if is_met else f"MISSED by {abs(value / bound - 1):.0%}"
        self.rows.append([what, f"{value:.3g}{unit}", f"{relation} {bound:g}{unit}", verdict])

    def print(self):
        print_table(["target", "measured", "bound", ""], self.rows)
        print("All targets are met." if not self.missed else f"{self.missed} of {len(self.rows)} targets are missed.")
        return 1 if self.missed else 0
