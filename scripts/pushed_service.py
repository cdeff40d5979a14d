"""A service on loopback that accepts changes, in two dialects, and records every change that it has applied.

It shares no code with what is tested: its record decides whether a change was lost or applied twice."""
import itertools
import json
import random
import time
import urllib.parse
import uuid

import crashing

BUCKET = "/v1/buckets/app"


class Effect:
    """A change that was applied."""

    def __init__(self, author, kind, name, key, members):
        self.time = time.monotonic()
        self.author = author
        self.kind = kind
        self.name = name
        self.key = key
        self.members = members and dict(members)


class Objects:
    """The objects of a service by list and key, and every change that was applied, in order."""

    def __init__(self, names, makes_keys):
        self.lists = {name: {} for name in names}
        self.deleted = {name: {} for name in names}
        self.stamps = {name: 1_000 for name in names}
        self.audit = []
        self.numbers = itertools.count(1) if makes_keys else None
        self.stamp = 1_000

    def create(self, author, name, members, key=None):
        key = key or (next(self.numbers) if self.numbers else str(uuid.uuid4()))
        self.deleted[name].pop(key, None)
        return self.commit(author, "create", name, key, {**members, "id": key})

    def update(self, author, name, key, members):
        return self.commit(author, "update", name, key, {**self.lists[name][key], **members, "id": key})

    def delete(self, author, name, key):
        self.commit(author, "delete", name, key, None)
        del self.lists[name][key]
        tombstone = {"id": key, "last_modified": self.stamp, "deleted": True}
        self.deleted[name][key] = tombstone
        return tombstone

    def commit(self, author, kind, name, key, members):
        self.stamp += 1
        self.stamps[name] = self.stamp
        if members is not None:
            members["last_modified"] = self.stamp
            self.lists[name][key] = members
        self.audit.append(Effect(author, kind, name, key, members))
        return members


class Service(crashing.LoopbackServer):
    """The service; its dialect responds to requests."""

    def __init__(self, dialect, names, seed):
        self.dialect = dialect
        self.objects = Objects(names, makes_keys=dialect.makes_keys)
        self.chance = random.Random(seed)
        super().__init__(Handler)
        self.url = f"http://127.0.0.1:{self.server_port}{dialect.path}"

    def respond(self, method, target, fields, body):
        parts = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(parts.query))
        with self.lock:
            response = self.dialect.respond(self.objects, method, parts.path, query, fields, body)
            delay = self.chance.uniform(0, 0.004) if self.chance.random() < 0.2 else 0
        # A process that is killed now has changed the object, and does not know it.
        time.sleep(delay)
        return response


class Handler(crashing.LoopbackHandler):
    def respond(self):
        length = int(self.headers.get("Content-Length", 0))
        text = self.rfile.read(length)
        if len(text) < length:
            return
        body = json.loads(text) if text else None
        status, document, fields = self.server.respond(self.command, self.path, self.headers, body)
        self.send(status, None if document is None else json.dumps(document).encode(), fields)
        self.server.record()

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = respond


class REST:
    """A plain JSON service that makes the keys, and has no preconditions."""
    makes_keys = True
    path = "/api/"
    lists = {}

    def respond(self, objects, method, path, query, fields, body):
        name, _, key = path.removeprefix(self.path).strip("/").partition("/")
        if name not in objects.lists:
            return 404, {"detail": "Not found."}, {}
        found = objects.lists[name]
        if not key:
            if method == "POST":
                return 201, objects.create("client", name, body), {}
            return 200, {"count": len(found), "next": None, "results": list(found.values())}, {}
        key = int(key)
        if key not in found:
            return 404, {"detail": "Not found."}, {}
        if method == "PATCH":
            return 200, objects.update("client", name, key, body), {}
        if method == "DELETE":
            objects.delete("client", name, key)
            return 204, None, {}
        return 200, found[key], {}


class Kinto:
    """A bucket of Kinto: the client makes the keys, changes have conditions, and a batch has up to 25 of them."""
    makes_keys = False
    path = f"{BUCKET}/"
    batch = 25

    def respond(self, objects, method, path, query, fields, body):
        if path == "/v1/batch":
            if len(body["requests"]) > self.batch:
                return 400, {"code": 400, "error": "Invalid parameters"}, {}
            return 200, {"responses": [self.member(objects, request) for request in body["requests"]]}, {}
        steps = path.removeprefix(BUCKET).strip("/").split("/")
        if len(steps) not in (3, 4) or steps[0] != "collections" or steps[1] not in objects.lists:
            return 404, {"code": 404, "error": "Not Found"}, {}
        if len(steps) == 3:
            return self.list(objects, steps[1], query, fields)
        return self.record(objects, method, steps[1], steps[3], fields, body)

    def member(self, objects, request):
        status, body, fields = self.respond(objects, request["method"], request["path"], {}, request.get("headers", {}),
                                            request.get("body"))
        return {"status": status, "path": request["path"], "headers": dict(fields), "body": body}

    def list(self, objects, name, query, fields):
        tag = f'"{objects.stamps[name]}"'
        headers = {"ETag": tag, "Total-Objects": len(objects.lists[name])}
        if fields.get("If-None-Match") == tag:
            return 304, None, headers
        found = list(objects.lists[name].values())
        if "_since" in query:
            since = int(query["_since"].strip('"'))
            found = [each for each in [*found, *objects.deleted[name].values()] if each["last_modified"] > since]
        if "in_id" in query:
            found = [each for each in found if each["id"] in query["in_id"].split(",")]
        found.sort(key=lambda each: each["last_modified"])
        if "_fields" in query:
            found = [{"id": each["id"], "last_modified": each["last_modified"]} for each in found]
        return 200, {"data": found}, headers

    def record(self, objects, method, name, key, fields, body):
        found = objects.lists[name].get(key)
        data = (body or {}).get("data") or {}
        if found and fields.get("If-None-Match") == "*" or self.is_stale(found, fields):
            return 412, {"code": 412, "errno": 114, "details": {"existing": found} if found else {}}, {}
        if method == "PUT":
            change = objects.create if found is None else objects.update
            arguments = ("client", name, data, key) if found is None else ("client", name, key, data)
            return 201 if found is None else 200, {"data": change(*arguments)}, {}
        if found is None:
            return 404, {"code": 404, "errno": 110}, {}
        if method == "PATCH":
            found = objects.update("client", name, key, data)
        elif method == "DELETE":
            found = objects.delete("client", name, key)
        return 200, {"data": found}, {"ETag": f'"{found["last_modified"]}"'}

    @staticmethod
    def is_stale(found, fields):
        condition = fields.get("If-Match")
        return condition is not None and (found is None or condition != f'"{found["last_modified"]}"')
