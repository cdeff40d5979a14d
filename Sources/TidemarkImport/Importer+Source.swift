import GRDB
public import TidemarkJSON
import TidemarkModel
public import TidemarkStore

/// Imports of a whole source: bytes, a string, or a file.
extension Importer {
    /// Imports the objects of a source in a transaction of its own, and returns what has changed.
    ///
    /// ```swift
    /// let report = try importer.import(body, into: "Film", at: "results")
    /// ```
    ///
    /// - Parameters:
    ///   - source: The JSON text: a list of objects, or one object.
    ///   - entity: The name of the objects' entity, or of an entity that theirs inherit from.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the source is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As ``import(_:into:scope:options:)``; ``ImportError/Code/unreadableSource``.
    @discardableResult
    public func `import`(
        _ source: some ImportSource,
        into entity: String,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        var items = try source.items(at: path, limits: limits.json)
        return try self.import(&items, into: entity, scope: scope, options: options)
    }

    /// Imports the objects of a source without blocking the caller, and returns what has changed.
    ///
    /// - Parameters:
    ///   - source: The JSON text: a list of objects, or one object.
    ///   - entity: The name of the objects' entity, or of an entity that theirs inherit from.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the source is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As ``import(_:into:scope:options:)``; ``ImportError/Code/unreadableSource``;
    ///   `CancellationError`.
    @discardableResult
    public func `import`(
        _ source: some ImportSource,
        into entity: String,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let report = try await transaction { [self] db in
            var items = try source.items(at: path, limits: limits.json)
            return try self.import(db, &items, into: entity, scope: scope, options: options)
        }
        checkpoint(after: report)
        return report
    }

    /// Imports the objects of a source as records of a type, and returns what has changed.
    ///
    /// ```swift
    /// let report = try importer.import(body, as: Film.self, at: "results")
    /// ```
    ///
    /// - Parameters:
    ///   - source: The JSON text: a list of objects, or one object.
    ///   - type: The type of the records.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the source is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As ``import(_:into:scope:options:)``; ``ImportError/Code/unreadableSource``.
    @discardableResult
    public func `import`<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try self.import(source, into: type.entityName, at: path, scope: scope, options: options)
    }

    /// Imports the objects of a source as records of a type, without blocking the caller.
    ///
    /// - Parameters:
    ///   - source: The JSON text: a list of objects, or one object.
    ///   - type: The type of the records.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the source is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As ``import(_:into:scope:options:)``; ``ImportError/Code/unreadableSource``;
    ///   `CancellationError`.
    @discardableResult
    public func `import`<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let name = type.entityName
        return try await self.import(source, into: name, at: path, scope: scope, options: options)
    }

    /// Imports one object, and returns its record: inserted, or updated if a row has its key.
    ///
    /// Nothing is deleted, except children that the object lacks. An invalid value is an error.
    ///
    /// ```swift
    /// let ada = try importer.importOne(#"{"id": 1, "name": "Ada"}"#, as: User.self)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The JSON text of the object.
    ///   - type: The type of the record.
    ///   - path: The path of the object. Defaults to the empty path: the text itself.
    ///   - options: The allowed operations, without those that delete rows which the text lacks,
    ///     and the policy for unresolved references.
    /// - Returns: The record, without the rows of its relationships.
    /// - Throws: ``ImportError/Code/invalidRow`` if the text does not contain exactly one object,
    ///   or the object cannot be stored; as ``import(_:into:scope:options:)``.
    @discardableResult
    public func importOne<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        options: ImportOptions = ImportOptions()
    ) throws -> Record {
        try transaction { db in try importOne(db, source, as: type, at: path, options: options) }
    }

    /// Imports one object without blocking the caller, and returns its record.
    ///
    /// - Parameters:
    ///   - source: The JSON text of the object.
    ///   - type: The type of the record.
    ///   - path: The path of the object. Defaults to the empty path: the text itself.
    ///   - options: The allowed operations, without those that delete rows which the text lacks,
    ///     and the policy for unresolved references.
    /// - Returns: The record, without the rows of its relationships.
    /// - Throws: As the blocking form, and `CancellationError`.
    @discardableResult
    public func importOne<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        options: ImportOptions = ImportOptions()
    ) async throws -> Record {
        try await transaction { [self] db in
            try importOne(db, source, as: type, at: path, options: options)
        }
    }

    private func importOne<Record: EntityRecord>(
        _ db: Database,
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath,
        options: ImportOptions
    ) throws -> Record {
        var options = options
        options.operations = try usualOperations(db, options).subtracting(.delete)
        options.invalid = .abort
        var items = try source.items(at: path, limits: limits.json)
        var rows: [Int64?] = []
        _ = try run(db, &items, into: type.entityName, options: options) { rows.append($0) }
        let reader = try StoreReader.prepare(db, in: store)
        guard rows.count == 1, let row = rows[0],
            let record: Record = try reader.fetch(RowID(row))
        else {
            throw ImportError(
                .invalidRow,
                rows.count == 1
                    ? "The object was not imported: a hook or the options exclude it."
                    : "The text contains \(rows.count) objects, and one was expected.",
                hint: rows.count == 1 ? nil : "Import a list with import(_:as:)."
            )
        }
        return record
    }
}
