public import TidemarkJSON
package import TidemarkModel

/// A page of a resource that is held in memory.
///
/// Pages longer than `Limits.bodyInMemory` are a ``StreamedPage``.
public struct Page: Sendable {
    /// The request for this page.
    public let request: PageRequest

    /// The JSON document.
    public let document: JSONDocument

    /// The metadata of the page: the total, the next page, the validator and the cursor.
    public let facts: PageMetadata

    /// The path of the list in the document; empty if the document is the list.
    public let envelope: [String]

    /// The limits for the document of each object.
    package let limits: Limits

    /// The method and URL of the request, for messages.
    package let label: String

    /// The request for the next page; nil for the last page.
    public var next: PageRequest? { facts.next }

    /// The number of objects in the whole list, if the service reports it.
    public var total: Int? { facts.total }

    /// Returns the objects of the page.
    ///
    /// A response without a list is not an empty list, and a single object is not the whole list:
    /// no rows may be deleted because of it.
    ///
    /// - Throws: ``RemoteError/Code/noList`` if there is no list at the envelope's path, or if the
    ///   resource is one object and the page is not.
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

    /// Returns the related objects that the page includes, such as `included` in JSON:API; nil if
    /// it includes none.
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
