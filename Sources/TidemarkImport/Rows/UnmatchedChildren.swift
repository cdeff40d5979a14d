/// The stored children without a key of one parent that have not been matched with objects of its
/// list yet: the n-th object is compared with the n-th child.
struct UnmatchedChildren {
    private var rows: ArraySlice<Int64>

    init(_ rows: [Int64] = []) {
        self.rows = rows[...]
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Returns the row that the next object is compared with.
    ///
    /// - Parameter count: The number of objects that follow it, as far as it is known.
    /// - Returns: The row, or a new one.
    func next(followedBy count: Int) -> ObjectContext.Row {
        guard let row = rows.first else { return .new }
        return rows.count > count ? .atPosition(row) : .candidate(row)
    }

    /// Consumes the child that an object was compared with.
    mutating func match() {
        rows = rows.dropFirst()
    }

    /// Skips an object that could not be stored, and the child at its position.
    ///
    /// If there are no more children than objects that follow, the object has no child: it was
    /// rejected when the others were stored. Importing a document again must change nothing.
    ///
    /// - Parameter count: The number of objects of the list that follow.
    mutating func reject(followedBy count: Int) {
        if rows.count > count { rows = rows.dropFirst() }
    }
}
