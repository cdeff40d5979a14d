public import HTTPTypes
public import TidemarkModel

/// One page of a resource, as the service gave it.
public struct Page: Sendable {
    /// The request that it answers.
    public let request: PageRequest

    /// The document.
    public let document: JSONDocument

    /// The header fields of the answer.
    public let headers: HTTPFields

    /// The keys under which the list of objects stands; empty where the document is the list.
    public let envelope: [String]

    /// How many objects the whole list has, if the service tells.
    public let total: Int?

    /// The request for the page after this; nil for the last.
    public let next: PageRequest?

    /// The request that was answered, for people: its method and URL.
    package let label: String

    /// The objects of the page.
    ///
    /// - Throws: `JSONItemsError` where no list stands under the envelope's keys.
    public func items() throws -> JSONDocumentItems {
        try document.items(at: envelope.isEmpty ? nil : envelope.joined(separator: "."))
    }

    /// Whether the objects stand in a list; one object by itself is none.
    public var isList: Bool {
        document.withRoot { root in
            let place = envelope.isEmpty ? root : root.node(at: envelope.joined(separator: "."))
            return place?.kind == .array
        }
    }
}
