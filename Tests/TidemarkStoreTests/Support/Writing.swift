import GRDB
import TidemarkModel
import TidemarkStore

extension Store {
    /// Inserts a row in a transaction of its own.
    @discardableResult
    func insert(
        _ entity: String,
        _ values: [String: Value] = [:],
        links: [String: [String]] = [:]
    ) throws -> RowReference {
        try writer.write { db in
            try insert(
                db,
                entity,
                values: values,
                links: links.mapValues { try $0.map(RecordLocator.init) }
            )
        }
    }

    /// Changes a row in a transaction of its own, and returns what differs.
    @discardableResult
    func update(
        _ row: String,
        _ values: [String: Value] = [:],
        links: [String: [String]] = [:]
    ) throws -> [String] {
        try writer.write { db in
            try update(
                db,
                RecordLocator(row),
                values: values,
                links: links.mapValues { try $0.map(RecordLocator.init) }
            ).changed
        }
    }

    /// Deletes a row in a transaction of its own, and returns how many went, by entity.
    @discardableResult
    func delete(_ row: String) throws -> [String: Int] {
        try writer.write { db in try delete(db, RecordLocator(row)) }
    }
}

/// What an error says; `done` when there is none.
func complaint<T>(_ body: @autoclosure () throws -> T) throws -> String {
    do {
        _ = try body()
        return "done"
    } catch let error as StoreError {
        return error.description
    } catch let error as DatabaseError {
        return error.message ?? ""
    }
}
