/// The local name of a row: its entity and its number, written `User#12`.
///
/// A number is never used twice, so a reference never comes to mean another row.
public struct RowReference: Hashable, Sendable, CustomStringConvertible {
    /// The row's own, most derived entity.
    public let entity: String

    /// The row's number in its table.
    public let number: Int64

    /// Creates a reference.
    public init(_ entity: String, _ number: Int64) {
        self.entity = entity
        self.number = number
    }

    /// `User#12`.
    public var description: String { "\(entity)#\(number)" }
}

/// How people and programs name a row: `User#12` by its number, `User:6` by its primary key.
public struct RecordLocator: Hashable, Sendable, CustomStringConvertible {
    /// The entity that is named.
    public let entity: String

    /// What stands behind it.
    public let place: Place

    /// The number or the key of a row.
    public enum Place: Hashable, Sendable {
        /// A row number.
        case number(Int64)
        /// The text of a primary key.
        case key(String)
    }

    /// Reads a name.
    ///
    /// - Throws: ``StoreError/Code/invalidReference``.
    public init(_ text: String) throws {
        guard let mark = text.firstIndex(where: { $0 == "#" || $0 == ":" }), mark > text.startIndex
        else {
            throw StoreError(
                .invalidReference,
                "\(text) names no row.",
                hint: "Write Entity:KEY, such as User:6, or Entity#NUMBER, such as User#12."
            )
        }
        entity = String(text[..<mark])
        let rest = String(text[text.index(after: mark)...])
        if text[mark] == ":" {
            place = .key(rest)
        } else if let number = Int64(rest), number > 0 {
            place = .number(number)
        } else {
            throw StoreError(
                .invalidReference,
                "\(text) names no row: \(rest) is not a row number.",
                hint: "Write Entity#NUMBER, such as User#12, or Entity:KEY, such as User:6."
            )
        }
    }

    /// The name as it is written.
    public var description: String {
        switch place {
        case .number(let number): "\(entity)#\(number)"
        case .key(let key): "\(entity):\(key)"
        }
    }
}
