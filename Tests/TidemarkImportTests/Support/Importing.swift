import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTesting

extension Store {
    /// Imports a document, and returns its report as text; see ``ImportReport/text``.
    @discardableResult
    func load(
        _ entity: String,
        _ json: String,
        parent: String? = nil,
        relationship: String? = nil,
        _ operations: ImportOperations = .all,
        unresolved: UnresolvedReferencePolicy = .deferred,
        invalid: InvalidValuePolicy = .skip
    ) throws -> String {
        try report(
            entity,
            json,
            scope: parent.map { .children(of: try RecordLocator($0), relationship: relationship) }
                ?? .entity,
            ImportOptions(operations: operations, unresolved: unresolved, invalid: invalid)
        ).text
    }

    /// Inserts a row as a local write, not as an import.
    func insert(
        _ entity: String,
        _ values: [String: Value] = [:],
        links: [String: [String]] = [:]
    ) throws {
        try write { db in
            _ = try db.insert(
                entity,
                values: values,
                links: links.mapValues { try $0.map(RecordLocator.init) }
            )
        }
    }

    /// Changes the links of a row as a local write, not as an import.
    func update(_ row: String, links: [String: [String]]) throws {
        try write { db in
            _ = try db.update(
                RecordLocator(row),
                values: [:],
                links: links.mapValues { try $0.map(RecordLocator.init) }
            )
        }
    }

    /// Imports a document, and returns its report.
    func report(
        _ entity: String,
        _ json: String,
        scope: ImportScope = .entity,
        _ options: ImportOptions = ImportOptions(),
        limits: Limits = Limits()
    ) throws -> ImportReport {
        var items = try JSONDocument(Array(json.utf8)).items()
        return try Importer(self, limits: limits)
            .import(&items, into: entity, scope: scope, options: options)
    }

    /// Returns all tables without row numbers, independent of the order of insertion.
    func anonymousTables() throws -> String {
        try writer.read { db in try StoreTable(self, rows: .anonymous).text(db) }
    }
}

extension ImportReport {
    /// The report as text.
    ///
    /// `User +1 ~2 =3 -4 !5` are the inserted, updated, unchanged, deleted and skipped rows, and
    /// `?6` the unresolved references; counts of 0 are omitted. The diagnostics follow, one on each
    /// line.
    var text: String {
        let counts = entities.sorted { $0.key < $1.key }.map { entity, counts in
            let parts = [
                ("+", counts.inserted), ("~", counts.updated), ("=", counts.unchanged),
                ("-", counts.deleted), ("!", counts.skipped),
            ]
            return entity + parts.filter { $0.1 != 0 }.map { " \($0.0)\($0.1)" }.joined()
        }
        let references = unresolvedReferenceCount > 0 ? ["?\(unresolvedReferenceCount)"] : []
        let first = (counts + references).joined(separator: ", ")
        let omitted = diagnosticsOmitted > 0 ? ["… and \(diagnosticsOmitted) more"] : []
        return ([first.isEmpty ? "nothing" : first] + diagnostics.map(\.text) + omitted)
            .joined(separator: "\n")
    }
}

extension Diagnostic {
    /// The diagnostic as text.
    ///
    /// For example: `User:6, age: The value is not a number. ×2`.
    var text: String {
        let subject = [key.map { "\(entity):\($0)" } ?? entity, path].compactMap(\.self)
        let value = value.map { " `\($0)`" } ?? ""
        return
            "\(subject.joined(separator: ", ")): \(message)\(value)\(count > 1 ? " ×\(count)" : "")"
    }
}

/// Returns the description of the error that an expression throws, or `done` if it throws none.
func errorMessage<T>(_ body: @autoclosure () throws -> T) throws -> String {
    do {
        _ = try body()
        return "done"
    } catch let error as StoreError {
        return error.description
    } catch let error as ImportError {
        return error.description
    } catch let error as JSONError {
        return error.description
    }
}
