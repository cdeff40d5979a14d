extension RelationshipMigrationTests.Change {
    private static func model(_ user: String, _ note: String) -> String {
        RelationshipMigrationTests.model(user, note)
    }

    private static let oneToMany = RelationshipMigrationTests.oneToMany

    private static let manyToMany = RelationshipMigrationTests.manyToMany

    private static let someNotes = [
        ("User:2", ["notes": ["Note:3", "Note:1"]]), ("User:3", ["notes": ["Note:4"]]),
    ]

    /// The rows with ``someNotes`` if the list is unordered and its inverse is to-one.
    private static let oneToManyRows = """
        User
        #  id  notes
        1  1   []
        2  2   [1 3]
        3  3   [4]
        Note
        #  id  user
        1  1   2
        2  2   -
        3  3   2
        4  4   3
        """

    static let all = attributesOfLinks + counts + sides
}

extension RelationshipMigrationTests.Change {
    private static let attributesOfLinks = [
        Self(
            name: "renamed",
            from: oneToMany,
            to: model(
                "texts: {to: Note, toMany: true, inverse: owner, renamedFrom: notes}",
                "owner: {to: User, inverse: texts, renamedFrom: user}"
            ),
            links: someNotes,
            steps: "rename User.notes to texts\nrename Note.user to owner",
            rows: oneToManyRows.replacing("notes", with: "texts").replacing("user", with: "owner")
        ),
        Self(
            name: "ordered",
            from: oneToMany,
            to: oneToMany.replacing("toMany: true", with: "toMany: true, ordered: true"),
            links: someNotes,
            steps: "order User.notes",
            rows: oneToManyRows
        ),
        Self(
            name: "no longer ordered",
            from: oneToMany.replacing("toMany: true", with: "toMany: true, ordered: true"),
            to: oneToMany,
            links: someNotes,
            steps: "take order from User.notes (3 positions are lost)",
            rows: oneToManyRows
        ),
        Self(
            name: "with another delete rule",
            from: oneToMany,
            to: oneToMany.replacing("toMany: true", with: "toMany: true, deleteRule: cascade"),
            links: someNotes,
            steps: "change delete rule of User.notes from nullify to cascade",
            rows: oneToManyRows
        ),
        Self(
            name: "annotated",
            from: oneToMany,
            to: oneToMany.replacing("toMany: true", with: "toMany: true, remoteKey: all.notes"),
            links: someNotes,
            steps: "annotate User.notes",
            rows: oneToManyRows
        ),
        Self(
            name: "added",
            from: oneToMany,
            to: model(
                """
                notes: {to: Note, toMany: true, inverse: user}, \
                friends: {to: User, toMany: true, inverse: friends}, boss: {to: User}
                """,
                "user: {to: User, inverse: notes}"
            ),
            links: someNotes,
            steps: "add User.boss\nadd User.friends",
            rows: """
                User
                #  id  boss  friends  notes
                1  1   -     []       []
                2  2   -     []       [1 3]
                3  3   -     []       [4]
                Note
                #  id  user
                1  1   2
                2  2   -
                3  3   2
                4  4   3
                """
        ),
        Self(
            name: "dropped",
            from: oneToMany,
            to: model("", ""),
            links: someNotes,
            steps: "drop User.notes (3 links are lost)\ndrop Note.user (3 links are lost)",
            rows: """
                User
                #  id
                1  1
                2  2
                3  3
                Note
                #  id
                1  1
                2  2
                3  3
                4  4
                """
        ),
    ]

