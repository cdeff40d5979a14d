/// What one transaction of a walk did.
package struct BatchResult: Sendable {
    /// What became of rows and references.
    package var report = ImportReport()

    /// How many items it took.
    package var items = 0

    /// Whether it took the last item of the page.
    package var isLast = true

    /// Items that the walk had been given before: the list has moved while it was read.
    package var repeated = 0

    /// Items that name no row that is here.
    package var unknown = 0

    /// The rows it has named.
    package var marks = PageRows()

    /// Creates a step that did nothing.
    package init() {}
}

/// How much one transaction of a walk may do, so that other connections can write in between.
///
/// Whichever bound is reached first ends the transaction; the next one takes up at the next item.
package struct BatchLimit {
    /// How many rows it may name, those nested in others included; it ends with the item that
    /// reaches the bound.
    package var rows: Int

    /// Asked after every eighth item whether to end here; reading a clock after each is too slow.
    package var isOver: () -> Bool

    /// Creates a bound; without arguments there is none.
    ///
    /// - Parameters:
    ///   - rows: How many rows a transaction may name.
    ///   - isOver: Returns whether the transaction has taken long enough.
    package init(rows: Int = .max, isOver: @escaping () -> Bool = { false }) {
        self.rows = rows
        self.isOver = isOver
    }

    /// Whether to end after so many items.
    func ends(behind items: Int) -> Bool {
        items > 0 && items.isMultiple(of: 8) && isOver()
    }
}

/// How the items of a page are read, by the conventions of the service.
///
/// The default reads plain objects, each an item of the walk's entity.
package struct ItemFormat: Sendable, Hashable {
    /// The path of the member that marks a deleted object, by any value but null and false; empty
    /// where the service has none.
    package var gone: [String] = []

    /// The paths of members that the configuration or the service's dialect uses: they are not
    /// reported as unknown.
    package var used: [[String]] = []

    /// The member that has the kind of an object, where objects are of several.
    package var kind: String?

    /// The entity of each kind.
    package var entities: [String: String] = [:]

    /// The entities whose rows are decided by lists of their own that were read completely.
    ///
    /// An object of these that another list embeds updates its row, and creates none: where its own
    /// list lacks it, references to it stay unresolved.
    package var listed: Set<String> = []

    /// Whether they are the items of the list, or objects that came along with them.
    package var role = Role.items

    /// What an object is to a list.
    package enum Role: Sendable, Hashable {
        /// One of its items.
        case items
        /// An object that an item refers to.
        case companions
    }

    /// Creates a reading of plain objects, all of the walk's entity.
    package init() {}
}
