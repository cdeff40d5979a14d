"""with_dlt.py DOCUMENT STORE: merges the document into SQLite with dlt, with its notes in a table of their own."""
import json
import os
import sys
import tempfile

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "ERROR"

import dlt  # noqa: E402


def main(document, store):
    with open(document, encoding="utf-8") as file:
        users = json.load(file)
    # dlt keeps the state of a pipeline in a folder; a later run reads its schema from the store.
    with tempfile.TemporaryDirectory(prefix="dlt-", dir=os.path.dirname(os.path.abspath(store))) as folder:
        pipeline = dlt.pipeline(
            "users", pipelines_dir=folder, dataset_name="main",
            destination=dlt.destinations.sqlalchemy(f"sqlite:///{os.path.abspath(store)}"))
        pipeline.run(dlt.resource(users, name="user", primary_key="id", write_disposition="merge"))


main(*sys.argv[1:])
