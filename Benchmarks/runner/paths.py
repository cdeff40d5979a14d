"""The paths of the benchmarks, their documents and models."""
import json
import pathlib
import subprocess
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent
BUILT = BENCHMARKS / ".build" / "release"
TIDEMARK = ROOT / ".build" / "release" / "tidemark"
MODEL = BENCHMARKS / "model.json"
# The floor in C may exist next to the checkout; otherwise the one in Swift is used.
FLOOR_IN_C = ROOT.parent / "shared" / "bench" / "floor.c"


def fail(message):
    sys.exit(f"bench: {message}")


def require_builds():
    for tool in (TIDEMARK, BUILT / "Floor"):
        if not tool.exists():
            fail(f"{tool.name} is not built; `make bench` does it.")


class Documents:
    """Documents in a folder, each written when it is first needed."""

    def __init__(self, folder):
        self.folder = folder

    def users(self, count, *options):
        name = "-".join(["users", str(count), *(option.strip("-") for option in options)])
        path = self.folder / f"{name}.json"
        if not path.exists():
            subprocess.run([str(BUILT / "Generate"), str(count), str(path), *options], check=True)
        return path

    def delete(self, count):
        """Deletes the documents with that number of users."""
        for path in self.folder.glob(f"users-{count}*.json"):
            path.unlink()


def flat_model(folder, entities):
    """Creates a model in which each of the entities is a user whose manager is a number."""
    user = json.loads(MODEL.read_text())["entities"]["User"]
    del user["relationships"]
    user["attributes"]["managerId"] = "integer64"
    model = folder / "flat.json"
    model.write_text(json.dumps({"entities": dict.fromkeys(entities, user)}))
    return model
