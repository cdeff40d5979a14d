"""A web service on loopback with negligible cost: it sends prepared responses."""
import socketserver
import threading
from urllib.parse import parse_qsl, urlsplit

from .lists import Response


class Service:
    """Lists by their paths, and their objects below, served until the end of a `with` statement.

    `requests` contains the method, the target and the status of each request that was answered; `watch`, if set, is
    called with their number after each. `recording`, if it is a list, gets each request with its fields and body."""

    def __init__(self, lists):
        self.lists = lists
        self.requests = []
        self.recording = None
        self.watch = None
        self.lock = threading.Lock()
        self.server = Server(("127.0.0.1", 0), Connection)
        self.server.service = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def respond(self, method, target, fields, body):
        if self.recording is not None:
            self.recording.append((method, self.url + target, fields, body))
        parts = urlsplit(target)
        found = self.lists.get(parts.path)
        if found is not None:
            return found.respond(method, self.url + parts.path, dict(parse_qsl(parts.query)), fields, body)
        path, _, key = parts.path.rpartition("/")
        if path not in self.lists:
            return Response(404)
        return self.lists[path].respond_to_object(method, int(key), body)

    def record(self, method, target, status):
        with self.lock:
            self.requests.append((method, target, status))
            count = len(self.requests)
        if self.watch:
            self.watch(count)

    def count_requests(self, body):
        """Returns the number of requests during a call."""
        before = len(self.requests)
        body()
        return len(self.requests) - before


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Ignores clients that disconnect: some are killed intentionally."""


class Connection(socketserver.StreamRequestHandler):
    """One connection, kept alive."""

    disable_nagle_algorithm = True

    def handle(self):
        while line := self.rfile.readline():
            method, target, _ = line.decode().split(" ", 2)
            fields = self.read_fields()
            body = self.rfile.read(int(fields.get("content-length", 0)))
            response = self.server.service.respond(method, target, fields, body)
            self.send(response)
            self.server.service.record(method, target, response.status)

    def read_fields(self):
        fields = {}
        while (line := self.rfile.readline().strip()):
            name, value = line.decode().split(":", 1)
            fields[name.lower()] = value.strip()
        return fields

    def send(self, response):
        length = sum(len(part) for part in response.parts)
        fields = {"Content-Type": "application/json", "Content-Length": length, **response.fields}
        if response.status == 304:
            del fields["Content-Length"]
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.connection.sendall(f"HTTP/1.1 {response.status} -\r\n{head}\r\n".encode())
        for part in response.parts:
            self.connection.sendall(part)
