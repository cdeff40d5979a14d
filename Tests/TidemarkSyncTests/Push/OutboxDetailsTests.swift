import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// What the outbox reports about the changes of one row.
struct OutboxDetailsTests {
    /// Prints the changes of a row: their versions, their request, and what they wait for.
    private func details(_ tasks: TaskService, _ row: String) throws -> [String] {
        let outbox = Outbox(tasks.store, environment: tasks.clock.environment)
        let all = try tasks.store.writer.read { db in
            try outbox.details(db, of: RecordLocator(row))
        }
        return all.map { details in
            let change = details.change
            let properties = details.properties.map { property in
                "\(property.name) \(text(property.base)) → \(text(property.local))"
            }
            let request = details.request.map { request in
                ["\(request.method) \(request.path) \(request.body ?? "")"]
            }
            let blocked = change.blockedBy.map { ["after \($0)"] }
            return
                (["\(change.kind.rawValue) \(change.state.rawValue)"] + properties
                + (request ?? []) + (blocked ?? [])).joined(separator: "; ")
        }
    }

    private func text(_ version: Conflict.Version?) -> String {
        switch version {
        case nil: "–"
        case .value(.null)?, .row(nil)?: "null"
        case .value(.string(let text))?: text
        case .value(.integer(let number))?: "\(number)"
        case .value(.boolean(let flag))?: "\(flag)"
        case .value(let value)?: "\(value)"
        case .row(let row?)?: "\(row)"
        case .objects(let json)?: json
        case .rows(let rows)?: "[\(rows.map(\.description).joined(separator: " "))]"
        }
    }

    @Test func `an update has what the service knows, and what is stored`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        try await tasks.store.write { writer in
            _ = try writer.update(
                tasks.task(1),
                values: ["title": .string("mine"), "done": .boolean(true)],
                links: ["project": [RecordLocator("Project:1")]]
            )
            // What is restored is not a part of the change.
            _ = try writer.update(tasks.task(1), values: ["done": .boolean(false)])
        }
        #expect(
            try details(tasks, "Task:1") == [
                "update pending; title task 1 → mine; project null → Project#1"
            ]
        )
    }

    @Test func `a creation has no base, and a deletion no local version`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.insert(
                "Task",
                values: ["title": .string("new")],
                links: ["project": [RecordLocator("Project:1")]]
            )
            _ = try writer.delete(tasks.task(2))
        }
        #expect(
            try details(tasks, "Task#3") == [
                "create pending; title – → new; project – → Project#1"
            ]
        )
        #expect(
            try details(tasks, "Task#2") == [
                "delete pending; id 2 → –; title task 2 → –; done false → –"
            ]
        )
        // The creation was not recorded yet, and is not recorded by the listing.
        #expect(try tasks.changes() == ["Task#2 delete, pending"])
    }

    @Test func `an edit after a lost response is a change of its own`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine(over: WriteFaults(tasks.fake, .lostResponse))
        _ = try await engine.pull()
        try await tasks.rename(1, to: "sent")
        _ = try await engine.push()
        try await tasks.store.write { writer in
            _ = try writer.update(
                tasks.task(1),
                values: ["title": .string("newer"), "done": .boolean(true)]
            )
        }
        #expect(
            try details(tasks, "Task:1") == [
                #"update uncertain; title task 1 → sent; PATCH tasks/1/ {"title":"sent"}"#,
                "update pending; title sent → newer; done false → true; after Task#1",
            ]
        )
    }

    @Test func `a rejected change has its request, and delays what depends on it`() async throws {
        let tasks = try TaskService(.rest) { $0.required["projects"] = ["name"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        let project = try await tasks.store.write { writer in
            let project = try writer.insert("Project", values: [:])
            _ = try writer.insert(
                "Task",
                values: ["title": .string("new")],
                links: ["project": [RecordLocator(project)]]
            )
            return project
        }
        _ = try await engine.push()
        #expect(
            try details(tasks, "\(project)") == ["create rejected; POST projects/ {}"]
        )
        #expect(
            try details(tasks, "Task#3") == [
                "create pending; title – → new; project – → Project#2; after Project#2"
            ]
        )
    }

    @Test func `a row without a change is named`() async throws {
        let tasks = try TaskService(.rest)
        _ = try await tasks.engine().pull()
        let error = #expect(throws: StoreError.self) { try details(tasks, "Task:1") }
        #expect(error?.code == .rowNotFound)
        #expect(error?.message == "Task:1 has no local change.")
    }
}
