import GRDB
import TidemarkModel
import TidemarkStore

/// References of one relationship whose rows are not in the store.
///
/// They become links when the rows arrive. Where no resource lists such rows, none will: the
/// configuration lacks a list, or the references are of no interest.
///
/// ```swift
/// for references in report.unresolvedReferences where !references.isListed {
///     print("No list of \(references.destination) is configured.")
/// }
/// ```
public struct UnresolvedReferences: Hashable, Sendable, Codable {
    /// The entity whose rows refer to others.
    public var entity: String

    /// The relationship.
    public var relationship: String

    /// The entity of the rows that are missing.
    public var destination: String

    /// How many references there are.
    public var count: Int

    /// Whether a resource lists rows of the destination, of an entity that inherits from it, or of
    /// one that it inherits from.
    public var isListed: Bool

    /// Creates a number of references.
    public init(
        entity: String,
        relationship: String,
        destination: String,
        count: Int,
        isListed: Bool
    ) {
        self.entity = entity
        self.relationship = relationship
        self.destination = destination
        self.count = count
        self.isListed = isListed
    }
}

extension UnresolvedReferences: CustomStringConvertible {
    /// How many references of which relationship there are, and what is missing.
    public var description: String {
        let references = "\(count) unresolved \(count == 1 ? "reference" : "references")"
        let row = count == 1 ? "its row is" : "their rows are"
        let reason =
            isListed
            ? "\(row) not in the store."
            : "no resource lists \(destination). Add one to resolve \(count == 1 ? "it" : "them")."
        return "\(references) of \(entity).\(relationship) to \(destination): \(reason)"
    }
}

extension UnresolvedReferences {
    /// The unresolved references in a store, in the order of their relationships.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - db: A transaction of it.
    ///   - listed: The entities that resources list.
    /// - Returns: The references, those of one relationship together.
    /// - Throws: `DatabaseError`.
    static func all(
        in store: Store,
        _ db: Database,
        listed: Set<String>
    ) throws -> [UnresolvedReferences] {
        let model = store.model
        return try store.heldReferenceCounts(db).map { relationship, count in
            let destination = store.layout.entities[relationship.destination].name
            let parts = relationship.identifier.split(separator: ".", maxSplits: 1)
            return UnresolvedReferences(
                entity: parts.first.map(String.init) ?? "",
                relationship: relationship.relationship.name,
                destination: destination,
                count: count,
                isListed: listed.contains { model.isRelated($0, to: destination) }
            )
        }
    }
}

extension Model {
    /// Whether one entity is another, inherits from it, or is inherited by it.
    func isRelated(_ name: String, to other: String) -> Bool {
        func inherits(_ name: String, _ other: String) -> Bool {
            self[name].map { lineage(of: $0).contains { $0.name == other } } ?? false
        }
        return inherits(name, other) || inherits(other, name)
    }
}
