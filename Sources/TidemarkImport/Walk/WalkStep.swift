/// What one transaction of a walk did.
public struct WalkStep: Sendable {
    /// What became of rows and references.
    public var report = ImportReport()

    /// How many items it took.
    public var items = 0

    /// Whether it took the last item of the page.
    public var isLast = true

    /// Items that the walk had been given before: the list has moved while it was read.
    public var repeated = 0

    /// Items that name no row that is here.
    public var unknown = 0

    /// The rows it has named.
    public var marks = WalkMarks()

    /// Creates a step that did nothing.
    public init() {}
}

/// How much one transaction of a walk may do.
public struct StepBound {
    /// How many rows it may name, those nested in others included; it ends with the item that
    /// reaches the bound.
    public var rows: Int

    /// Asked after every eighth item whether to end here.
    public var isOver: () -> Bool

    /// Creates a bound; without arguments there is none.
    public init(rows: Int = .max, isOver: @escaping () -> Bool = { false }) {
        self.rows = rows
        self.isOver = isOver
    }

    /// Whether to end behind so many items: a clock is looked at too dearly behind each.
    func ends(behind items: Int) -> Bool {
        items > 0 && items.isMultiple(of: 8) && isOver()
    }
}

/// What the items of a page are.
public struct ItemReading: Sendable, Hashable {
    /// The member, inside of others, that says that an object is gone: with any value but null and
    /// false.
    public var gone: [String] = []

    /// The members, each inside of others, that the configuration or the service's dialect uses:
    /// they are not reported as unknown.
    public var used: [[String]] = []

    /// The member that tells of which kind an object is, where objects are of several.
    public var kind: String?

    /// The entity of each kind.
    public var entities: [String: String] = [:]

    /// The entities whose rows are decided by lists of their own that were read completely.
    ///
    /// An object of these that another list embeds updates its row, and creates none: where its own
    /// list lacks it, references to it stay unresolved.
    public var listed: Set<String> = []

    /// Whether they are the items of the list, or objects that came along with them.
    public var role = Role.items

    /// What an object is to a list.
    public enum Role: Sendable, Hashable {
        /// One of its items.
        case items
        /// An object that an item refers to.
        case companions
    }

    /// Creates a reading of plain objects, all of the walk's entity.
    public init() {}
}
