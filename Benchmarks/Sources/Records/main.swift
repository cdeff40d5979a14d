import Dispatch
import Foundation
import GRDB
import Synchronization
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The CPU time of the process so far, in seconds.
func cpuSeconds() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func newStore(_ path: String) throws -> Store {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.removeItem(atPath: path + suffix)
    }
    return try Store.open(at: path, entities: User.self, Company.self)
}

func filledStore(_ path: String, rows: Int) throws -> Store {
    let store = try newStore(path)
    try store.write { writer in
        try writer.insert(contentsOf: (1...Company.count).map { Company(name: "Company \($0)") })
        try writer.insert(contentsOf: (1...rows).map { User(number: $0) })
    }
    return store
}

/// Inserts the same rows by typed records, and by GRDB.
func measureInserts(_ path: String, rows: Int, runs: Int) throws -> [String: Double] {
    var typed: [Double] = []
    var byHand: [Double] = []
    let users = (1...rows).map { User(number: $0) }
    let companies = (1...Company.count).map { Company(name: "Company \($0)") }
    for _ in 0..<runs {
        var store = try newStore(path)
        try store.insert(contentsOf: companies)
        var start = cpuSeconds()
        try store.insert(contentsOf: users)
        typed.append(cpuSeconds() - start)
        store = try newStore(path)
        try store.insert(contentsOf: companies)
        start = cpuSeconds()
        try store.writer.write { db in
            let insertion = try db.makeStatement(
                sql: """
                    INSERT INTO User (id, name, email, age, score, isActive, bornAt, city, \
                    note, company) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for user in users {
                try insertion.execute(
                    arguments: [
                        user.id, user.name, user.email, user.age, user.score, user.isActive,
                        user.bornAt?.timeIntervalSince1970, user.city, user.note,
                        user.company.rowID?.number,
                    ]
                )
            }
        }
        byHand.append(cpuSeconds() - start)
    }
    return ["typed": median(typed), "grdb": median(byHand)]
}

/// Fetches all rows as typed records, and as records of GRDB.
func measureFetches(_ path: String, rows: Int, runs: Int) throws -> [String: Double] {
    let store = try filledStore(path, rows: rows)
    var seconds: [String: [Double]] = [:]
    for _ in 0..<runs {
        func measure(_ name: String, _ body: () throws -> Int) throws {
            let start = cpuSeconds()
            let count = try body()
            precondition(count == rows)
            seconds[name, default: []].append(cpuSeconds() - start)
        }
        let sql = "SELECT \(IndexedUser.columns) FROM User ORDER BY _id"
        try measure("typed") { try store.fetch(User.all).count }
        try measure("indexed") {
            try store.reader.read { try IndexedUser.fetchAll($0, sql: sql).count }
        }
        try measure("named") {
            try store.reader.read { try NamedUser.fetchAll($0, sql: sql).count }
        }
    }
    return seconds.mapValues(median)
}

/// The milliseconds from a commit to the snapshot that shows it.
func delivery(
    _ list: inout LiveResults<User>.AsyncIterator,
    _ commit: () async throws -> Void
) async throws -> Double {
    let start = ContinuousClock.now
    try await commit()
    _ = try await list.next()
    return (ContinuousClock.now - start) / .milliseconds(1)
}

/// Changes rows while a live result and a value observation show all of them.
func measureUpdates(_ path: String, rows: Int, runs: Int) async throws -> [String: Double] {
    let store = try filledStore(path, rows: rows)
    var milliseconds: [String: [Double]] = [:]
    for run in 1...runs * 3 {
        let start = ContinuousClock.now
        try await store.update(RowID<User>(Int64(run))) { $0.name = "Written \(run)" }
        milliseconds["write", default: []].append((ContinuousClock.now - start) / .milliseconds(1))
    }
    var list = store.live(User.sorted(by: \.name)).makeAsyncIterator()
    _ = try await list.next()
    for run in 1...runs * 3 {
        let row = RowID<User>(Int64(run * 7_919 % rows + 1))
        milliseconds["one", default: []].append(
            try await delivery(&list) { try await store.update(row) { $0.name = "Renamed \(run)" } }
        )
    }
    for run in 1...runs {
        milliseconds["thousand", default: []].append(
            try await delivery(&list) {
                let range = User.all.limit(1_000, offset: run * 1_000 % (rows - 1_000))
                try await store.update(range) { $0.set(\.city, to: "Town \(run)") }
            }
        )
    }
    var linked = store.live(User.sorted(by: \.company.name).including(\.company))
        .makeAsyncIterator()
    _ = try await linked.next()
    for run in 1...runs {
        milliseconds["linked", default: []].append(
            try await delivery(&linked) {
                try await store.update(RowID<Company>(Int64(run))) { $0.name = "Renamed \(run)" }
            }
        )
    }
    let request = try store.sql(for: User.sorted(by: \.name))
    let observation = ValueObservation.tracking { db in try request.fetchAll(db) }
    var observed = observation.values(in: store.reader).makeAsyncIterator()
    _ = try await observed.next()
    for run in 1...runs {
        let row = RowID<User>(Int64(run * 7_919 % rows + 1))
        let start = ContinuousClock.now
        try await store.update(row) { $0.name = "Observed \(run)" }
        _ = try await observed.next()
        milliseconds["observation", default: []].append(
            (ContinuousClock.now - start) / .milliseconds(1)
        )
    }
    return milliseconds.mapValues(median)
}

/// Holds all users in an array, in a live result, or in a window of one, for a measurement of the
/// memory of the process.
func hold(_ kind: String, _ path: String) async throws {
    let store = try Store.open(at: path, entities: User.self, Company.self)
    switch kind {
    case "array":
        let users = try await store.fetch(User.sorted(by: \.name))
        print(users.count)
    case "live":
        var list = store.live(User.sorted(by: \.name)).makeAsyncIterator()
        print(try await list.next()?.count ?? 0)
    default:
        var list = store.live(User.sorted(by: \.name), window: 0..<100).makeAsyncIterator()
        print(try await list.next()?.total ?? 0)
    }
}

/// Waits for asynchronous work: valgrind cannot run a program whose main function is asynchronous.
func wait<T: Sendable>(for body: @escaping @Sendable () async throws -> T) throws -> T {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<T, any Error>?>(nil)
    Task {
        do {
            let value = try await body()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    guard let finished = result.withLock({ $0 }) else { fatalError("The work has no result.") }
    return try finished.get()
}

let arguments = CommandLine.arguments
let path = arguments[2]
func option(_ index: Int) -> Int { arguments.count > index ? Int(arguments[index]) ?? 0 : 0 }

let measurements: [String: Double]
switch arguments[1] {
case "insert": measurements = try measureInserts(path, rows: option(3), runs: option(4))
case "fetch": measurements = try measureFetches(path, rows: option(3), runs: option(4))
case "update":
    let (rows, runs) = (option(3), option(4))
    measurements = try wait { try await measureUpdates(path, rows: rows, runs: runs) }
case "document":
    try writeDocument(path, rows: option(3))
    measurements = [:]
case "import":
    measurements = try wait { try await measureImport(arguments[3], path, arguments[4]) }
case "fill":
    _ = try filledStore(path, rows: option(3))
    measurements = [:]
default:
    try wait { try await hold(arguments[1], path) }
    measurements = [:]
}
if !measurements.isEmpty {
    print(String(decoding: try JSONEncoder().encode(measurements), as: UTF8.self))
}