    private static let counts = [
        Self(
            name: "from one to many",
            from: oneToMany,
            to: model(
                "notes: {to: Note, toMany: true, inverse: users}",
                "users: {to: User, toMany: true, inverse: notes, renamedFrom: user}"
            ),
            links: someNotes,
            steps: "rename Note.user to users\nmake Note.users to-many (3 links are kept)",
            rows: """
                User
                #  id  notes
                1  1   []
                2  2   [1 3]
                3  3   [4]
                Note
                #  id  users
                1  1   [2]
                2  2   []
                3  3   [2]
                4  4   [3]
                """
        ),
        Self(
            name: "from many to one",
            from: manyToMany,
            to: model(
                "notes: {to: Note, toMany: true, inverse: user}",
                "user: {to: User, inverse: notes, renamedFrom: users}"
            ),
            links: someNotes,
            steps: "rename Note.users to user\nmake Note.user to-one (3 links are kept)",
            rows: oneToManyRows
        ),
        Self(
            name: "from many to one, in order",
            from: manyToMany.replacing(
                "to: Note, toMany: true",
                with: "to: Note, toMany: true, ordered: true"
            ),
            to: model(
                "notes: {to: Note, toMany: true, inverse: user, ordered: true}",
                "user: {to: User, inverse: notes, renamedFrom: users}"
            ),
            links: someNotes,
            steps: "rename Note.users to user\nmake Note.user to-one (3 links are kept)",
            rows: oneToManyRows.replacing("[1 3]", with: "[3 1]")
        ),
        Self(
            name: "from many to one on the side that has the column",
            from: oneToMany,
            to: model(
                "note: {to: Note, inverse: user, renamedFrom: notes}",
                "user: {to: User, inverse: note}"
            ),
            links: [("User:3", ["notes": ["Note:4"]]), ("User:1", ["notes": ["Note:2"]])],
            steps: "rename User.notes to note\nmake User.note to-one (2 links are kept)",
            rows: """
                User
                #  id  note
                1  1   2
                2  2   -
                3  3   4
                Note
                #  id  user
                1  1   -
                2  2   1
                3  3   -
                4  4   3
                """
        ),
        Self(
            name: "the column's side changed",
            from: oneToMany,
            to: model(
                "note: {to: Note, inverse: users, renamedFrom: notes}",
                "users: {to: User, toMany: true, inverse: note, renamedFrom: user}"
            ),
            links: [("User:3", ["notes": ["Note:4"]]), ("User:1", ["notes": ["Note:2"]])],
            steps: """
                rename User.notes to note
                make User.note to-one (2 links are kept)
                rename Note.user to users
                make Note.users to-many (2 links are kept)
                """,
            rows: """
                User
                #  id  note
                1  1   2
                2  2   -
                3  3   4
                Note
                #  id  users
                1  1   []
                2  2   [1]
                3  3   []
                4  4   [3]
                """
        ),
    ]

    private static let sides = [
        Self(
            name: "an inverse added",
            from: model("notes: {to: Note, toMany: true, ordered: true}", ""),
            to: model(
                "notes: {to: Note, toMany: true, ordered: true, inverse: user}",
                "user: {to: User, inverse: notes}"
            ),
            links: someNotes,
            steps: "change inverse of User.notes from nothing to user\nadd Note.user",
            rows: oneToManyRows.replacing("[1 3]", with: "[3 1]")
        ),
        Self(
            name: "two sides that become each other's inverses",
            from: model("notes: {to: Note, toMany: true}", "user: {to: User}"),
            to: oneToMany,
            links: [
                ("User:2", ["notes": ["Note:3", "Note:1"]]), ("Note:3", ["user": ["User:2"]]),
                ("Note:4", ["user": ["User:3"]]),
            ],
            steps: """
                change inverse of User.notes from nothing to user
                change inverse of Note.user from nothing to notes
                """,
            rows: oneToManyRows
        ),
        Self(
            name: "an inverse dropped, the list with it",
            from: oneToMany,
            to: model("", "user: {to: User}"),
            links: someNotes,
            steps: "drop User.notes\nchange inverse of Note.user from notes to nothing",
            rows: """
                User
                #  id
                1  1
                2  2
                3  3
                Note
                #  id  user
                1  1   2
                2  2   -
                3  3   2
                4  4   3
                """
        ),
        Self(
            name: "an inverse dropped, the list kept",
            from: oneToMany,
            to: model("notes: {to: Note, toMany: true}", ""),
            links: someNotes,
            steps: "change inverse of User.notes from user to nothing\ndrop Note.user",
            rows: """
                User
                #  id  notes
                1  1   []
                2  2   [1 3]
                3  3   [4]
                Note
                #  id
                1  1
                2  2
                3  3
                4  4
                """
        ),
        Self(
            name: "the owner's side of a table of pairs changed",
            from: manyToMany,
            to: model(
                "notes: {to: Note, toMany: true, inverse: zusers}",
                "zusers: {to: User, toMany: true, inverse: notes, renamedFrom: users}"
            ).replacing("User: {", with: "Zuser: {renamedFrom: User, ")
                .replacing("to: User", with: "to: Zuser"),
            links: someNotes,
            steps: """
                rename User to Zuser
                rename Note.users to zusers
                """,
            rows: """
                Zuser
                #  id  notes
                1  1   []
                2  2   [1 3]
                3  3   [4]
                Note
                #  id  zusers
                1  1   [2]
                2  2   []
                3  3   [2]
                4  4   [3]
                """
        ),
        Self(
            name: "friends that become friends of each other",
            from: model("friends: {to: User, toMany: true}, mate: {to: User}", ""),
            to: model(
                """
                friends: {to: User, toMany: true, inverse: friends}, \
                mate: {to: User, inverse: mate}
                """,
                ""
            ),
            links: [
                ("User:1", ["friends": ["User:2", "User:3"], "mate": ["User:3"]]),
                ("User:2", ["friends": ["User:1"]]),
            ],
            steps: """
                change inverse of User.friends from nothing to friends
                change inverse of User.mate from nothing to mate
                """,
            rows: """
                User
                #  id  friends  mate
                1  1   [2 3]    3
                2  2   [1]      -
                3  3   [1]      1
                Note
                #  id
                1  1
                2  2
                3  3
                4  4
                """
        ),
    ]
}
