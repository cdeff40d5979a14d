import TidemarkModel

/// The names of the properties of a record type, in the order in which its rows contain them.
///
/// A record passes a name with each value that it reads or writes. The first time it is compared by
/// its characters, then by its address.
///
/// A class that one statement uses, on one thread.
final class PropertyNames {
    private let entity: String
    private let names: [String]

    /// The addresses of the names that were compared; memory of its own, as checks of access to a
    /// property would take longer than the comparison.
    private let known: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>

    /// The first name that is not that of the property at its position.
    private(set) var mismatch: StoreError?

    convenience init(_ binding: EntityBinding) {
        self.init(entity: binding.entity.name, names: binding.names)
    }

    init(entity: String, names: [String]) {
        self.entity = entity
        self.names = names
        known = .allocate(capacity: names.count)
        known.initialize(repeating: nil)
    }

    deinit { known.deallocate() }

    /// The number of properties.
    var count: Int { names.count }

    /// Returns whether a property has a name.
    func isProperty(_ name: StaticString, at index: Int) -> Bool {
        guard known.indices.contains(index), name.hasPointerRepresentation else {
            return fail(name, at: index)
        }
        if known[index] == name.utf8Start { return true }
        guard names[index] == name.description else { return fail(name, at: index) }
        known[index] = name.utf8Start
        return true
    }

    private func fail(_ name: StaticString, at index: Int) -> Bool {
        guard mismatch == nil else { return false }
        let expected = names.indices.contains(index) ? names[index] : "nothing"
        mismatch = StoreError(
            .typeMismatch,
            "The type of \(entity) reads or writes \(name) at position \(index), where its entity "
                + "has \(expected).",
            hint: "The order is that of the entity: attributes, then to-one relationships."
        )
        return false
    }

    /// Records that a row of GRDB has no column for a property.
    func fail(lacking name: StaticString) {
        guard mismatch == nil else { return }
        mismatch = StoreError(
            .typeMismatch,
            "The row has no column \(name), which the type of \(entity) reads.",
            hint: "Select the rows with store.sql(for:)."
        )
    }

    /// Throws if a name was not that of the property at its position.
    func check() throws(StoreError) {
        if let mismatch { throw mismatch }
    }

    /// Throws if a name was not that of the property at its position, or a property is missing.
    func check(isComplete count: Int) throws(StoreError) {
        try check()
        guard count < names.count else { return }
        throw StoreError(
            .typeMismatch,
            "The type of \(entity) does not write \(names[count]).",
            hint: "encode(to:) sets one value for each attribute and to-one relationship."
        )
    }

    /// Returns the error for a value that a property cannot have.
    func invalidValue(at index: Int, of row: Int64, for type: Any.Type) -> StoreError {
        if let mismatch { return mismatch }
        return StoreError(
            .invalidValue,
            "\(entity)#\(row).\(names[index]) is null or no \(type), which the type requires.",
            hint: "Make the property optional, or give it a default."
        )
    }
}
