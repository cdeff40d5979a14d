"""The comparison of contenders: a first import, nothing changed, one user in a hundred changed."""
from dataclasses import dataclass

from .measure import Series, copy_store
from .paths import fail


@dataclass(frozen=True)
class Case:
    name: str
    options: tuple
    is_first: bool = False

    def expected(self, users):
        rows = 3 * users
        changed = (users + 99) // 100 if self.options else 0
        inserted = rows if self.is_first else 0
        return {"inserted": inserted, "updated": changed, "unchanged": rows - changed - inserted}


FIRST = Case("first import", (), is_first=True)
UNCHANGED = Case("nothing changed", ())
CHANGED = Case("1 % changed", ("--change", "1"))
CASES = (FIRST, UNCHANGED, CHANGED)


class Comparison:
    """Measures contenders in turn, so that other load of the machine affects all of them."""

    def __init__(self, folder, documents, users):
        self.folder = folder
        self.documents = documents
        self.users = users
        self.series = {}

    def measure(self, contenders, runs):
        for run in range(max(contender.runs or runs for contender in contenders)):
            for case in CASES:
                for contender in contenders:
                    if run < (contender.runs or runs) and case in (contender.cases or CASES):
                        self.measure_once(contender, case)

    def measure_once(self, contender, case):
        users = contender.users or self.users
        store = self.folder / "store.sqlite"
        full = self.folder / f"{contender.name.replace(' ', '-')}-{users}.sqlite"
        copy_store(None if case.is_first else full, store)
        measurement = contender.run(self.documents.users(users, *case.options), store)
        if case.is_first and not full.exists():
            copy_store(store, full)
        counts = contender.counts(measurement)
        if counts is not None and counts != case.expected(users):
            fail(f"{contender.name}, {case.name}: {counts}, not {case.expected(users)}.")
        self.series.setdefault((contender.name, users, case), Series()).add(measurement)

    def of(self, contender, case, users=None):
        return self.series[contender.name, users or contender.users or self.users, case]

    def ratio(self, contender, other, case):
        """The ratio of the times of two contenders, both with the document of the first."""
        users = contender.users or self.users
        return self.of(contender, case, users).seconds / self.of(other, case, users).seconds

    def peak(self, contender):
        return max(self.of(contender, case).peak for case in contender.cases or CASES)
