public import TidemarkJSON
public import TidemarkStore

/// Imports without hooks, transformers or names of an app's own, for which there is ``Importer``.
extension Store {
    /// Imports the objects of a JSON text as records of a type, and returns what has changed.
    ///
    /// Each object is matched with a row by its primary key and written if it differs; rows of the
    /// entity that the text does not contain are deleted, unless the options exclude that. The
    /// import is one transaction, see ``Importer``.
    ///
    /// ```swift
    /// try store.import(body, as: User.self)
    /// try store.import(body, as: Film.self, at: "results", options: .init(operations: .upsert))
    /// ```
    ///
    /// - Parameters:
    ///   - source: The JSON text, as data, bytes, a string, or the URL of a file: a list of
    ///     objects, or one object.
    ///   - type: The type of the records.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the text is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: `JSONError` if the text is not valid JSON; ``ImportError`` or `StoreError` if it
    ///   cannot be imported; `DatabaseError`. Nothing is changed then.
    @discardableResult
    public func `import`<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try Importer(self).import(source, as: type, at: path, scope: scope, options: options)
    }

    /// Imports the objects of a JSON text as records of a type, without blocking the caller.
    ///
    /// - Parameters:
    ///   - source: The JSON text, as data, bytes, a string, or the URL of a file.
    ///   - type: The type of the records.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the text is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As the blocking form, and `CancellationError`.
    @discardableResult
    public func `import`<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let importer = Importer(self)
        return try await importer.import(source, as: type, at: path, scope: scope, options: options)
    }

    /// Imports the objects of a JSON text into an entity, and returns what has changed.
    ///
    /// ```swift
    /// let report = try store.import(url, into: "User")
    /// ```
    ///
    /// - Parameters:
    ///   - source: The JSON text, as data, bytes, a string, or the URL of a file.
    ///   - entity: The name of the objects' entity, or of an entity that theirs inherit from.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the text is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As the form with a type.
    @discardableResult
    public func `import`(
        _ source: some ImportSource,
        into entity: String,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try Importer(self).import(source, into: entity, at: path, scope: scope, options: options)
    }

    /// Imports the objects of a JSON text into an entity, without blocking the caller.
    ///
    /// - Parameters:
    ///   - source: The JSON text, as data, bytes, a string, or the URL of a file.
    ///   - entity: The name of the objects' entity, or of an entity that theirs inherit from.
    ///   - path: The path of the list. Defaults to the empty path: the text itself.
    ///   - scope: The rows that the text is a complete list of. Only these can be deleted.
    ///   - options: The allowed operations, and the policies for invalid values and unresolved
    ///     references.
    /// - Returns: The numbers of changed rows, and diagnostics about what could not be stored.
    /// - Throws: As the blocking form, and `CancellationError`.
    @discardableResult
    public func `import`(
        _ source: some ImportSource,
        into entity: String,
        at path: JSONPath = JSONPath(),
        scope: ImportScope = .entity,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let importer = Importer(self)
        return try await importer.import(
            source,
            into: entity,
            at: path,
            scope: scope,
            options: options
        )
    }

    /// Imports one object, and returns its record: inserted, or updated if a row has its key.
    ///
    /// Nothing is deleted, except children that the object lacks. An invalid value is an error.
    ///
    /// ```swift
    /// let ada = try store.importOne(#"{"id": 1, "name": "Ada"}"#, as: User.self)
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
    ///   or the object cannot be stored; `JSONError`, `StoreError`, `DatabaseError`. Nothing is
    ///   changed then.
    @discardableResult
    public func importOne<Record: EntityRecord>(
        _ source: some ImportSource,
        as type: Record.Type,
        at path: JSONPath = JSONPath(),
        options: ImportOptions = ImportOptions()
    ) throws -> Record {
        try Importer(self).importOne(source, as: type, at: path, options: options)
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
        try await Importer(self).importOne(source, as: type, at: path, options: options)
    }
}
