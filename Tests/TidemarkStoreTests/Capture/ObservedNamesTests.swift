import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// The names and forms that a store records of a service's objects.
struct ObservedNamesTests {
    private static let model = Model(entities: [
        EntityDescription(
            "Note",
            attributes: [
                Attribute("id", .integer64), Attribute("due", .date), Attribute("price", .decimal),
            ]
        )
    ])

    private func names(_ forms: [String: (form: String, count: Int)]) throws -> ObservedNames {
        var names = ObservedNames()
        for (name, form) in forms {
            names.forms[name] = ObservedForm(
                try #require(ValueForm(stored: form.form)),
                count: form.count
            )
            if !name.contains(".") { names.all.insert(name) }
        }
        return names
    }

    @Test func `what was recorded is read, and joined with what comes later`() throws {
        let store = try Store.validated(model: Self.model)
        let first = try names([
            "due": ("date:yyyy-MM-dd", 3), "price": ("text:1", 1), "meta.price": ("number", 1),
        ])
        var second = try names(["due": ("date:yyyy-MM-dd", 19), "price": ("text:2", 1)])
        second.all.insert("owner")
        second.embedded.insert("owner")
        let joined = try names([
            "due": ("date:yyyy-MM-dd", 20), "price": ("text:2", 2), "meta.price": ("number", 1),
        ])
        let read: [String: ObservedNames] = try store.writer.write { [layout = store.layout] db in
            try ObservedNames.add(db, ["Note": first])
            #expect(try ObservedNames.read(db).isEmpty)
            try Capture.install(db, layout)
            try ObservedNames.add(db, ["Note": first])
            #expect(try ObservedNames.read(db) == ["Note": first])
            try ObservedNames.add(db, ["Note": second])
            return try ObservedNames.read(db)
        }
        #expect(read["Note"]?.forms == joined.forms)
        #expect(read["Note"]?.all == ["due", "price", "owner"])
        #expect(read["Note"]?.embedded == ["owner"])
    }

    @Test func `a member through which key paths lead is not the name of a property`() throws {
        let store = try Store.validated(model: Self.model)
        var names = try names(["price": ("text:1", 1)])
        names.forms["meta"] = ObservedForm(.members(areMapped: false))
        let read: ObservedNames? = try store.writer.write { [names, layout = store.layout] db in
            try Capture.install(db, layout)
            try ObservedNames.add(db, ["Note": names])
            return try ObservedNames.read(db)["Note"]
        }
        #expect(read == names)
    }

    @Test func `a form that another program has written is ignored`() throws {
        let store = try Store.validated(model: Self.model)
        let read: ObservedNames? = try store.writer.write { [layout = store.layout] db in
            try Capture.install(db, layout)
            try db.execute(
                sql: """
                    INSERT INTO _tidemark_name (entity, name, form, seen) \
                    VALUES ('Note', 'due', 'every day', -5)
                    """
            )
            return try ObservedNames.read(db)["Note"]
        }
        #expect(read?.all == ["due"])
        #expect(read?.forms.isEmpty == true)
    }

    @Test func `stored values are compared in the form of their attribute`() throws {
        let entity = try #require(Self.model["Note"])
        let mapping = EntityMapping(entity: entity, in: Self.model)
        let names = try names(["due": ("date:yyyy-MM-dd'T'HH:mm:ssXXX", 1), "price": ("text:2", 1)])
        let due = try #require(names.comparison(of: "due", in: mapping))
        #expect(due.isEqual(sent: 5.5.databaseValue, received: 5.0.databaseValue))
        #expect(!due.isEqual(sent: 5.5.databaseValue, received: 7.0.databaseValue))
        #expect(!due.isEqual(sent: DatabaseValue.null, received: 5.0.databaseValue))
        #expect(due.isEqual(sent: DatabaseValue.null, received: DatabaseValue.null))
        let price = try #require(names.comparison(of: "price", in: mapping))
        #expect(price.isEqual(sent: "13.50".databaseValue, received: "13.5".databaseValue))
        #expect(names.comparison(of: "title", in: mapping) == nil)
    }
}
