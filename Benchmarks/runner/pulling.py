"""The command `tidemark pull`, and what it is told of a service."""
import json
import sqlite3
import subprocess

from .measure import copy_store, measured
from .places import MODEL, TIDEMARK, fail

# As the services are; and Rails where it is asked for changes.
KINTO = {"preset": "kinto"}
RAILS = {"preset": "rails"}
CHANGES = {**RAILS, "lists": {"delta": "since:updated_at>updated_since", "count": "head:X-Total-Count"}}


class Pull:
    """A store, and a configuration that fills it: a list for each entity."""

    def __init__(self, folder, name, service, style, paths, model=MODEL):
        self.store = folder / f"{name}.sqlite"
        configuration = folder / f"{name}.yml"
        # What is JSON is YAML.
        configuration.write_text(json.dumps({
            "store": str(self.store), "model": str(model), "service": {"url": service.url + "/", **style},
            "resources": {entity: {"path": path.lstrip("/")} for entity, path in paths.items()}}))
        self.command = [str(part) for part in (TIDEMARK, "pull", configuration, "--quiet")]

    def run(self):
        return measured(self.command)

    def begin(self):
        """Starts a process, which somebody else ends."""
        return subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def forget(self):
        copy_store(None, self.store)

    def expect(self, count, condition="1"):
        """Makes sure that so many users are there: what is quick and wrong is not measured."""
        database = sqlite3.connect(self.store)
        found, = database.execute(f"SELECT count(*) FROM User WHERE {condition}").fetchone()
        database.close()
        if found != count:
            fail(f"{' '.join(self.command)}: {found} users where {condition}, not {count}.")
