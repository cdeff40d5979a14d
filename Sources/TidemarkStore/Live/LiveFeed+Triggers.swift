import GRDB
import TidemarkModel

/// What a feed installs on the writing connection while it has subscriptions.
extension LiveFeed {
    /// The name of the function that the triggers call.
    private static let function = "tidemark_previous_endpoint"

    /// The beginning of the names of the triggers.
    static let prefix = "_tidemark_live_"

    /// Installs what the subscriptions need, and removes what they do not.
    ///
    /// A failure leaves triggers out: all rows are then read after each commit.
    func install(_ db: Database) {
        let (isNeeded, isInstalled, writer) = state.withLock { state in
            (!state.feed.isEmpty, state.version != nil, state.writer)
        }
        if isNeeded, !isInstalled {
            db.add(transactionObserver: self, extent: .observerLifetime)
            let version = Self.version(db)
            state.withLock { $0.version = version }
        }
        if !isReadOnly, writer?.configuration.readonly != true {
            do { try installTriggers(db) } catch { state.withLock { $0.feed.invalidate() } }
        }
        let isRemoved = state.withLock { state in
            // A subscription may have been added while the triggers were dropped: its writer stays.
            guard state.feed.isEmpty, state.version != nil else { return false }
            state.version = nil
            state.transaction = RowChanges()
            state.writer = nil
            return true
        }
        if isRemoved { db.remove(transactionObserver: self) }
    }

    /// Returns a number that commits of other connections change.
    static func version(_ db: Database) -> Int64 {
        do {
            let statement = try RowStatement.prepare(db, "PRAGMA data_version")
            return try statement.step() ? statement.integer(at: 0) : 0
        } catch {
            // Not known: this differs from what is known, so that all rows are read.
            return -1
        }
    }

    private func installTriggers(_ db: Database) throws {
        let (needed, installed) = state.withLock { state in
            (state.feed.endpoints, state.triggers)
        }
        for (endpoint, number) in installed where !needed.contains(endpoint) {
            for name in endpoint.triggerNames(number) {
                try db.execute(sql: "DROP TRIGGER IF EXISTS temp.\(name)")
            }
            state.withLock { $0.triggers[endpoint] = nil }
        }
        guard !needed.subtracting(installed.keys).isEmpty else { return }
        db.add(
            function: DatabaseFunction(Self.function, argumentCount: 2) { [weak self] values in
                if let number = Int.fromDatabaseValue(values[0]),
                    let row = Int64.fromDatabaseValue(values[1])
                {
                    self?.track(endpoint: row, number: number)
                }
                return nil
            }
        )
        for endpoint in needed where installed[endpoint] == nil {
            let number = state.withLock { state in
                if let number = state.endpoints.firstIndex(of: endpoint) { return number }
                state.endpoints.append(endpoint)
                return state.endpoints.count - 1
            }
            for trigger in endpoint.triggers(number, calling: Self.function) {
                try db.execute(sql: trigger)
            }
            state.withLock { $0.triggers[endpoint] = number }
        }
    }

    /// Drops the triggers: a table cannot be rebuilt under a trigger that names its columns.
    ///
    /// Live results of the layout before end after the migration.
    func willMigrate(_ db: Database) throws {
        let installed = state.withLock { state in
            defer { state.triggers = [:] }
            state.feed.invalidate()
            return state.triggers
        }
        for (endpoint, number) in installed {
            for name in endpoint.triggerNames(number) {
                try db.execute(sql: "DROP TRIGGER IF EXISTS temp.\(name)")
            }
        }
    }
}

extension LinkEndpoint {
    /// The names of the triggers of the endpoint with a number.
    fileprivate func triggerNames(_ number: Int) -> [String] {
        [LiveFeed.prefix + "\(number)_update", LiveFeed.prefix + "\(number)_delete"]
    }

    /// Returns the statements that create the triggers.
    fileprivate func triggers(_ number: Int, calling function: String) -> [String] {
        let names = triggerNames(number)
        func trigger(_ name: String, _ event: String, _ row: String, when: String = "") -> String {
            """
            CREATE TEMP TRIGGER IF NOT EXISTS \(name) BEFORE \(event) \(when) \
            BEGIN SELECT \(function)(\(number), OLD.\(row)); END
            """
        }
        func table(_ name: String) -> String { "main.\(name.quotedDatabaseIdentifier)" }
        switch self {
        case .row(let name): return [trigger(names[1], "DELETE ON \(table(name))", "_id")]
        case .reference(let name, let column):
            let column = column.quotedDatabaseIdentifier
            return [
                trigger(
                    names[0],
                    "UPDATE OF \(column) ON \(table(name))",
                    column,
                    when: "WHEN OLD.\(column) IS NOT NEW.\(column)"
                ),
                trigger(
                    names[1],
                    "DELETE ON \(table(name))",
                    column,
                    when: "WHEN OLD.\(column) IS NOT NULL"
                ),
            ]
        case .owner(let join):
            return [
                trigger(names[0], "UPDATE OF owner, member ON \(table(join))", "owner"),
                trigger(names[1], "DELETE ON \(table(join))", "owner"),
            ]
        case .member(let join):
            return [
                trigger(names[0], "UPDATE OF owner, member ON \(table(join))", "member"),
                trigger(names[1], "DELETE ON \(table(join))", "member"),
            ]
        }
    }
}
