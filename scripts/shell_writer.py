"""Edits a store by the shell `sqlite3`, as another program does that knows nothing of Tidemark."""
import subprocess
import threading
import time


class Shell:
    """The shell `sqlite3` with an open store, in a process of its own."""

    def __init__(self, store):
        self.process = subprocess.Popen(["sqlite3", "-batch", "-list", "-separator", "|", store], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.journal = []
        self.run(".timeout 60000\nPRAGMA foreign_keys = ON;")

    def run(self, sql):
        """Runs statements; returns the rows, as lists of texts."""
        self.process.stdin.write(f"{sql}\nSELECT 'end of statements';\n")
        lines = []
        while (line := self.process.stdout.readline()) and line != "end of statements\n":
            lines.append(line.rstrip("\n"))
        if not line or any("rror" in line for line in lines):
            raise RuntimeError(f"sqlite3: {sql}: {lines}")
        rows = [line.split("|") for line in lines]
        if rows and not sql.startswith("SELECT"):
            self.journal.append((time.monotonic(), " ".join(sql.split()), rows))
        return rows

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Writer(threading.Thread):
    """Edits the store at random, and keeps a journal: what each row must have become in the end."""

    def __init__(self, store, chance, gate):
        super().__init__(daemon=True)
        self.shell = Shell(store)
        # Held during each edit.
        self.gate = gate
        self.chance = chance
        self.ended = threading.Event()
        self.failure = None
        self.edits = 0
        self.markers = 0
        # By table and row: the markers of creations, and the values of the last edits.
        self.created = {}
        self.values = {}
        # By table and row of deleted rows: the key, and the marker.
        self.deleted = {}
        self.replaced = set()
        # By owner and member: whether they are linked.
        self.links = {}

    def run(self):
        kinds = [self.insert, self.insert_with_project, self.update_text, self.update_rank, self.move, self.rename,
                 self.link, self.unlink, self.delete, self.replace]
        try:
            while not self.ended.wait(self.chance.uniform(0, 0.012)):
                edit, = self.chance.choices(kinds, weights=[4, 1, 8, 3, 2, 1, 3, 2, 4, 1])
                with self.gate:
                    self.edits += bool(edit())
        except RuntimeError as error:
            self.failure = str(error)
        finally:
            self.shell.close()

    def stop(self):
        self.ended.set()
        self.join()

    def marker(self, letter):
        self.markers += 1
        return f"{letter}{self.markers}"

    def row(self, table):
        rows = self.shell.run(f"SELECT _id FROM {table} ORDER BY _id;")
        return self.chance.choice(rows)[0] if rows else "0"

    def set(self, table, row, **values):
        self.values.setdefault((table, int(row)), {}).update(values)

    def insert(self):
        marker, project = self.marker("note-"), self.row("Project")
        rows = self.shell.run(f"INSERT INTO Note (marker, text, rank, project) SELECT '{marker}', '{marker}', 1, _id "
                              f"FROM Project WHERE _id = {project} RETURNING _id;")
        for row, in rows:
            self.created["Note", int(row)] = marker
            self.set("Note", row, text=marker, project=int(project))
        return rows

    def insert_with_project(self):
        """Inserts rows that depend on each other: the project must be created before the note."""
        parent, child = self.marker("project-"), self.marker("note-")
        rows = self.shell.run(f"""\
            BEGIN IMMEDIATE;
            INSERT INTO Project (marker, name) VALUES ('{parent}', '{parent}');
            INSERT INTO Note (marker, text, rank, project) VALUES ('{child}', '{child}', 1, last_insert_rowid())
                RETURNING _id, project;
            COMMIT;""")
        for note, project in rows:
            self.created["Project", int(project)] = parent
            self.created["Note", int(note)] = child
            self.set("Project", project, name=parent)
            self.set("Note", note, text=child, project=int(project))
        return rows

    def update(self, table, column, value, sql):
        rows = self.shell.run(f"UPDATE {table} SET {column} = {sql} WHERE _id = {self.row(table)} RETURNING _id;")
        for row, in rows:
            self.set(table, row, **{column: value})
        return rows

    def update_text(self):
        marker = self.marker("text-")
        return self.update("Note", "text", marker, f"'{marker}'")

    def update_rank(self):
        self.markers += 1
        return self.update("Note", "rank", self.markers, self.markers)

    def move(self):
        project = int(self.row("Project"))
        return self.update("Note", "project", project, project)

    def rename(self):
        marker = self.marker("name-")
        return self.update("Project", "name", marker, f"'{marker}'")

    def link(self):
        rows = self.shell.run(f"INSERT OR IGNORE INTO _tidemark_Note_tags (owner, member) SELECT n._id, t._id "
                              f"FROM Note n, Tag t WHERE n._id = {self.row('Note')} AND t._id = {self.row('Tag')} "
                              f"RETURNING owner, member;")
        self.links.update({(int(owner), int(member)): True for owner, member in rows})
        return rows

    def unlink(self):
        links = self.shell.run("SELECT _id FROM _tidemark_Note_tags ORDER BY _id;")
        link = self.chance.choice(links)[0] if links else "0"
        rows = self.shell.run(f"DELETE FROM _tidemark_Note_tags WHERE _id = {link} RETURNING owner, member;")
        self.links.update({(int(owner), int(member)): False for owner, member in rows})
        return rows

    def delete(self):
        """Deletes a row, unless it has replaced another one and no sync has read its object since.

        Nothing says then that the service has the object: the documentation advises against INSERT OR REPLACE."""
        row = self.row("Note")
        is_unread = f"""_id > (SELECT watermark FROM _tidemark_capture WHERE tree = 'Note') OR EXISTS
            (SELECT 1 FROM _tidemark_change c WHERE tree = 'Note' AND row = {row} AND kind = 'create')"""
        rows = self.shell.run(f"DELETE FROM Note WHERE _id = {row} AND NOT ({int(row) in self.replaced} AND "
                              f"({is_unread})) RETURNING _id, id, marker;")
        for row, key, marker in rows:
            self.deleted["Note", int(row)] = (key, marker)
            self.forget(int(row))
        return rows

    def replace(self):
        """Replaces a row by another one with its key, which is an edit of the same object."""
        row, marker = self.row("Note"), self.marker("replaced-")
        rows = self.shell.run(f"""\
            BEGIN IMMEDIATE;
            INSERT OR REPLACE INTO Note (id, marker, text, rank, project)
                SELECT id, marker, '{marker}', rank, project FROM Note WHERE _id = {row} AND id IS NOT NULL
                RETURNING _id, marker;
            COMMIT;""")
        for new, first in rows:
            self.replaced.add(int(new))
            self.forget(int(row))
            if self.created.pop(("Note", int(row)), None):
                self.created["Note", int(new)] = first
            self.set("Note", new, text=marker)
        return rows

    def forget(self, row):
        """Forgets the edits of a row that does not exist any more."""
        self.values.pop(("Note", row), None)
        self.links = {link: state for link, state in self.links.items() if link[0] != row}
