"""The command `tidemark pull`, and its configuration of a service."""
import json
import sqlite3
import subprocess

from .measure import copy_store, measured
from .paths import MODEL, TIDEMARK, fail

# The presets of the services, and Rails with requests for changes.
KINTO = {"preset": "kinto"}
RAILS = {"preset": "rails"}
CHANGES = {**RAILS, "lists": {"delta": "since:updated_at>updated_since", "count": "head:X-Total-Count"}}


class Pull:
    """A store, and a configuration that fills it: a list for each entity."""

    def __init__(self, folder, name, service, style, paths, model=MODEL):
        self.store = folder / f"{name}.sqlite"
        configuration = folder / f"{name}.yml"
        # JSON is a subset of YAML.
        configuration.write_text(json.dumps({
            "store": str(self.store), "model": str(model), "service": {"url": service.url + "/", **style},
            "resources": {entity: {"path": path.lstrip("/")} for entity, path in paths.items()}}))
        self.command = [str(part) for part in (TIDEMARK, "pull", configuration, "--quiet")]

    def run(self):
        return measured(self.command)

    def begin(self):
        """Starts a process. The caller ends it."""
        return subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def delete(self):
        copy_store(None, self.store)

    def expect(self, count, condition="1"):
        """Fails unless the store has that number of users, so that wrong results are not measured."""
        database = sqlite3.connect(self.store)
        found, = database.execute(f"SELECT count(*) FROM User WHERE {condition}").fetchone()
        database.close()
        if found != count:
            fail(f"{' '.join(self.command)}: {found} users where {condition}, not {count}.")
