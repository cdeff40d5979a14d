/// The rows that a to-many relationship of a record leads to.
///
/// They are there only if the request includes them, and their number if it includes or counts
/// them: reading a property never reads the store.
///
/// ```swift
/// let users = try store.read { reader in try reader.fetch(User.including(\.notes)) }
/// for user in users { print(user.name, try user.notes.get().count) }
/// ```
///
/// Assigning another list does not change the links: use ``StoreWriter/setLinks(_:of:to:)``.
public struct Many<Record: EntityRecord>: Sendable {
    /// The linked records, in the order of the relationship or of the request; nil if the request
    /// did not include them.
    public let values: [Record]?

    /// The number of linked rows; nil if the request neither included nor counted them.
    ///
    /// If the request included only some of them, it is the number of those.
    public let count: Int?

    /// Creates a loaded list.
    public init(_ values: [Record]) {
        self.values = values
        count = values.count
    }

    init(values: [Record]?, count: Int?) {
        self.values = values
        self.count = count
    }

    /// A list that was not requested.
    public static var unloaded: Self { Self(values: nil, count: nil) }

    /// Returns the linked records.
    ///
    /// - Returns: The records, in the order of the relationship or of the request.
    /// - Throws: ``StoreError/Code/notLoaded`` if the request did not include them.
    public func get() throws(StoreError) -> [Record] {
        guard let values else { throw StoreError.notLoaded(Record.entityName) }
        return values
    }
}

extension Many: Equatable where Record: Equatable {}
extension Many: Hashable where Record: Hashable {}
