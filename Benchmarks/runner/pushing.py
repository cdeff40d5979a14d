"""The command `tidemark push`, with a store whose rows are edited by SQL, and the least that a push does."""
import json
import re
import shutil
import sqlite3
import subprocess

from .lists import KintoBatch, KintoList, List, RailsList
from .measure import measured
from .paths import BUILT, TIDEMARK, fail
from .pulling import KINTO, RAILS, Pull

RECORDS = "/collections/users/records"
# Lists with numbered pages, whose objects are read before they are changed.
SINGLE = {**RAILS, "push": "rest"}
# Changes have the version of the object as their condition, and 25 are sent in one request.
BATCHES = {**KINTO, "push": {"version": "member:updated_at", "batch": "kinto:batch,25"}}
# As many requests at a time as `Limits.concurrency` permits.
CONCURRENCY = 4


def single_lists(pages):
    return {"/users": RailsList(pages)}


def batch_lists(pages):
    users = KintoList(pages)
    return {RECORDS: users, "/batch": KintoBatch(users)}


class Push(Pull):
    """A store that records local changes, and a service that accepts them."""

    def __init__(self, folder, name, service, style, model):
        path, self.list = next((path, each) for path, each in service.lists.items() if isinstance(each, List))
        super().__init__(folder, name, service, style, {"User": path}, model)
        self.service = service
        self.requests = folder / f"{name}.requests"
        self.pull = self.command
        self.command = [part if part != "pull" else "push" for part in self.command]

    def prepare(self, users):
        """Pulls the users, and changes an attribute of each by SQL."""
        measured(self.pull)
        self.expect(users)
        edit(self.store, users)
        self.expect_changes(users)

    def run(self):
        """Measures a push of all changes."""
        return self.record(lambda: super(Push, self).run())

    def record(self, body):
        """Calls a function that pushes, and writes the requests of the push into a file."""
        self.list.changed_keys.clear()
        self.service.recording = []
        measurement = body()
        with self.requests.open("w") as file:
            for method, url, fields, body in self.service.recording:
                sent = {name: fields[name] for name in ("content-type", "if-match", "accept") if name in fields}
                file.write(json.dumps({"method": method, "url": url, "fields": sent, "body": body.decode()}) + "\n")
        self.count = len(self.service.recording)
        self.service.recording = None
        self.expect_changes(0)
        return measurement

    def floor(self):
        """Measures the same requests, sent by plain AsyncHTTPClient.

        The service records them too, so that it does the same work as for a push."""
        self.service.recording = []
        measurement = measured([BUILT / "PushFloor", self.requests, CONCURRENCY])
        self.service.recording = None
        return measurement

    def expect_changes(self, count):
        """Fails unless the store has that number of local changes, so that wrong results are not measured."""
        database = sqlite3.connect(self.store)
        found, = database.execute("SELECT count(*) FROM _tidemark_change").fetchone()
        database.close()
        if found != count:
            fail(f"{' '.join(self.command)}: {found} local changes, not {count}.")

    def count_syncs(self):
        """Counts how often a push waits for its write-ahead log; None if `strace` is not installed or not permitted.

        A checkpoint, which copies the log into the database, waits for both: these are not counted."""
        if shutil.which("strace") is None:
            return None
        trace = self.store.with_suffix(".trace")
        command = ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", str(trace), *self.command]
        if self.record(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)).returncode:
            return None
        files = re.findall(r"sync\(\d+<(.*?)>", trace.read_text())
        return sum(file == f"{self.store}-wal" for file in files) - sum(file == str(self.store) for file in files)


def edit(store, users, first=0):
    """Changes an attribute of a number of users by SQL."""
    database = sqlite3.connect(store)
    with database:
        database.executemany("UPDATE User SET firstName = ? WHERE id = ?",
                             ((f"Local {key}", key) for key in range(first, first + users)))
    database.close()


def instructions(command, folder):
    """Counts the instructions that a command executes; None if `valgrind` or `strip` is not installed."""
    if shutil.which("valgrind") is None or shutil.which("strip") is None:
        return None
    # Valgrind does not read the debug information of Swift's compiler.
    stripped = folder / "stripped"
    subprocess.run(["strip", "-o", stripped, command[0]], check=True)
    counted = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped, *command[1:]],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", counted.stderr)
    if counted.returncode != 0 or not found:
        fail(f"{command[0]} failed in valgrind.\n{counted.stderr[-2000:]}")
    return int(found[1])


def list_changes(store):
    """Measures `tidemark outbox list`."""
    return measured([TIDEMARK, "outbox", "list", "--store", store, "--format", "json"])


def list_rows(store):
    """Measures `tidemark query` of all users."""
    return measured([TIDEMARK, "query", "User", "--store", store, "--format", "json"])
