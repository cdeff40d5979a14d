/// The result of one transaction of an import session.
package struct BatchResult: Sendable {
    /// The numbers of changed rows and references, and diagnostics.
    package var report = ImportReport()

    /// The number of items that the transaction imported.
    package var items = 0

    /// Whether the transaction imported the last item of the page.
    package var isLast = true

    /// The number of items that the session had received before: objects moved between pages while
    /// the list was read.
    package var repeated = 0

    /// The number of items that have no stored row.
    package var unknown = 0

    /// The rows that the imported items contain.
    package var marks = PageRows()

    /// Creates the result of a transaction that did nothing.
    package init() {}
}

/// The size limit of one transaction of an import session, so that other connections can write in
/// between.
///
/// The first limit that is reached ends the transaction; the next transaction resumes at the next
/// item.
package struct BatchLimit {
    /// The maximum number of rows, including nested ones.
    ///
    /// The transaction ends with the item that reaches it.
    package var rows: Int

    /// Returns whether the transaction has reached its time limit.
    ///
    /// It is called after every eighth item, because reading the clock after each item is too slow.
    package var isOver: () -> Bool

    /// Creates a limit.
    ///
    /// The defaults mean no limit.
    ///
    /// - Parameters:
    ///   - rows: The maximum number of rows, including nested ones.
    ///   - isOver: Returns whether the transaction has reached its time limit.
    package init(rows: Int = .max, isOver: @escaping () -> Bool = { false }) {
        self.rows = rows
        self.isOver = isOver
    }

    /// Returns whether the transaction ends after this number of items.
    func ends(behind items: Int) -> Bool {
        items > 0 && items.isMultiple(of: 8) && isOver()
    }
}

/// The format of a page's items, by the conventions of the service.
///
/// The default format is plain objects, each of them an item of the session's entity.
package struct ItemFormat: Sendable, Hashable {
    /// The path of the member that marks a deleted object by any value except null and false; empty
    /// if the service has none.
    package var gone: [String] = []

    /// The paths of members that the configuration or the service's dialect uses.
    ///
    /// They are not reported as unknown.
    package var used: [[String]] = []

    /// The member that contains the type of an object, if a page contains objects of several types.
    package var kind: String?

    /// The entity of each type.
    package var entities: [String: String] = [:]

    /// The entities that have lists of their own which were read completely.
    ///
    /// An object of such an entity that is embedded in another list updates its row, but is never
    /// inserted: if its own list does not contain it, references to it stay unresolved.
    package var listed: Set<String> = []

    /// Whether the objects are items of the list or were included with them.
    package var role = Role.items

    /// The role of an object in a list.
    package enum Role: Sendable, Hashable {
        /// An item of the list.
        case items
        /// An object that an item refers to and that the response includes.
        case companions
    }

    /// Creates the format of plain objects, all of the session's entity.
    package init() {}
}
