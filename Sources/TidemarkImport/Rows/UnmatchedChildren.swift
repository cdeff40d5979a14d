/// The stored children without a key of one parent, of which the next objects of its list may be
/// any: the n-th object is compared with the n-th child.
struct UnmatchedChildren {
    private var rows: ArraySlice<Int64>

    init(_ rows: [Int64] = []) {
        self.rows = rows[...]
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Which row the next object is.
    ///
    /// - Parameter count: How many objects follow it, as far as that is known.
    /// - Returns: The row that it is compared with, or a new one.
    func next(followedBy count: Int) -> ObjectContext.Row {
        guard let row = rows.first else { return .new }
        return rows.count > count ? .place(row) : .candidate(row)
    }

    /// Passes the child that an object was compared with.
    mutating func match() {
        rows = rows.dropFirst()
    }

    /// Passes an object that becomes no row, and the child in its place.
    ///
    /// Where there are no more children than objects that follow, it has no child: it was rejected
    /// before, and a document that is imported again must change nothing.
    ///
    /// - Parameter count: How many objects of the list follow.
    mutating func reject(followedBy count: Int) {
        if rows.count > count { rows = rows.dropFirst() }
    }
}
