/// How to request the objects that were changed since the last pull.
///
/// The cursor comes from the service's own responses. The clock of the device is never used.
public enum ChangeQuery: Hashable, Encodable, Sendable {
    /// Changes cannot be requested: each pull reads the whole list.
    case none

    /// A query parameter contains the version of the whole list, which is the `ETag` of its first
    /// page.
    ///
    /// The response must include tombstones of deleted objects.
    case version(parameter: String)

    /// A query parameter contains the time of the latest known change.
    case since(Since)

    /// A request for changes by the modification times of the objects.
    public struct Since: Hashable, Encodable, Sendable {
        /// The path of the member that contains an object's modification time.
        public var field: [String]

        /// How the time is written into the query.
        public var condition: Condition

        /// The parameters that sort changes from the oldest, such as `sort=updated_at`.
        ///
        /// Defaults to none.
        ///
        /// With this order each page advances the cursor. Without it, only the whole list does.
        public var order: [QueryItem]

        /// How far before the latest known change to start.
        ///
        /// Defaults to zero.
        ///
        /// A service that stamps a change at the start of its transaction shows it only after the
        /// commit, when a later change may already have been read. Set it to the service's longest
        /// transaction.
        public var overlap: Duration

        /// Creates a request for changes.
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

    /// How the time is written into the query.
    public enum Condition: Hashable, Encodable, Sendable {
        /// The parameter contains the time.
        case parameter(String)

        /// The parameter contains a text in which `{}` is replaced by the time, such as `>={}`: for
        /// services whose filters are written as operators.
        case template(parameter: String, String)

        /// The parameter contains a JSON document with conditions on the field. Times in it have a
        /// type: `{"__type": "Date", "iso": …}`.
        ///
        /// Source: Parse REST guide, “Queries”.
        case document(parameter: String)
    }
}

extension ChangeQuery {
    /// Parses the value of an option: `none`, `version:PARAMETER`, `since:FIELD>PARAMETER`, or
    /// `since:FIELD>PARAMETER=TEXT`, where `{}` in the text is replaced by the time.
    ///
    /// - Returns: nil if the option is invalid.
    package init?(option: String) {
        if option == "none" {
            self = .none
        } else if let parameter = option.droppingPrefix("version:") {
            self = .version(parameter: parameter)
        } else if let rest = option.droppingPrefix("since:") {
            let parts = rest.split(separator: ">", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            guard let condition = Condition(option: parts[1]) else { return nil }
            self = .since(Since(field: parts[0].pathComponents, condition: condition))
        } else {
            return nil
        }
    }
}

extension ChangeQuery.Condition {
    /// Parses a condition: `PARAMETER`, or `PARAMETER=TEXT` with `{}` in the text.
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
