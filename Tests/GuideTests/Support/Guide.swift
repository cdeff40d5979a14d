import Tidemark
import TidemarkTestSupport

/// The store of the guides, except for “Getting started”.
enum Guide {
    static let model = Model(User.self, Note.self, Company.self)

    /// Returns a store in memory with two companies, three users and four notes.
    static func store() throws -> Store {
        let store = try Store.validated(model: model)
        try fill(store)
        return store
    }

    /// Inserts the rows that the guides describe, in the order of their row numbers.
    static func fill(_ store: Store) throws {
        try store.write { writer in
            let acme = try writer.insert(Company(code: "A", name: "Acme"))
            let babbage = try writer.insert(Company(code: "B", name: "Babbage"))
            let ada = try writer.insert(User(id: 1, name: "Ada", age: 36, company: One(acme)))
            let ben = try writer.insert(
                User(id: 2, name: "Ben", age: 20, status: .away, company: One(babbage))
            )
            try writer.insert(User(id: 3, name: "Eve", age: 16))
            try writer.insert(Note(text: "Buy tea", user: One(ada)))
            try writer.insert(Note(text: "Call Ben", isDone: true, user: One(ada)))
            try writer.insert(Note(text: "Buy milk", user: One(ben)))
            try writer.insert(Note(text: "On the engine", user: One(ada)))
        }
    }
}
