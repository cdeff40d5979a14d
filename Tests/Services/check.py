"""Checks that the running services behave as the tests assume; stops at the first failure.

Their addresses are in the environment, as `scripts/services run` sets them. All their rows are deleted."""
import http.client
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


# Kinto accepts any user and password; the other services have no authentication.
USER = {"Authorization": "Basic dGVzdDp0ZXN0"}


def ask(method, url, body=None, expect=200, headers=None):
    """Returns the headers and the JSON of a response, which must have the expected status."""
    headers = {**USER, **(headers or {})}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        response = OPENER.open(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        text = response.read()
    must(response.status == expect, f"{method} {url} responds {response.status}: {text[:300]!r}")
    is_json = response.headers.get_content_type() == "application/json"
    return response.headers, json.loads(text) if text and is_json else None


def must(holds, otherwise):
    if not holds:
        sys.exit(f"check: {otherwise}")


def pages(url, following):
    """Returns the responses of all pages; `following` returns the URL of the next page from one."""
    found = []
    while url and len(found) < 100:
        found.append(ask("GET", url))
        url = following(*found[-1])
    return found


def keys(rows):
    return [row["id"] for row in rows]


def must_walk(url, following, rows, sizes):
    found = [rows(body) for _, body in pages(url, following)]
    must([len(page) for page in found] == sizes, f"{url} has pages of {[len(page) for page in found]}.")
    must(len({key for page in found for key in keys(page)}) == sum(sizes), f"{url} repeats rows.")
    print(f"  {urllib.parse.urlsplit(url).path}: pages of {sizes}")


def must_validate(url, change):
    """Checks that the document at the URL is not sent again until it changes."""
    headers, _ = ask("GET", url)
    ask("GET", url, expect=304, headers={"If-None-Match": headers["ETag"]})
    changed = change()
    ask("GET", url, headers={"If-None-Match": headers["ETag"]})
    print(f"  ETag {headers['ETag']}: 304 until a row changes")
    return changed


def must_lose_responses(create, rows, count):
    """Checks that requests are processed whose responses are lost.

    `create` sends a request that creates an object, with header fields, and `rows` returns all objects."""
    for fault in ["closed", "truncated", "failed"]:
        try:
            create({"X-Test-Response": fault})
        except (OSError, http.client.HTTPException):
            must(fault != "failed", "A connection was closed that was to return 500.")
        count += 1
        must(len(rows()) == count, f"X-Test-Response: {fault}: there are {len(rows())} rows.")
    print("  X-Test-Response: the request is processed, and its response is lost")


def kinto(base, keeps_failed_changes=True):
    ask("POST", base + "__flush__", expect=202)
    ask("PUT", base + "buckets/app", {"data": {}}, expect=201)
    ask("PUT", base + "buckets/app/collections/tasks", {"data": {}}, expect=201)
    url = base + "buckets/app/collections/tasks/records"
    for number in range(7):
        _, first = ask("POST", url, {"data": {"title": str(number)}}, expect=201)
    must_walk(url, lambda headers, _: headers["Next-Page"], lambda body: body["data"], [5, 2])

    before, _ = ask("GET", url)
    row = url + "/" + first["data"]["id"]
    must_validate(url, lambda: ask("PATCH", row, {"data": {"title": "changed"}}))
    since = url + "?_since=" + urllib.parse.quote(before["ETag"])
    _, changed = ask("GET", since)
    must([each["title"] for each in changed["data"]] == ["changed"], f"{since}: {changed}")
    print("  _since: only the changed record")

    ask("DELETE", row, expect=412, headers={"If-Match": before["ETag"]})
    print("  If-Match: 412 when the row has changed")
    ask("DELETE", row)
    _, changed = ask("GET", since)
    must([each.get("deleted") for each in changed["data"]] == [True], f"{since}: {changed}")
    print("  DELETE: leaves a tombstone")

    _, first = ask("POST", url, {"data": {"title": "before"}}, expect=201)
    row = url + "/" + first["data"]["id"]
    change = {"data": {"title": "after"}}
    ask("PATCH", row, change, expect=500, headers={"Response-Behavior": "light"})
    _, found = ask("GET", row)
    must(
        found["data"]["title"] == ("after" if keeps_failed_changes else "before"),
        f"The record is {found} after a change that failed.",
    )
    print(f"  Response-Behavior: 500, and the change is {'kept' if keeps_failed_changes else 'undone'}")

    schema = {"type": "object", "properties": {"title": {"type": "string", "minLength": 1}}}
    ask("PUT", base + "buckets/app/collections/valid", {"data": {"schema": schema}}, expect=201)
    valid = base + "buckets/app/collections/valid/records"
    _, refused = ask("POST", valid, {"data": {"title": ""}}, expect=400)
    must(refused["details"][0]["name"] == "title", f"An empty title is rejected with {refused}.")
    must_lose_responses(
        lambda fault: ask("POST", valid, {"data": {"title": "lost"}}, expect=500, headers=fault),
        lambda: ask("GET", valid)[1]["data"],
        0,
    )


def kinto_postgresql(base):
    kinto(base, keeps_failed_changes=False)

def drf(base):
    ask("POST", base + "_reset", expect=204)
    _, project = ask("POST", base + "projects/", {"name": "one"}, expect=201)
    _, refused = ask("POST", base + "projects/", {"name": "one"}, expect=400)
    must(list(refused) == ["name"], f"A duplicate name is rejected with {refused}.")
    url = base + "tasks/"
    for number in range(7):
        _, last = ask("POST", url, {"title": str(number), "project": project["id"]}, expect=201)
    for path in ["tasks/", "tasks-offset/", "tasks-cursor/"]:
        must_walk(base + path, lambda _, body: body["next"], lambda body: body["results"], [3, 3, 1])
    must_walk(url + "?page_size=5", lambda _, body: body["next"], lambda body: body["results"], [5, 2])

    row = f"{url}{last['id']}/"
    _, changed = must_validate(row, lambda: ask("PATCH", row, {"done": True}))
    stamp = urllib.parse.quote(changed["updated_at"])
    for name, expected in [("updated_at__gte", [changed["id"]]), ("updated_at__gt", [])]:
        _, found = ask("GET", f"{url}?{name}={stamp}")
        must(keys(found["results"]) == expected, f"{name}={stamp}: {found}")
        print(f"  {name}: {len(expected)} of 7")
    must_be_gone(row)
    ask("DELETE", f"{base}projects/{project['id']}/", expect=204)
    _, rest = ask("GET", url)
    must(rest["count"] == 0, f"The tasks of a deleted project remain: {rest}")
    print("  DELETE of a project: its tasks are deleted with it")

    url = base + "spaces/one/projects/"
    _, project = ask("POST", url, {"name": "one"}, expect=201)
    _, refused = ask("POST", url, {"name": "one"}, expect=400)
    must(list(refused) == ["name"], f"A duplicate name in a space is rejected with {refused}.")
    ask("POST", base + "spaces/two/projects/", {"name": "one"}, expect=201)
    must(keys(ask("GET", url)[1]["results"]) == [project["id"]], "A space lists other rows.")
    print("  spaces/one/: has rows of its own")
    url = base + "spaces/one/tasks/?page_size=10"
    must_lose_responses(
        lambda fault: ask("POST", url, {"title": "lost"}, expect=500, headers=fault),
        lambda: ask("GET", url)[1]["results"],
        0,
    )


def rails(base):
    ask("POST", base + "_reset", expect=204)
    _, project = ask("POST", base + "projects", {"name": "one"}, expect=201)
    _, refused = ask("POST", base + "projects", {"project": {"name": "one"}}, expect=422)
    must(list(refused["errors"]) == ["name"], f"A duplicate name is rejected with {refused}.")
    url = base + "tasks"
    for number in range(7):
        task = {"title": str(number), "project_id": project["id"]}
        _, last = ask("POST", url, {"task": task}, expect=201)
    must_walk(url, linked, lambda body: body, [3, 3, 1])
    must_walk(url + "?per_page=5", linked, lambda body: body, [5, 2])
    headers, _ = ask("GET", url)
    must(headers["X-Total-Count"] == "7", f"X-Total-Count is {headers['X-Total-Count']}.")

    row = f"{url}/{last['id']}"
    _, changed = must_validate(row, lambda: ask("PATCH", row, {"task": {"done": True}}))
    headers, _ = ask("GET", url)
    ask("GET", url, expect=304, headers={"If-None-Match": headers["ETag"]})
    _, found = ask("GET", f"{url}?updated_since={urllib.parse.quote(changed['updated_at'])}")
    must(keys(found) == [changed["id"]], f"updated_since={changed['updated_at']}: {found}")
    print("  updated_since: 1 of 7")

    stale = {"task": {"title": "stale", "lock_version": last["lock_version"]}}
    _, current = ask("PATCH", row, stale, expect=409)
    must(current == changed, f"The response to a stale lock_version is {current}.")
    print("  lock_version: 409 with the current row when it is stale")
    must_be_gone(row)

    url = base + "spaces/one/projects"
    key = {"Idempotency-Key": '"one"'}
    _, project = ask("POST", url, {"project": {"name": "one"}}, expect=201, headers=key)
    headers, again = ask("POST", url, {"project": {"name": "one"}}, expect=201, headers=key)
    must(again == project, f"A repeated request is answered with {again}.")
    must(headers["Location"] == f"{url}/{project['id']}", f"Location is {headers['Location']}.")
    ask("POST", url, {"project": {"name": "two"}}, expect=422, headers=key)
    _, refused = ask("POST", url, {"project": {"name": "one"}}, expect=422)
    must(list(refused["errors"]) == ["name"], f"A duplicate name is rejected with {refused}.")
    print("  Idempotency-Key: the response is repeated")
    ask("POST", base + "spaces/two/projects", {"project": {"name": "one"}}, expect=201)
    must(keys(ask("GET", url)[1]) == [project["id"]], "A space lists other rows.")
    print("  spaces/one/: has rows of its own")
    url = base + "spaces/one/tasks?per_page=10"
    must_lose_responses(
        lambda fault: ask("POST", url, {"task": {"title": "lost"}}, expect=500, headers=fault),
        lambda: ask("GET", url)[1],
        0,
    )


def linked(headers, _):
    found = re.search(r'<([^>]*)>; rel="next"', headers["Link"] or "")
    return found and found[1]


def must_be_gone(row):
    ask("DELETE", row, expect=204)
    ask("GET", row, expect=404)
    print("  DELETE: 204, and 404 afterwards")


def main():
    checks = {"KINTO": kinto, "KINTO_POSTGRESQL": kinto_postgresql, "DRF": drf, "RAILS": rails}
    for name, check in checks.items():
        base = os.environ.get(f"TIDEMARK_TEST_{name}")
        if base:
            print(f"{name.lower()} at {base}")
            check(base)


main()
