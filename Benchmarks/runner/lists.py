"""Lists of a service as prepared responses, so that the time is that of the client."""
import json
import mmap
from dataclasses import dataclass, field


@dataclass
class Response:
    """A status, header fields, and a body in parts."""

    status: int = 200
    fields: dict = field(default_factory=dict)
    parts: tuple = ()


class UserPages:
    """The users of a document by `Generate`, in pages that are slices of the text and are not parsed."""

    def __init__(self, document, users, in_page):
        with open(document, "rb") as file:
            self.text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.users = users
        self.in_page = in_page
        self.begins = [1]
        for user in range(in_page, users, in_page):
            self.begins.append(self.begin(user, self.begins[-1]))
        # The last page ends before the closing bracket of the document, the others before a comma.
        self.ends = [begin - 1 for begin in self.begins[1:]] + [len(self.text) - 1]

    def __len__(self):
        return len(self.begins)

    def begin(self, user, after=0):
        return self.text.find(b'{"id":%d,"first_name"' % user, after)

    def page(self, index):
        return memoryview(self.text)[self.begins[index]:self.ends[index]]

    def object(self, user):
        """One user."""
        begin = self.begin(user, self.begins[user // self.in_page])
        page_end = self.ends[user // self.in_page]
        end = self.text.find(b',{"id":%d,"first_name"' % (user + 1), begin, page_end)
        return self.text[begin:end if end >= 0 else page_end]

    def changed(self, count, version):
        """A number of users, spread over the list, with another e-mail address and modification time."""
        users = []
        for user in range(0, self.users, max(1, self.users // count)):
            before, time = self.object(user).split(b'"updated_at":"', 1)
            address = before.replace(b"@example.com", b"@example%d.com" % version)
            users.append(b'%b"updated_at":"%04d%b' % (address, 2100 + version, time[4:]))
        return b",".join(users[:count])


class List:
    """A list that consists of its pages, and of the changes since.

    Each object can be read and changed: the response contains it with the members that were sent."""

    def __init__(self, pages):
        self.pages = pages
        self.version = 1
        self.changes = b""
        self.changed_keys = set()

    def respond_to_object(self, method, key, body):
        if method == "GET":
            return Response(200, {}, self.wrapped(self.pages.object(key)))
        return Response(200, {}, (json.dumps(self.changed_object(key, json.loads(body))).encode(),))

    def changed_object(self, key, document):
        self.changed_keys.add(key)
        return {**json.loads(self.pages.object(key)), **document}

    def wrapped(self, text):
        return text,

    def change(self, count):
        """Changes a number of users: the response to a request for changes contains these, and no others."""
        self.version += 1
        self.changes = self.pages.changed(count, self.version)

    def respond(self, method, path, query, fields, body):
        tag = self.tag(query)
        if fields.get("if-none-match") == tag:
            return Response(304, self.fields(path, query, tag))
        return Response(200, self.fields(path, query, tag), () if method == "HEAD" else self.body(query))

    def tag(self, query):
        return f'"{self.version}"'

    def index(self, query):
        return int(query.get("page", 1)) - 1

    def items(self, query):
        return self.changes if self.since in query else self.pages.page(self.index(query))

    def next(self, path, query):
        following = self.index(query) + 2
        return f"{path}?page={following}" if self.since not in query and following <= len(self.pages) else None


class RailsList(List):
    """Arrays, `Link` and `X-Total-Count`; a page has a tag of its own."""

    since = "updated_since"

    def tag(self, query):
        return f'W/"{self.version if self.since in query else 1}-{self.index(query)}"'

    def fields(self, path, query, tag):
        fields = {"ETag": tag}
        if self.since not in query:
            fields["X-Total-Count"] = self.pages.users
        if next := self.next(path, query):
            fields["Link"] = f'<{next}>; rel="next"'
        return fields

    def body(self, query):
        return b"[", self.items(query), b"]"


class KintoList(List):
    """Objects under `data`, `Next-Page` and `Total-Objects`; one tag covers the whole list."""

    since = "_since"

    def fields(self, path, query, tag):
        fields = {"ETag": tag, "Total-Objects": self.pages.users}
        if next := self.next(path, query):
            fields["Next-Page"] = next
        return fields

    def body(self, query):
        return b'{"data":[', self.items(query), b"]}"

    def wrapped(self, text):
        return b'{"data":', text, b"}"

    def changed_object(self, key, document):
        return {"data": super().changed_object(key, document["data"])}


class KintoBatch:
    """Several changes of a list in one request."""

    def __init__(self, of):
        self.list = of

    def respond(self, method, path, query, fields, body):
        members = []
        for request in json.loads(body)["requests"]:
            key = int(request["path"].rpartition("/")[2])
            members.append({"status": 200, "path": request["path"], "headers": {},
                            "body": self.list.changed_object(key, request["body"])})
        return Response(200, {}, (json.dumps({"responses": members}).encode(),))
