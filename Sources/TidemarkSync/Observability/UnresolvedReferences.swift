import GRDB
import TidemarkModel
import TidemarkStore

/// The references of one relationship whose destination rows are not in the store.
///
/// A reference is the foreign key in a document, such as `"author_id": 7`. It becomes a link when
/// its row is imported, in whatever order the lists are pulled. If no resource lists such rows,
/// that will not happen: the configuration lacks a list, or the references are not needed.
///
/// ```swift
/// for references in report.unresolvedReferences where !references.isListed {
///     print("No list of \(references.destination) is configured.")
/// }
/// ```
public struct UnresolvedReferences: Hashable, Sendable, Codable {
    /// The entity of the rows that contain the references, such as `Article`.
    ///
    /// If the relationship is inherited, it is the entity that declares it.
    public var entity: String

    /// The name of the relationship in the model, such as `author`.
    public var relationship: String

    /// The destination entity, whose rows are missing.
    public var destination: String

    /// The number of references, which is at least 1.
    ///
    /// Several rows may refer to the same missing row; each is counted.
    public var count: Int

    /// Whether a resource lists the destination, an entity that inherits from it, or one that it
    /// inherits from.
    ///
    /// If true, the rows may come with a later pull, or the service does not show them to this
    /// account. In a ``SyncStatus``, the listed entities are those of the resources that were ever
    /// pulled.
    public var isListed: Bool
}

extension UnresolvedReferences: CustomStringConvertible {
    /// The number of references, their relationship, and what is missing.
    ///
    /// ```swift
    /// for references in report.unresolvedReferences { print(references) }
    /// // 2 unresolved references of Article.author to Author: no resource lists Author. …
    /// ```
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
    /// Returns the unresolved references of a store, in the order of their relationships.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - db: A transaction of the store.
    ///   - listed: The entities that resources list.
    /// - Returns: One value for each relationship with unresolved references.
    /// - Throws: `DatabaseError`.
    static func all(
        in store: Store,
        _ db: Database,
        listed: Set<String> = []
    ) throws -> [UnresolvedReferences] {
        let model = store.model
        let counts = try store.read(in: db) { try $0.unresolvedReferenceCounts() }
        return counts.map { relationship, count in
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
    /// Whether two entities are the same, or one inherits from the other.
    func isRelated(_ name: String, to other: String) -> Bool {
        func inherits(_ name: String, from other: String) -> Bool {
            self[name].map { lineage(of: $0).contains { $0.name == other } } ?? false
        }
        return inherits(name, from: other) || inherits(other, from: name)
    }
}
