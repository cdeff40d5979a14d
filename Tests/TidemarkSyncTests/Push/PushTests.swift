import GRDB
import HTTPTypes
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Local changes that are sent to a service.
struct PushTests {
    @Test(arguments: TaskService.Dialect.allCases)
    func `edits, creations and deletions are sent, and nothing is left`(
        dialect: TaskService.Dialect
    ) async throws {
        let tasks = try TaskService(dialect)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            try writer.update(tasks.task(1), values: ["done": .boolean(true)])
            let project = try writer.insert("Project", values: ["name": .string("Garden")])
            try writer.insert(
                "Task",
                values: ["title": .string("dig")],
                links: ["project": [RecordLocator(project)]]
            )
            try writer.delete(tasks.task(2))
        }
        let report = try await engine.push()
        #expect(
            report.entities == [
                "Task": PushReport.Counts(created: 1, updated: 1, deleted: 1),
                "Project": PushReport.Counts(created: 1),
            ]
        )
        let old = { (number: Int) in dialect.hasTextKeys ? "k\(number)" : "\(number)" }
        let project = dialect.hasTextKeys ? "Project#2" : "2"
        let task = dialect.hasTextKeys ? "Task#3" : "3"
        try expect(
            tasks.state(),
            is: """
                Project#1 \(old(1)), name: Home
                Project#2 \(project), name: Garden
                Task#1 \(old(1)), done: true, title: task 1
                Task#3 \(task), title: dig, project: Project#2

                create projects/\(project) {\(dialect.member(project)),"name":"Garden"}
                update tasks/\(old(1)) {\(dialect.member(old(1))),"title":"task 1","done":true}
                delete tasks/\(old(2))
                create tasks/\(task) {\(dialect.member(task)),"title":"dig",\(dialect.reference(to: project))}
                """
        )
        tasks.fake.clearRequests()
        let again = try await engine.push()
        #expect(!again.hasPushed)
        #expect(tasks.fake.requests.count == 0)
    }

    // MARK: Failures

    @Test func `a change whose response was lost is uncertain, and is not sent again`() async throws
    {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        _ = try await tasks.store.write { try $0.insert("Task", values: ["title": .string("dig")]) }
        tasks.fake.inject(.lostResponse, times: 1)
        _ = try await engine.push()
        _ = try await engine.push()
        try expect(
            tasks.state(),
            is: """
                Project#1 1, name: Home
                Task#1 1, done: false, title: task 1
                Task#2 2, done: false, title: task 2
                Task#3 –, title: dig

                outbox
                Task#3 create, uncertain: POST https://fake.example/api/tasks/: the connection broke.

                create tasks/3 {"id":3,"title":"dig"}
                """
        )
    }

    @Test func `a rejected change waits until it is edited, and stops no other`() async throws {
        let tasks = try TaskService(.rest) { $0.required["tasks"] = ["title"] }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            try writer.insert("Task", values: ["done": .boolean(true)])
            try writer.update(tasks.task(1), values: ["done": .boolean(true)])
        }
        _ = try await engine.push()
        let rejected = try tasks.state()
        try await tasks.store.write { writer in
            try writer.update(RecordLocator("Task#3"), values: ["title": .string("dig")])
        }
        _ = try await engine.push()
        try expect(
            rejected + "\n---\n" + tasks.state(),
            is: """
                Project#1 1, name: Home
                Task#1 1, done: true, title: task 1
                Task#2 2, done: false, title: task 2
                Task#3 –, done: true

                outbox
                Task#3 create, rejected: title: This field may not be blank.

                update tasks/1 {"id":1,"title":"task 1","done":true}
                ---
                Project#1 1, name: Home
                Task#1 1, done: true, title: task 1
                Task#2 2, done: false, title: task 2
                Task#3 3, done: true, title: dig

                update tasks/1 {"id":1,"title":"task 1","done":true}
                create tasks/3 {"id":3,"title":"dig","done":true}
                """
        )
    }

    @Test func `a whole object is sent with what the model does not know`() async throws {
        var tasks = try TaskService(.rest)
        tasks.resources[0].push.check = .none
        tasks.resources[0].push.update = PushStyle.Operation(.put, content: .whole)
        tasks.edit(1, ["color": "red"])
        let engine = try tasks.engine()
        _ = try await engine.pull()
        let task = tasks.task(1)
        try await tasks.store.write { writer in
            _ = try writer.update(task, values: ["title": .string("mine")])
        }
        _ = try await engine.push()
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"update tasks/1 {"id":1,"done":false,"color":"red","title":"mine"}"#
            ]
        )
        #expect(try tasks.changes().isEmpty)
    }

    @Test(arguments: ["dueOn", "due_on", "due-on"])
    func `names are sent as the service spells them`(name: String) async throws {
        let tasks = try TaskService(.rest)
        tasks.fake.change { data in data["tasks/1"]?[name] = "Monday" }
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            _ = try writer.update(tasks.task(1), values: ["dueOn": .string("Friday")])
        }
        _ = try await engine.push()
        #expect(
            tasks.fake.audit.map(\.description) == [
                #"update tasks/1 {"id":1,"title":"task 1","done":false,"\#(name)":"Friday"}"#
            ]
        )
    }

    @Test func `nothing is lost while the service is unreachable`() async throws {
        let tasks = try TaskService(.rest)
        let transport = InterceptingTransport(tasks.fake, laterPage: "page=")
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            for number in 1...50 {
                _ = try writer.insert("Task", values: ["title": .string("task \(number)")])
            }
        }
        tasks.fake.clearRequests()
        transport.before(1) { throw RemoteError(.unreachable, "There is no network.") }
        let report = try await engine.push()
        #expect(report.failures.mapValues(\.message) == ["tasks/": "There is no network."])
        expect(tasks.fake.requests.description, is: "")
        _ = try await engine.push()
        #expect(tasks.fake.audit.count == 50)
    }

    // MARK: Edits at the same time

    @Test func `an edit made while its row is sent is sent afterwards`() async throws {
        let tasks = try TaskService(.rest)
        let transport = InterceptingTransport(tasks.fake, laterPage: "page=")
        let engine = try tasks.engine(over: transport)
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            try writer.update(tasks.task(1), values: ["title": .string("sent")])
        }
        // The first request reads the task.
        transport.before(2) { [store = tasks.store] in
            _ = try await store.write { writer in
                try writer.update(
                    RecordLocator("Task#1"),
                    values: ["title": .string("newer"), "done": .boolean(true)]
                )
            }
        }
        _ = try await engine.push()
        _ = try await engine.push()
        try expect(
            tasks.state(),
            is: """
                Project#1 1, name: Home
                Task#1 1, done: true, title: newer
                Task#2 2, done: false, title: task 2

                update tasks/1 {"id":1,"title":"sent","done":false}
                update tasks/1 {"id":1,"title":"newer","done":true}
                """
        )
    }

    @Test func `a pull keeps local changes that were not pushed`() async throws {
        let tasks = try TaskService(.rest)
        let engine = try tasks.engine()
        _ = try await engine.pull()
        try await tasks.store.write { writer in
            try writer.update(tasks.task(1), values: ["title": .string("mine")])
            try writer.delete(tasks.task(2))
            try writer.insert("Task", values: ["title": .string("new")])
        }
        tasks.fake["tasks/1"] = ["id": 1, "title": "task 1", "done": true]
        _ = try await engine.pull()
        let pulled = try tasks.state()
        _ = try await engine.push()
        try expect(
            pulled + "\n---\n" + tasks.state(),
            is: """
                Project#1 1, name: Home
                Task#1 1, done: true, title: mine
                Task#3 –, title: new

                outbox
                Task#1 update, pending
                Task#2 delete, pending
                Task#3 create, pending

                ---
                Project#1 1, name: Home
                Task#1 1, done: true, title: mine
                Task#3 3, title: new

                update tasks/1 {"id":1,"title":"mine","done":true}
                delete tasks/2
                create tasks/3 {"id":3,"title":"new"}
                """
        )
    }
}
