/// How a service is asked for what has changed since it was asked before.
///
/// What it is asked with comes from its own words: the device's clock is never believed.
public enum ChangeQuery: Hashable, Encodable, Sendable {
    /// It is not: every list is whole.
    case none

    /// A parameter holds the version of the whole list: the `ETag` of its first page.
    ///
    /// Objects that were deleted since are told as well.
    case version(parameter: String)

    /// A parameter holds the time of the latest change that was seen.
    case since(Since)

    /// Changes by the times that objects carry.
    public struct Since: Hashable, Encodable, Sendable {
        /// The member of an object that tells when it was changed last.
        public var field: [String]

        /// How a query says “changed since”.
        public var condition: Condition

        /// What asks for the changes from the oldest on; empty where nothing does.
        ///
        /// Only then does the last page tell how far they were read.
        public var order: [QueryItem]

        /// How long before the latest change that was seen changes are asked for again.
        ///
        /// A service that stamps a change when its transaction begins shows it when that ends, and
        /// what was changed later may have been seen by then.
        public var overlap: Duration

        /// Creates a way to ask.
        public init(
            field: [String],
            condition: Condition,
            order: [QueryItem] = [],
            overlap: Duration = .zero
        ) {
            self.field = field
            self.condition = condition
            self.order = order
            self.overlap = overlap
        }
    }

    /// How a query says “changed since”.
    public enum Condition: Hashable, Encodable, Sendable {
        /// A parameter holds the time.
        case parameter(String)

        /// A parameter holds a text in which `{}` is replaced by the time, such as `>={}`: for
        /// services whose filters are written as operators.
        case template(parameter: String, String)

        /// A parameter holds a JSON document of conditions on the field; the times in it are typed,
        /// `{"__type": "Date", "iso": …}`.
        ///
        /// Source: Parse REST guide, “Queries”.
        case document(parameter: String)
    }
}

extension ChangeQuery {
    /// The way that an option names: `none`, `version:PARAMETER`, `since:FIELD>PARAMETER`, or
    /// `since:FIELD>PARAMETER=TEXT`, where `{}` in the text is replaced by the time.
    ///
    /// - Returns: nil where there is no such way.
    public init?(option: String) {
        if option == "none" {
            self = .none
        } else if let parameter = option.behind("version:") {
            self = .version(parameter: parameter)
        } else if let rest = option.behind("since:") {
            let parts = rest.split(separator: ">", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            guard let condition = Condition(option: parts[1]) else { return nil }
            self = .since(Since(field: parts[0].keys, condition: condition))
        } else {
            return nil
        }
    }
}

extension ChangeQuery.Condition {
    /// The condition that an option names: `PARAMETER`, or `PARAMETER=TEXT` with `{}` in the text.
    fileprivate init?(option: String) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let name = parts.first, !name.isEmpty else { return nil }
        guard parts.count > 1 else {
            self = .parameter(name)
            return
        }
        guard parts[1].contains("{}") else { return nil }
        self = .template(parameter: name, parts[1])
    }
}
