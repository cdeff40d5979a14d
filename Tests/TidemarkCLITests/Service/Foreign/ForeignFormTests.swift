import Testing
import TidemarkTesting

/// Values, references and objects have the form that a foreign service has shown.
@Suite(.timeLimit(.minutes(40)))
struct ForeignFormTests {
    @Test func `WooCommerce gets prices as texts, and categories as objects`() async throws {
        try await ForeignService.wooCommerce.open { store in
            try await store.update(1, #"{"regularPrice": 13.5, "dateOnSaleFrom": "2026-02-03"}"#)
            _ = try await store.folder.done(
                "update",
                "Product:2",
                "--values",
                #"{"length": 5}"#,
                "--links",
                #"{"categories": ["Category:1", "Category:2"]}"#
            )
            try await store.insert(#"{"title": "new", "regularPrice": 3}"#)
            _ = try await store.folder.done("push")
            let bodies = store.bodies
            #expect(
                Set(bodies.filter { !$0.contains("new") }) == [
                    """
                    {"dimensions":{"width":"2","unit":"cm","length":"5"},\
                    "categories":[{"id":1},{"id":2}]}
                    """,
                    #"{"regular_price":"13.50","date_on_sale_from":"2026-02-03T00:00:00"}"#,
                ]
            )
            #expect(bodies.contains { $0.contains(#""regular_price":"3.00""#) }, "\(bodies)")
            #expect(try await store.changes() == [])
        }
    }

    @Test func `Django gets decimals, days and URLs as its serializers write them`() async throws {
        try await ForeignService.django.open { store in
            try await store.update(1, #"{"price": 13.5, "due": "2026-02-03"}"#)
            _ = try await store.folder.done(
                "update",
                "Article:2",
                "--links",
                #"{"author": "Author:2"}"#
            )
            _ = try await store.folder.done("push")
            let url = store.fake["articles/2"]?["author"]?.string ?? ""
            #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/authors/2/"), "\(url)")
            #expect(store.fake["articles/1"]?["price"] == "13.50")
            #expect(store.fake["articles/1"]?["due"] == "2026-02-03")
            #expect(try await store.changes() == [])
        }
    }

    @Test func `FHIR keeps what the model does not know, and its version is a condition`()
        async throws
    {
        try await ForeignService.fhir.open { store in
            try await store.update(1, #"{"text": "mine", "birthDate": "1991-03-04"}"#)
            _ = try await store.folder.done("push")
            #expect(
                store.fake["Patient/1"]?.description == """
                    {"id":"1","resourceType":"Patient","meta":{"versionId":"1"},\
                    "name":[{"use":"official","text":"issue 1"}],\
                    "address":[{"city":"Kiel","text":"mine"},{"city":"Bonn"}],\
                    "birthDate":"1991-03-04"}
                    """
            )
            try await store.insert(#"{"title": "new"}"#)
            _ = try await store.folder.done("push")
            #expect(
                store.bodies.last == #"{"name":[{"text":"new"}],"resourceType":"Patient"}"#
            )
        }
    }

    @Test func `CouchDB gets the revision that was read`() async throws {
        try await ForeignService.couchDB.open { store in
            for title in ["one", "two"] {
                try await store.update(1, "{\"title\": \"\(title)\"}")
                _ = try await store.folder.done("push")
            }
            #expect(
                store.bodies == [
                    #"{"_id":"1","_rev":"1-a","body":"text 1","tags":["x"],"title":"one"}"#,
                    #"{"_id":"1","_rev":"2-x","body":"text 1","tags":["x"],"title":"two"}"#,
                ]
            )
        }
    }

    @Test func `Datasette gets a body of its own for each kind of request`() async throws {
        try await ForeignService.datasette.open { store in
            try await store.update(1, #"{"isPublic": false}"#)
            try await store.insert(#"{"title": "new", "isPublic": true}"#)
            try await store.delete(2)
            _ = try await store.folder.done("push")
            #expect(
                store.writes.sorted() == [
                    "POST /api/db/posts/-/insert 201", "POST /api/db/posts/1/-/update 200",
                    "POST /api/db/posts/2/-/delete 200",
                ]
            )
            #expect(
                store.bodies.sorted() == [
                    #"{"row":{"title":"new","is_public":1},"return":true}"#,
                    #"{"update":{"is_public":0},"return":true}"#,
                ]
            )
            #expect(try await store.changes() == [])
        }
    }

    @Test func `the forms are shown by status and by a dry run`() async throws {
        try await ForeignService.django.open { store in
            try await store.update(1, #"{"price": 13.5}"#)
            let status = try await store.folder.done("status")
            #expect(
                status.stdout.contains(
                    """
                    Article: the service writes author as URL of the object, due as day \
                    (yyyy-MM-dd), price as number as text with 2 decimals.
                    """
                ),
                "\(status)"
            )
            let json = try await store.folder.done("status", "--format", "json").json()
            #expect(json["resources"]?["articles/"]?["forms"]?["due"]?.string == "day (yyyy-MM-dd)")
            let planned = try await store.folder.done("push", "--dry-run")
            #expect(
                planned.stdout.contains(
                    #"{"price":"13.50"}  (price: number as text with 2 decimals)"#
                ),
                "\(planned)"
            )
        }
    }

    @Test func `an option of a request that is not known is an error`() async throws {
        let folder = try Folder()
        for (request, message) in [
            ("{request: post}", "service.push.create: post is not known."),
            ("{body: row, kind: x}", "service.push.create.kind is not known."),
            ("{existing: maybe}", "service.push.create.existing: maybe is not known."),
            ("{type: json}", "service.push.create.type: json is not known."),
            ("{request: none, body: row}", "service.push.create: there is no request."),
            ("{members: [1]}", "service.push.create.members"),
        ] {
            try folder.write(
                """
                store: s.db
                service:
                  url: https://api.example.com/
                  push: {create: \(request)}
                resources:
                  Film: {path: films}
                """,
                to: "tidemark.yml"
            )
            let outcome = try await folder.run("push", "--dry-run")
            #expect(outcome.status == 65 && outcome.stderr.contains(message), "\(outcome)")
        }
    }
}
