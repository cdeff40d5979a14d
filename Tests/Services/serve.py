"""Serves Kinto or the app of Django REST framework on a free port of loopback.

serve.py NAME FOLDER    NAME is kinto, kinto-postgresql or drf. The app may write to FOLDER; its address is in
                        FOLDER/NAME.address as soon as it listens."""
import os
import pathlib
import sys
import time

import waitress
from waitress.channel import ClientDisconnected

HERE = pathlib.Path(__file__).resolve().parent


class LostResponses:
    """Lets a test lose the response to a request that the app has processed: `X-Test-Response: closed` closes the
    connection without a response, `truncated` does so within its body, and `failed` responds 500."""

    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        fault = environ.pop("HTTP_X_TEST_RESPONSE", None)
        if fault is None:
            return self.app(environ, start_response)
        head = []
        response = self.app(environ, lambda *arguments: head.append(arguments))
        body = b"".join(response)
        if hasattr(response, "close"):
            response.close()
        if fault == "closed":
            raise ClientDisconnected
        fields = [("Content-Type", "application/json")]
        if fault == "failed":
            start_response("500 Internal Server Error", fields)
            return [b'{"error": "A test has requested a failure."}']
        body = body or b"{}"
        start_response("200 OK", [*fields, ("Content-Length", str(len(body)))])
        return [body[:-1]]


def kinto(folder, backend="memory", database=""):
    from paste.deploy import loadapp

    settings = {"backend": backend, "database": database}
    return loadapp(f"config:{HERE / 'kinto' / 'kinto.ini'}", global_conf=settings), "v1/"


def kinto_postgresql(folder):
    import psycopg2
    from kinto.core.scripts import migrate

    database = (folder / "postgresql.address").read_text().strip()
    for attempt in range(300):
        try:
            psycopg2.connect(database).close()
            break
        except psycopg2.OperationalError:
            time.sleep(0.1)
    app, path = kinto(folder, "postgresql", database)
    migrate({"registry": app.registry})
    return app, path


def drf(folder):
    os.environ["DATABASE"] = str(folder / "drf.sqlite")
    sys.path.insert(0, str(HERE / "drf"))
    import app

    return app.application, ""


def main(name, folder):
    makers = {"kinto": kinto, "kinto-postgresql": kinto_postgresql, "drf": drf}
    app, path = makers[name](folder)
    server = waitress.create_server(LostResponses(app), host="127.0.0.1", port=0)
    # The file is renamed into place, so that no process reads a part of it.
    draft = folder / f"{name}.draft"
    draft.write_text(f"http://127.0.0.1:{server.effective_port}/{path}\n")
    draft.rename(folder / f"{name}.address")
    server.run()


main(sys.argv[1], pathlib.Path(sys.argv[2]))
