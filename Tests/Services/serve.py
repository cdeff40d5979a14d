"""Serves Kinto or the app of Django REST framework on a free port of loopback.

serve.py kinto|drf FOLDER    The app may write to FOLDER; its address is in FOLDER/NAME.address as soon as it
                             listens."""
import os
import pathlib
import sys

import waitress

HERE = pathlib.Path(__file__).resolve().parent


def kinto(folder):
    from paste.deploy import loadapp

    return loadapp(f"config:{HERE / 'kinto' / 'kinto.ini'}"), "v1/"


def drf(folder):
    os.environ["DATABASE"] = str(folder / "drf.sqlite")
    sys.path.insert(0, str(HERE / "drf"))
    import app

    return app.application, ""


def main(name, folder):
    app, path = {"kinto": kinto, "drf": drf}[name](folder)
    server = waitress.create_server(app, host="127.0.0.1", port=0)
    # The file is renamed into place, so that no process reads a part of it.
    draft = folder / f"{name}.draft"
    draft.write_text(f"http://127.0.0.1:{server.effective_port}/{path}\n")
    draft.rename(folder / f"{name}.address")
    server.run()


main(sys.argv[1], pathlib.Path(sys.argv[2]))
