public import TidemarkModel

/// One page of a resource, as the service gave it.
public struct Page: Sendable {
    /// The request that it answers.
    public let request: PageRequest

    /// The document.
    public let document: JSONDocument

    /// What the page tells beside its objects.
    public let facts: PageMetadata

    /// The keys under which the list of objects stands; empty where the document is the list.
    public let envelope: [String]

    /// The bounds on the document of each object.
    package let limits: Limits

    /// The request that was answered, for people: its method and URL.
    package let label: String

    /// The request for the page after this; nil for the last.
    public var next: PageRequest? { facts.next }

    /// How many objects the whole list has, if the service tells.
    public var total: Int? { facts.total }

    /// The objects of the page.
    ///
    /// An answer without a list is no empty list, and one object is not all there is: nothing may
    /// be deleted for it.
    ///
    /// - Throws: ``RemoteError/Code/noList`` where no list stands under the envelope's keys.
    public func items() throws -> PageItems<JSONDocumentItems> {
        let isObject = document.withRoot { $0.node(at: envelope)?.kind } == .object
        switch request.resource.style.content {
        case .list where isObject:
            throw RemoteError.noList(label, "it is one object")
        case .object where !isObject:
            throw RemoteError.noList(label, "one object was expected")
        case .list, .object:
            break
        }
        do {
            return PageItems(
                try document.items(at: envelope.isEmpty ? nil : envelope.joined(separator: ".")),
                request.resource.style.objects,
                limits: limits
            )
        } catch {
            throw RemoteError.noList(label, "\(error)", error)
        }
    }

    /// The objects that came along because those of the page refer to them; nil where there are
    /// none.
    public func included() throws -> PageItems<JSONDocumentItems>? {
        guard let path = request.resource.style.objects.included,
            document.withRoot({ $0.kind == .object && $0.member(path)?.kind == .array })
        else { return nil }
        return PageItems(
            try document.items(at: path),
            request.resource.style.objects,
            limits: limits
        )
    }
}
