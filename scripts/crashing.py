"""What the scripts that kill `tidemark` share: a server on loopback, and processes that are killed at random times."""
import argparse
import http.server
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class LoopbackServer(http.server.ThreadingHTTPServer):
    """A server on a free port of loopback, which counts its responses."""
    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.lock = threading.Lock()
        self.reached = threading.Event()
        self.goal = None
        self.count = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def expect(self, goal):
        """Resets the count, and sets `reached` when `goal` responses were sent."""
        with self.lock:
            self.goal = goal
            self.count = 0
            self.reached.clear()

    def record(self):
        with self.lock:
            self.count += 1
            if self.goal is not None and self.count >= self.goal:
                self.reached.set()

    def handle_error(self, request, address):
        """Ignores errors of clients that were killed."""


class LoopbackHandler(http.server.BaseHTTPRequestHandler):
    """Sends JSON."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def send(self, status, body, fields=()):
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        # These have no body, and no length (RFC 9110, 8.6).
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body or b"")))
        for name, value in dict(fields).items():
            self.send_header(name, value)
        self.end_headers()
        if body and self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Trial:
    """A store in a folder of its own, and processes that sync it with a server."""

    def __init__(self, verb, command, folder, model, configuration):
        self.verb = verb
        self.command = str(pathlib.Path(command).resolve())
        self.folder = folder
        self.store = folder / "items.sqlite"
        self.process = None
        (folder / "model.yml").write_text(model)
        (folder / "tidemark.yml").write_text(configuration)

    def begin(self, *arguments):
        self.process = subprocess.Popen([self.command, self.verb, "tidemark.yml", *arguments], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return self.process

    def end(self):
        """Kills the process if it is still running."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def finish(self, process):
        """Waits for a process to end; returns its error, or None if it succeeded."""
        errors = process.communicate()[1].decode(errors="replace").strip()
        return None if process.returncode == 0 else f"the {self.verb} ended with {process.returncode}: {errors}"

    def kill(self, server, arguments, chance, seconds, responses):
        """Starts a process and kills it at a random moment: of its time, or after one of its responses.

        Returns its duration; None if it ended before."""
        goal = chance.randrange(responses) if chance.random() < 0.5 else None
        wait = chance.uniform(0, 0.03) if goal is not None else chance.uniform(0, seconds)
        server.expect(goal)
        begin = time.monotonic()
        process = self.begin(*arguments)
        if goal is None or goal == 0 or reached(server, process, seconds * 10 + 60):
            try:
                process.wait(wait)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        process.communicate()
        return time.monotonic() - begin if process.returncode == -signal.SIGKILL else None

    def read(self, sql):
        """Returns rows of the store."""
        database = sqlite3.connect(self.store, timeout=60)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def damage(self):
        """What is wrong with the file; None if nothing is."""
        check = self.read("PRAGMA integrity_check")[0][0]
        return None if check == "ok" else f"the store is damaged: {check}"


def reached(server, process, seconds):
    """Waits until the goal of a server is reached, unless the process ends before."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.reached.wait(0.05):
            return True
        if process.poll() is not None:
            return False
    return False


def options(description, **defaults):
    """Reads the arguments. SIGTERM is handled like an interrupt: a running process is killed, and the folder removed.

    Returns the options, and the source of all random choices."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--tidemark", default=str(ROOT / ".build" / "release" / "tidemark"))
    chosen = parser.parse_args()
    return chosen, random.Random(chosen.seed)
