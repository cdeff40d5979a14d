"""local_writer.py STORE: keeps changing one user until its standard input ends, like an app during a pull.

Prints the milliseconds of each change, from the start of its transaction to its commit."""
import json
import sqlite3
import sys
import threading
import time

PAUSE = 0.02


def main(store):
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    database = sqlite3.connect(store, timeout=10, isolation_level=None)
    taken = []
    while not ended.wait(PAUSE):
        start = time.monotonic()
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE User SET age = ? WHERE id = 0", [len(taken) % 100])
        database.execute("COMMIT")
        taken.append((time.monotonic() - start) * 1e3)
    print(json.dumps(taken))


main(*sys.argv[1:])
