/// The identity of a row in a store: its entity and its row number, written `User#12`.
///
/// Row numbers are not reused, so a reference never identifies a different row later.
public struct RowReference: Hashable, Sendable, CustomStringConvertible {
    /// The most derived entity of the row.
    public let entity: String

    /// The row number in the entity's table (`_id`).
    public let number: Int64

    /// Creates a reference.
    public init(_ entity: String, _ number: Int64) {
        self.entity = entity
        self.number = number
    }

    /// `User#12`.
    public var description: String { "\(entity)#\(number)" }
}

/// Identifies a row by its row number, `User#12`, or by its primary key, `User:6`.
public struct RecordLocator: Hashable, Sendable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String

    /// The row number or the primary key.
    package let identifier: Identifier

    /// The part of a locator after the entity.
    package enum Identifier: Hashable, Sendable {
        /// A row number.
        case number(Int64)
        /// The text of a primary key. For a key with several parts, this is an array such as
        /// `[1,"A-7"]`.
        case key(String)
    }

    /// Parses a locator from its text form, `User#12` or `User:6`.
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
            identifier = .key(rest)
        } else if let number = Int64(rest), number > 0 {
            identifier = .number(number)
        } else {
            throw StoreError(
                .invalidReference,
                "\(text) names no row: \(rest) is not a row number.",
                hint: "Write Entity#NUMBER, such as User#12, or Entity:KEY, such as User:6."
            )
        }
    }

    /// Creates the locator of a row by its number.
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
