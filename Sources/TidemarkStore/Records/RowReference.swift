public import TidemarkModel

/// The identity of a row in a store: its entity and its row number, written `User#12`.
///
/// Reads and writes return references, and links consist of them. A row number is never used again
/// after its row is deleted (`AUTOINCREMENT`), so a stored reference identifies the same row or
/// none. It is local to one store: another store of the same service numbers its rows differently.
/// To identify an object across stores, use its primary key.
///
/// ```swift
/// let film = try store.read { reader in try reader.record(RecordLocator("Film:4")).reference }
/// let title = try store.read { reader in
///     let sql = "SELECT title FROM Film WHERE _id = ?"
///     return try String.fetchOne(reader.db, sql: sql, arguments: [film.number])
/// }
/// ```
public struct RowReference: Hashable, Sendable, CustomStringConvertible {
    /// The most derived entity of the row: of a book that was found as an `Item`, it is `Book`.
    public let entity: String

    /// The row number, the column `_id` of the entity's table.
    ///
    /// Foreign keys and link tables refer to it. It stays the same when the primary key or the
    /// entity of the row changes, and in a migration.
    public let number: Int64

    /// Creates a reference, for example from an `_id` that SQL of an app returned.
    ///
    /// Nothing is looked up: the row may not exist.
    ///
    /// ```swift
    /// let ids = try store.read { reader in
    ///     try Int64.fetchAll(reader.db, sql: "SELECT _id FROM Film WHERE episode > 6")
    /// }
    /// try store.write { writer in
    ///     for id in ids { try writer.delete(RecordLocator(RowReference("Film", id))) }
    /// }
    /// ```
    public init(_ entity: String, _ number: Int64) {
        self.entity = entity
        self.number = number
    }

    /// The text form, such as `User#12`, from which a ``RecordLocator`` can be created.
    public var description: String { "\(entity)#\(number)" }
}

/// Identifies a row by its primary key, `User:6`, or by its row number, `User#12`.
///
/// Use a key for objects of a service, and a row number for rows that may have no key yet, such as
/// those that an app has inserted and not uploaded. The entity may be one that the row's entity
/// inherits from. Whether the row exists is determined when the locator is used.
///
/// ```swift
/// let note = try store.write { writer in
///     try writer.insert("Note", values: [:], links: ["user": [RecordLocator("User:6")]])
/// }
/// try store.write { writer in
///     try writer.update(RecordLocator(note), values: ["text": .string("Buy milk")])
/// }
/// ```
public struct RecordLocator: Hashable, Sendable, CustomStringConvertible {
    /// The name of the entity, which is not checked before the locator is used.
    public let entity: String

    /// The row number or the primary key.
    package let identifier: Identifier

    /// The part of a locator after the entity.
    package enum Identifier: Hashable, Sendable {
        /// A row number.
        case number(Int64)
        /// A primary key.
        case key(Key)
    }

    /// The primary key in a locator.
    package enum Key: Hashable, Sendable, CustomStringConvertible {
        /// The text form of a key. For a key with several parts, this is an array such as
        /// `[1,"A-7"]`. The attributes of the key, which parse it, are not known yet.
        case text(String)
        /// The values of a key.
        case values(RecordKey)

        /// The text form of the key.
        package var description: String {
            switch self {
            case .text(let text): text
            case .values(let key): key.text
            }
        }
    }

    /// Parses a locator from its text form, `User:6` or `User#12`.
    ///
    /// The entity ends at the first `:` or `#`; a key may contain both characters. A key with
    /// several parts is a JSON array in the order of the model: `Seat:["A",12]`. If a part of the
    /// key is the parent, its values are those of the parent's key.
    ///
    /// ```swift
    /// let seat = try store.read { reader in try reader.record(RecordLocator("Seat:[\"A\",12]")) }
    /// ```
    ///
    /// - Parameter text: The text form.
    /// - Throws: ``StoreError/Code/invalidLocator`` if there is no entity before `:` or `#`, or
    ///   if a row number is not a positive integer. The text of a key is parsed by the types of its
    ///   attributes when the locator is used.
    public init(_ text: String) throws {
        guard let mark = text.firstIndex(where: { $0 == "#" || $0 == ":" }), mark > text.startIndex
        else {
            throw StoreError(
                .invalidLocator,
                "\(text) names no row.",
                hint: "Write Entity:KEY, such as User:6, or Entity#NUMBER, such as User#12."
            )
        }
        entity = String(text[..<mark])
        let rest = String(text[text.index(after: mark)...])
        if text[mark] == ":" {
            identifier = .key(.text(rest))
        } else if let number = Int64(rest), number > 0 {
            identifier = .number(number)
        } else {
            throw StoreError(
                .invalidLocator,
                "\(text) names no row: \(rest) is not a row number.",
                hint: "Write Entity#NUMBER, such as User#12, or Entity:KEY, such as User:6."
            )
        }
    }

    /// Creates the locator of a row by its primary key.
    ///
    /// Use it if the key is a value of the app, which need not be written as text then. Both forms
    /// locate the same row, but such locators are not equal: text is parsed by the attributes of
    /// the key, which only the store knows.
    ///
    /// ```swift
    /// let ids: [Int64] = [4, 6]
    /// let films = try store.read { reader in
    ///     try ids.map { try reader.record(RecordLocator("Film", key: [.integer($0)])) }
    /// }
    /// let seat = RecordLocator("Seat", key: [.string("A"), .integer(12)])
    /// print(films.count, seat)   // 2 Seat:["A",12]
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - key: The key, with a value for each part.
    public init(_ entity: String, key: RecordKey) {
        self.entity = entity
        identifier = .key(.values(key))
    }

    /// Creates the locator of a row by its number.
    ///
    /// - Parameter reference: The reference that an insert, a record or a link contains.
    public init(_ reference: RowReference) {
        entity = reference.entity
        identifier = .number(reference.number)
    }

    /// The text form of the locator.
    public var description: String {
        switch identifier {
        case .number(let number): "\(entity)#\(number)"
        case .key(let key): "\(entity):\(key)"
        }
    }
}
