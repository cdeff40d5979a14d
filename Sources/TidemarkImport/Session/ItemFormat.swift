/// The format of a page's items, by the conventions of the service.
///
/// The default format is plain objects, each of them an item of the session's entity.
package struct ItemFormat: Sendable, Hashable {
    /// The path of the member that marks a deleted object: see `JSONNode.marksDeletion(at:)`; empty
    /// if the service has none.
    package var deletionFlag: [String] = []

    /// The text or number there that alone marks a deleted object; nil if any value does.
    package var deletionValue: String?

    /// The paths of members that the configuration or the service's dialect uses.
    ///
    /// They are not reported as unknown.
    package var knownPaths: [[String]] = []

    /// The member that contains the type of an object, if a page contains objects of several types.
    package var typeMember: String?

    /// The entity of each type.
    package var entities: [String: String] = [:]

    /// The entities that have lists of their own which were read completely.
    ///
    /// An object of such an entity that is embedded in another list updates its row, but is never
    /// inserted: if its own list does not contain it, references to it stay unresolved.
    package var listedEntities: Set<String> = []

    /// Whether the objects are items of the list or were included with them.
    package var role = Role.items

    /// The role of an object in a list.
    package enum Role: Sendable, Hashable {
        /// An item of the list.
        case items
        /// An object that an item refers to and that the response includes.
        case included
    }

    /// Creates the format of plain objects, all of the session's entity.
    package init() {}
}
