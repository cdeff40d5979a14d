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
        try write { db in
            try db.insert(
                entity,
                values: values,
                links: links.mapValues { try $0.map(RecordLocator.init) }
            )
        }
    }

    /// Updates a row in a transaction of its own, and returns the changed properties.
    @discardableResult
    func update(
        _ row: String,
        _ values: [String: Value] = [:],
        links: [String: [String]] = [:]
    ) throws -> [String] {
        try write { db in
            try db.update(
                RecordLocator(row),
                values: values,
                links: links.mapValues { try $0.map(RecordLocator.init) }
            ).changed
        }
    }

    /// Deletes a row in a transaction of its own, and returns the number of deleted rows
    /// of each entity.
    @discardableResult
    func delete(_ row: String) throws -> [String: Int] {
        try write { db in try db.delete(RecordLocator(row)) }
    }
}

/// Returns the message of an error, or `done` if none is thrown.
func errorMessage<T>(_ body: @autoclosure () throws -> T) throws -> String {
    do {
        _ = try body()
        return "done"
    } catch let error as StoreError {
        return error.description
    } catch let error as DatabaseError {
        return error.message ?? ""
    }
}
