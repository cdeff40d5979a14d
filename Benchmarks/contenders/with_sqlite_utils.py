"""with_sqlite_utils.py DOCUMENT STORE: imports the document into two tables with the functions of sqlite-utils."""
import json
import sys

import sqlite_utils


def main(document, store):
    with open(document, encoding="utf-8") as file:
        users = json.load(file)
    notes = [{**note, "user_id": user["id"]} for user in users for note in user.pop("notes")]

    db = sqlite_utils.Database(store)
    db.enable_wal()
    db.conn.execute("PRAGMA foreign_keys = ON")
    if not db["User"].exists():
        create_tables(db)
    db["User"].upsert_all(users, pk="id")
    db["Note"].upsert_all(notes, pk="id")

    for table, rows in (("Note", notes), ("User", users)):
        named = {row["id"] for row in rows}
        stored = [row["id"] for row in db[table].rows_where(select="id")]
        for stale in set(stored) - named:
            db[table].delete(stale)


def create_tables(db):
    moments = {"created_at": str, "updated_at": str}
    db["User"].create(
        {"id": int, "first_name": str, "last_name": str, "email": str, "age": int, "score": float,
         "active": int, "bio": str, **moments, "manager_id": int},
        pk="id", foreign_keys=[("manager_id", "User", "id")])
    db["Note"].create(
        {"id": int, "text": str, **moments, "user_id": int},
        pk="id", foreign_keys=[("user_id", "User", "id")])
    db["User"].create_index(["manager_id"])
    db["Note"].create_index(["user_id"])


main(*sys.argv[1:])
