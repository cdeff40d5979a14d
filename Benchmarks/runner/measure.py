"""Measures the time and the peak memory of one process at a time."""
import json
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .paths import fail

WATCH = Path(__file__).with_name("watch.py")


@dataclass
class Measurement:
    output: str
    seconds: float
    # The peak resident set size (VmHWM on Linux), in MB.
    peak: float


def measured(command):
    """Runs a command to its end, and measures it."""
    command = [str(part) for part in command]
    # On Linux the peak of a child includes the memory of the parent at the fork, so a small process starts it.
    watched = subprocess.run([sys.executable, "-S", "-E", WATCH, *command], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    output, errors = watched.stdout.decode(), watched.stderr.decode()
    if watched.returncode != 0:
        fail(f"{' '.join(command)} could not be started.\n{errors}")
    output, _, measurements = output.rstrip("\n").rpartition("\n")
    measurements = json.loads(measurements)
    if measurements["status"] != 0:
        fail(f"{' '.join(command)} ended with status {measurements['status']}.\n{errors}")
    return Measurement(output, measurements["seconds"], measurements["peak"])


def copy_store(source, target):
    """Replaces `target` by a copy of `source`; deletes it if there is no source."""
    for suffix in ("", "-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
        kept = source and source.with_name(source.name + suffix)
        if kept and kept.exists():
            shutil.copyfile(kept, target.with_name(target.name + suffix))


class Series:
    """The measurements of one contender in one case."""

    def __init__(self):
        self.measurements = []

    def add(self, measurement):
        self.measurements.append(measurement)

    @property
    def seconds(self):
        return statistics.median(each.seconds for each in self.measurements)

    @property
    def peak(self):
        return max(each.peak for each in self.measurements)
