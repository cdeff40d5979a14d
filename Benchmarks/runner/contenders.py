"""The contenders: each imports a document into a store, in one process."""
import json
import subprocess
import sys

from .measure import measured
from .paths import BENCHMARKS, BUILT, FLOOR_IN_C, MODEL, ROOT, TIDEMARK, fail


class Contender:
    """A command that takes a document and a store.

    `users` is the size of its document, and `runs` the number of its runs, None for the defaults; `cases` are those
    that it is measured in, None for all."""

    def __init__(self, name, *command, users=None, runs=None, cases=None):
        self.name = name
        self.command = command
        self.users = users
        self.runs = runs
        self.cases = cases

    def run(self, document, store):
        return measured([*self.command, document, store])

    def counts(self, measurement):
        """The counts that it reports, for all tables together; None if it reports none."""
        try:
            report = json.loads(measurement.output)
        except ValueError:
            return None
        tables = report["entities"].values() if "entities" in report else [report]
        return {name: int(sum(table[name] for table in tables)) for name in ("inserted", "updated", "unchanged")}


class TidemarkCommand(Contender):
    """The command `tidemark import`."""

    def __init__(self, name, model):
        super().__init__(name)
        self.model = model

    def run(self, document, store):
        return measured([TIDEMARK, "import", document, "--into", "User", "--store", store, "--model", self.model,
                         "--format", "json", "--quiet"])


class TidemarkLibrary(Contender):
    """The library: the time of opening the store and of the import, without the start of a process."""

    def __init__(self, name, trial):
        super().__init__(name)
        self.trial = trial

    def run(self, document, store):
        measurement = measured([BUILT / "LibraryImport", self.trial, document, store, MODEL])
        measurements = json.loads(measurement.output)
        measurement.seconds = measurements["opening"] + measurements["seconds"]
        return measurement


def floor(folder):
    """The floor in C if its source exists, otherwise the one in Swift."""
    if not FLOOR_IN_C.exists():
        return Contender("floor (Swift)", BUILT / "Floor")
    built = folder / "floor"
    subprocess.run(["cc", "-O2", "-o", built, FLOOR_IN_C, "-lsqlite3"], check=True)
    return Contender("floor (C)", built)


def tidemark(model=MODEL):
    return TidemarkCommand("tidemark import", model)


def library():
    return TidemarkLibrary("tidemark, library", "import")


def warm_library():
    """The library in a process that has imported something before."""
    return TidemarkLibrary("tidemark, library, warm", "again")


def library_session():
    """The library, with an import session in transactions of 10,000 rows."""
    return TidemarkLibrary("tidemark, library, session", "session")


def codable(**sizes):
    return Contender("Codable + GRDB", BUILT / "CodableImport", **sizes)


def python_contender(name, script, **sizes):
    return Contender(name, python(), "-W", "ignore", BENCHMARKS / "contenders" / script, **sizes)


def python():
    """The interpreter of a virtual environment with the packages of the contenders, which is created if necessary."""
    environment = BENCHMARKS / ".build" / "venv"
    interpreter = environment / "bin" / "python"
    requirements = BENCHMARKS / "requirements.txt"
    installed = environment / "requirements.txt"
    if not installed.exists() or installed.read_text() != requirements.read_text():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        install = [interpreter, "-m", "pip", "install", "--quiet", "--requirement", requirements]
        if subprocess.run(install).returncode != 0:
            fail(f"The packages of {requirements.relative_to(ROOT)} cannot be installed; use `--without-python`.")
        installed.write_text(requirements.read_text())
    return interpreter
