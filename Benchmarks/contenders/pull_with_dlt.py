"""pull_with_dlt.py URL STORE: merges the list at a URL into SQLite with dlt, page by page."""
import os
import sys
import tempfile

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "ERROR"

import dlt  # noqa: E402
from dlt.sources.helpers.rest_client import RESTClient  # noqa: E402
from dlt.sources.helpers.rest_client.paginators import HeaderLinkPaginator  # noqa: E402


def main(url, store):
    client = RESTClient(url, paginator=HeaderLinkPaginator())
    with tempfile.TemporaryDirectory(prefix="dlt-", dir=os.path.dirname(os.path.abspath(store))) as folder:
        pipeline = dlt.pipeline(
            "users", pipelines_dir=folder, dataset_name="main",
            destination=dlt.destinations.sqlalchemy(f"sqlite:///{os.path.abspath(store)}"))
        pages = dlt.resource(client.paginate("users"), name="user", primary_key="id", write_disposition="merge")
        pipeline.run(pages)


main(*sys.argv[1:])
