import Testing
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkTestSupport

/// Relationships inferred from nested objects, ids and URLs.
struct InferredRelationshipTests {
    @Test func `an id of an unknown entity is a plain attribute`() throws {
        try expect(
            ["notes.json": #"[{"id": 1, "user_id": 2, "tag_ids": [1]}]"#],
            give: "Note[id]: id integer64, userID integer64, tagIDs json"
        )
    }

    @Test func `an id that cannot be a key of the entity is a plain attribute`() throws {
        try expect(
            [
                "notes.json": #"[{"id": 1, "user_id": "x"}]"#, "users.json": #"[{"id": 1}]"#,
            ],
            give: """
                Note[id]: id integer64, userID string
                User[id]: id integer64
                """
        )
    }

    @Test func `URLs of two kinds of objects are not references`() throws {
        try expect(
            [
                "cats.json": #"[{"url": "http://h/cats/1"}]"#,
                "dogs.json": #"[{"url": "http://h/dogs/1"}]"#,
                "owners.json": #"[{"id": 1, "pets": ["http://h/cats/1", "http://h/dogs/1"]}]"#,
            ],
            give: """
                Cat[id]: id integer64 ← url
                Dog[id]: id integer64 ← url
                Owner[id]: id integer64, pets json
                """
        )
    }

    @Test func `ids refer to the entity after which they are named`() throws {
        try expect(
            [
                "notes.json": #"[{"id": 1, "user_id": 7, "tagIds": [1, 2]}]"#,
                "users.json": #"[{"id": 7}]"#,
                "tags.json": #"[{"id": "1"}]"#,
            ],
            give: """
                Note[id]: id integer64; user → User ⇄ notes, tags →→ Tag ⇄ notes
                Tag[id]: id string; notes →→ Note ⇄ tags
                User[id]: id integer64; notes →→ Note ⇄ user
                """
        )
    }

    @Test func `an id with a longer name refers to the entity that has its value as key`() throws {
        let notes = #"[{"id": 1, "super_user_id": 7}, {"id": 2, "super_user_id": 8}]"#
        try expect(
            ["notes.json": notes, "users.json": #"[{"id": 7}, {"id": 8}]"#],
            give: """
                Note[id]: id integer64; superUser → User ⇄ notes
                User[id]: id integer64; notes →→ Note ⇄ superUser
                """
        )
        try expect(
            ["notes.json": notes, "users.json": #"[{"id": 1}, {"id": 2}]"#],
            give: """
                Note[id]: id integer64, superUserID integer64
                User[id]: id integer64
                """
        )
    }

    @Test func `an id that cannot match by chance refers to its entity under any name`() throws {
        try expect(
            [
                "notes.json": #"[{"id": 1, "author_id": "550e8400-e29b-41d4-a716-446655440000"}]"#,
                "users.json": #"[{"id": "550e8400-e29b-41d4-a716-446655440000"}]"#,
            ],
            give: """
                Note[id]: id integer64; author → User ⇄ notes
                User[id]: id uuid; notes →→ Note ⇄ author
                """
        )
    }

    @Test func `a tree has parents and children`() throws {
        let byID = #"[{"id": 1, "parent_id": null}, {"id": 2, "parent_id": 1}]"#
        try expect(
            ["nodes.json": byID],
            give: "Node[id]: id integer64; parent → Node ⇄ children, children →→ Node ⇄ parent"
        )
        let nested = """
            [{"id": 1, "name": "a", "children": [
              {"id": 2, "name": "b", "children": [{"id": 3, "name": "c"}]}]}]
            """
        try expect(
            ["orgs.json": nested],
            give: """
                Org[id]: id integer64, name string; children →→ Org ⇄ parent, parent → Org ⇄ children
                """
        )
    }

    @Test func `nested objects are entities, and equal objects share one`() throws {
        try expect(
            [
                "posts.json": """
                [{"id": 1, "author": {"id": 5, "name": "Ann"}, "editor": {"id": 6, "name": "Bo"}},
                 {"id": 2, "author": {"id": 6, "name": "Bo"}, "editor": {"id": 5, "name": "Ann"}}]
                """,
                "users.json": #"[{"id": 5, "name": "Ann"}, {"id": 6, "name": "Bo"}]"#,
            ],
            give: """
                Post[id]: id integer64; author → User ⇄ authorPosts, editor → User ⇄ editorPosts
                User[id]: id integer64, name string; authorPosts →→ Post ⇄ author, \
                editorPosts →→ Post ⇄ editor
                """
        )
    }

    @Test func `objects of one name that contradict each other are different entities`() throws {
        try expect(
            [
                "patients.json": """
                [{"id": 1, "cats": [{"id": 1, "home": {"id": 1, "text": "basket"}}],
                  "dogs": [{"id": 1, "home": {"id": 1, "text": "kennel"}}]}]
                """
            ],
            give: """
                Patient[id]: id integer64; cats →→ Cat ⇄ patients, dogs →→ Dog ⇄ patients
                Cat[id]: id integer64; home → Home ⇄ cats, patients →→ Patient ⇄ cats
                Dog[id]: id integer64; home → DogHome ⇄ dogs, patients →→ Patient ⇄ dogs
                Home[id]: id integer64, text string; cats →→ Cat ⇄ home
                DogHome[id]: id integer64, text string; dogs →→ Dog ⇄ home
                """
        )
    }

    @Test func `inverses of two relationships between two entities have distinct names`() throws {
        try expect(
            [
                "matches.json": """
                [{"id": 1, "home_team": {"id": 1, "name": "A"}, "away_team": {"id": 2, "name": "B"}}]
                """
            ],
            give: """
                Match[id]: id integer64; homeTeam → Team ⇄ homeMatches, awayTeam → Team ⇄ awayMatches
                Team[id]: id integer64, name string; homeMatches →→ Match ⇄ homeTeam, \
                awayMatches →→ Match ⇄ awayTeam
                """
        )
    }

    @Test func `objects with a key get a to-many inverse, even if none is shared`() throws {
        try expect(
            [
                "users.json": """
                [{"id": 1, "tags": [{"id": 9, "name": "x"}], "notes": [{"id": 1, "text": "a"}]},
                 {"id": 2, "tags": [{"id": 9, "name": "x"}], "notes": [{"id": 2, "text": "b"}]}]
                """
            ],
            give: """
                User[id]: id integer64; tags →→ Tag ⇄ users, notes →→ Note ⇄ users
                Tag[id]: id integer64, name string; users →→ User ⇄ tags
                Note[id]: id integer64, text string; users →→ User ⇄ notes
                """
        )
    }

    @Test func `objects without a key are deleted with the object that lists them`() throws {
        let inferred = try infer([
            "stories.json": #"[{"id": 1, "comments": [{"body": "a"}, {"body": "b"}]}]"#
        ])
        #expect(
            inferred.text == """
                Story[id]: id integer64; comments →→ Comment ⇄ story cascade
                Comment[]: body string; story → Story ⇄ comments
                """
        )
        #expect(inferred.model.findings().isEmpty)
        #expect(inferred.doubtfulNotes.isEmpty)
    }

    @Test func `a nested object and its id form one relationship`() throws {
        try expect(
            [
                "users.json": """
                [{"id": 1, "company_id": 7, "company": {"id": 7, "name": "A"}},
                 {"id": 2, "company_id": null, "company": null}]
                """
            ],
            give: """
                User[id]: id integer64; company → Company ⇄ users
                Company[id]: id integer64, name string; users →→ User ⇄ company
                """
        )
    }

    @Test func `a child's id of its parent is the inverse`() throws {
        try expect(
            [
                "orders.json": #"[{"id": 3, "items": [{"id": 1, "order_id": 3}]}]"#
            ],
            give: """
                Order[id]: id integer64; items →→ Item ⇄ order cascade
                Item[id]: id integer64; order → Order ⇄ items
                """
        )
    }

    @Test func `lists that refer to each other are inverses, whatever their names`() throws {
        try expect(
            [
                "people.json": """
                [{"url": "http://h/people/1/", "born": "http://h/planets/1/", "home": null},
                 {"url": "http://h/people/2/", "born": "http://h/planets/1/",
                  "home": "http://h/planets/2/"}]
                """,
                "planets.json": """
                [{"url": "http://h/planets/1/", "residents": []},
                 {"url": "http://h/planets/2/", "residents": ["http://h/people/2/"]}]
                """,
            ],
            give: """
                Person[id]: id integer64 ← url; born → Planet ⇄ people, home → Planet ⇄ residents
                Planet[id]: id integer64 ← url; residents →→ Person ⇄ home, people →→ Person ⇄ born
                """
        )
    }

    @Test func `a URL next to an id locates the objects of a list`() throws {
        try expect(
            [
                "a.json": #"[{"id": 1, "owner": "https://h/users/7"}]"#,
                "users.json": #"[{"id": 7, "url": "https://h/users/7"}]"#,
            ],
            give: """
                A[id]: id integer64; owner → User ⇄ as
                User[id]: id integer64, url uri; as →→ A ⇄ owner
                """
        )
        try expect(
            [
                "a.json": #"[{"id": 1, "owner": "https://h/users/7"}]"#,
                "https://h/users?page=1": #"[{"id": 7}]"#,
            ],
            give: """
                A[id]: id integer64; owner → User ⇄ as
                User[id]: id integer64; as →→ A ⇄ owner
                """
        )
    }

    @Test func `pointers refer to the entity of their class, or are kept as JSON`() throws {
        let pointers = """
            [{"objectId": "g1", "hall": {"__type": "Pointer", "className": "Hall", "objectId": "h1"},
              "team": {"__type": "Pointer", "className": "Team", "objectId": "t1"}}]
            """
        try expect(
            ["games.json": pointers, "teams.json": #"[{"objectId": "t1"}]"#],
            give: """
                Game[id]: id string ← objectId, hall json; team → Team ⇄ games
                Team[id]: id string ← objectId; games →→ Game ⇄ team
                """
        )
    }

    @Test func `the name of a property omits meaningless components of its path`() throws {
        try expect(
            [
                "books.json": """
                {"data": [{"id": "1", "attributes": {"title": "a"},
                  "relationships": {"authors": {"data": [{"id": "9", "type": "people"}]}}}]}
                """
            ],
            give: """
                Book[id]: id string, title string ← attributes.title; \
                authors →→ Author ← relationships.authors.data ⇄ books
                Author[id]: id string, type string; books →→ Book ⇄ authors
                """
        )
    }

    @Test func `an inverse does not get a name that the JSON contains`() throws {
        try expect(
            [
                "users.json": #"[{"id": 1, "company": {"id": 1, "name": "a", "users": 12}}]"#
            ],
            give: """
                User[id]: id integer64; company → Company ⇄ companyUsers
                Company[id]: id integer64, name string, users integer64; \
                companyUsers →→ User ⇄ company
                """
        )
    }

    @Test func `the order of the samples does not matter`() throws {
        let samples = [
            ("users.json", #"[{"id": 1, "b": 1, "team": {"id": 1, "name": "x"}}]"#),
            ("users.2.json", #"[{"id": 2, "a": 1, "c": "x", "team": null}]"#),
            ("teams.json", #"[{"id": 1, "name": "x", "user_ids": [1]}]"#),
        ]
        let texts = try [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map {
            order in
            var inference = ModelInference()
            for index in order {
                try inference.add(JSONDocument(samples[index].1), from: samples[index].0)
            }
            return try inference.result()
        }
        #expect(Set(texts).count == 1)
        #expect(
            texts[0].text == """
                Team[id]: id integer64, name string; users →→ User ⇄ team
                User[id]: id integer64, a integer64, b integer64, c string; team → Team ⇄ users
                """
        )
    }
}
