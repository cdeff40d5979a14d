"""One process at a time: how long it took, and how much memory at most."""
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from .places import fail


@dataclass
class Measurement:
    output: str
    seconds: float
    # The greatest resident memory, which Linux calls VmHWM, in MB.
    peak: float


def measured(command):
    """Runs a command to its end."""
    command = [str(part) for part in command]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output = process.stdout.read().decode()
    complaint = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        fail(f"{' '.join(command)} ended with status {process.returncode}.\n{complaint}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Measurement(output, seconds, usage.ru_maxrss * unit / 1e6)


def copy_store(source, target):
    """Makes `target` the same store as `source`, or none."""
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
