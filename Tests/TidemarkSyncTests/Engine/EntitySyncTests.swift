import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Engines that are created with record types.
struct EntitySyncTests {
    struct Project: EntityRecord, Hashable {
        var rowID = RowID<Project>.unsaved
        var id: Int?
        var name: String

        static let entityName = "Project"
        static let entity = EntityDescription(entityName) {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
        }

        struct Properties: EntityProperties {
            typealias Record = Project
            let path: PropertyPath
            init(_ path: PropertyPath) { self.path = path }
            var name: AttributeExpression<String> { path.attribute("name") }
        }

        init(name: String) { self.name = name }

        init(from row: EntityRow) throws {
            id = row[0, "id"]
            name = try row[1, "name"]
        }

        func encode(to row: inout EncodedRow) {
            row.set("id", id)
            row.set("name", name)
        }
    }

    struct Job: EntityRecord, Hashable {
        var rowID = RowID<Job>.unsaved
        var id: Int?
        var title: String

        static let entityName = "Task"
        static let entity = EntityDescription(entityName) {
            Attribute("id", .integer64)
            Attribute("title", .string, isOptional: false)
        }

        struct Properties: EntityProperties {
            typealias Record = Job
            let path: PropertyPath
            init(_ path: PropertyPath) { self.path = path }
            var title: AttributeExpression<String> { path.attribute("title") }
        }

        init(title: String) { self.title = title }

        init(from row: EntityRow) throws {
            id = row[0, "id"]
            title = try row[1, "title"]
        }

        func encode(to row: inout EncodedRow) {
            row.set("id", id)
            row.set("title", title)
        }
    }

    @Test func `record types are synced with the lists at the usual paths`() async throws {
        let tasks = try TaskService(.rest)
        let store = try Store.validated(model: Model(Project.self, Job.self))
        var service = tasks.service
        service.path = "{collection}/"
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Project.self,
            Job.self,
            transport: tasks.fake
        )
        let projects = try await engine.pull(Project.self)
        #expect(projects[Project.self].inserted == 1)
        #expect(projects[Job.self].inserted == 0)
        #expect(tasks.fake.requests.map(\.description) == ["GET /api/projects/ 200"])
        try await store.insert(Job(title: "new"))
        let synced = try await engine.sync(Job.self)
        #expect(synced.pushed.entities == ["Task": PushReport.Counts(created: 1)])
        #expect(synced[Job.self].inserted == 2)
        #expect(synced[Project.self].unchanged == 0)
        #expect(
            try await store.fetch(Job.sorted(by: \.title)).map(\.title)
                == ["new", "task 1", "task 2"]
        )
        #expect(tasks.fake.audit.map(\.description) == [#"create tasks/3 {"id":3,"title":"new"}"#])
    }

    @Test func `a service that is not written to is only pulled from`() async throws {
        let tasks = try TaskService(.rest)
        let store = try Store.validated(model: Model(Project.self, Job.self))
        var service = Service.rest(url: tasks.service.url)
        service.path = "{collection}/"
        let engine = try await SyncEngine.prepare(
            store: store,
            service: service,
            entities: Project.self,
            Job.self,
            transport: tasks.fake
        )
        try await store.insert(Job(title: "local"))
        #expect(try await engine.push().entities.isEmpty)
        let report = try await engine.sync()
        #expect(report.pushed.entities.isEmpty)
        #expect(report[Job.self].inserted == 2)
        #expect(tasks.fake.audit.isEmpty)
        let tables = try await store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        #expect(!tables.contains("_tidemark_change"))
    }

    @Test func `a type without a list is an error that names it`() async throws {
        let tasks = try TaskService(.rest)
        let store = try Store.validated(model: Model(Project.self, Job.self))
        let engine = try await SyncEngine.prepare(
            store: store,
            service: tasks.service,
            resources: [tasks.service.resource(Project.self, path: "projects/")],
            transport: tasks.fake
        )
        let error = await #expect(throws: SyncError.self) { try await engine.pull(Job.self) }
        #expect(error?.message.contains("Task") == true)
    }
}
