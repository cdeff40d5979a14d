/// The identity of a row, which never changes: the number that SQLite gives it when it is inserted.
///
/// In contrast to the primary key of a service's object, a row has it from the first insertion on,
/// and keeps it when the service assigns a key. It is never used again for another row.
///
/// ```swift
/// let ada = User(name: "Ada")
/// print(ada.rowID.isSaved)   // false
/// ```
///
/// The type parameter keeps identities of different entities apart. Numbers are unique within an
/// entity and those that it inherits from or that inherit from it.
public struct RowID<Record: EntityRecord>: Hashable, Comparable, Sendable {
    /// The number of the row, its `_id` in SQL; 0 before the row is inserted.
    public let number: Int64

    /// Creates the identity of the row with a number.
    @inlinable
    public init(_ number: Int64) {
        self.number = number
    }

    /// The identity of a record that is not inserted yet.
    @inlinable
    public static var unsaved: Self { Self(0) }

    /// Whether the record has been inserted.
    @inlinable
    public var isSaved: Bool { number > 0 }

    /// Returns whether a row was inserted before another one of the same store.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension RowID: CustomStringConvertible {
    /// The entity and the number, such as `User#12`: a locator of the row.
    public var description: String { "\(Record.entityName)#\(number)" }
}
