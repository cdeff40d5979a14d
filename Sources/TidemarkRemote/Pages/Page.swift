package import TidemarkJSON
import TidemarkModel

/// A page of a resource that is held in memory.
///
/// Pages longer than `Limits.http.bodyInMemory` are a ``StreamedPage``.
package struct Page: Sendable {
    /// The request for this page.
    package let request: PageRequest

    /// The JSON document.
    package let document: JSONDocument

    /// The metadata of the page: the total, the next page, the validator and the cursor.
    package let metadata: PageMetadata

    /// The path of the list in the document; empty if the document is the list.
    package let envelope: [String]

    let limits: Limits
    let context: ResponseContext

    /// The request for the next page; nil for the last page.
    package var next: PageRequest? { metadata.next }

    /// The number of objects in the whole list, if the service reports it.
    package var total: Int? { metadata.total }

    /// Returns the objects of the page.
    ///
    /// A response without a list is not an empty list, and a single object is not the whole list:
    /// no rows may be deleted because of it.
    ///
    /// - Throws: ``RemoteError/Code/noList`` if there is no list at the envelope's path, or if the
    ///   resource is one object and the page is not.
    package func items() throws -> PlainObjects<JSONDocumentItems> {
        let isObject = document.withRoot { $0.node(at: JSONPath(envelope))?.kind } == .object
        let style = request.resource.style
        switch style.content {
        case .list where isObject: throw context.noList("it is one object")
        case .object where !isObject && !document.hasOneObject(at: envelope):
            throw context.noList("one object was expected")
        case .list, .object: break
        }
        do {
            let list = isEmptyList ? try JSONDocument(Array("[]".utf8)) : document
            let path = isEmptyList ? JSONPath() : JSONPath(envelope)
            return try objects(of: list, at: path, item: isObject ? [] : style.item)
        } catch {
            throw context.noList("\(error)", underlying: error)
        }
    }

    /// Returns the related objects that the page includes, such as `included` in JSON:API; nil if
    /// it includes none.
    package func included() throws -> PlainObjects<JSONDocumentItems>? {
        guard let path = request.resource.style.objects.included,
            document.withRoot({ $0.kind == .object && $0.member(path)?.kind == .array })
        else { return nil }
        return try objects(of: document, at: [path], item: [])
    }

    /// Whether the service writes an empty list as null, or leaves it out beside a total of 0.
    ///
    /// Source: Pipedrive's API, whose responses have `"data": null`.
    private var isEmptyList: Bool {
        guard request.resource.style.content == .list, !envelope.isEmpty else { return false }
        return document.withRoot { root in
            guard !root.reportsFailure(exceptIn: { _ in false }), !root.mayExplainAbsence else {
                return false
            }
            guard let list = root.node(at: JSONPath(envelope)) else { return metadata.total == 0 }
            return list.kind == .null
        }
    }

    private func objects(
        of document: JSONDocument,
        at path: JSONPath,
        item: [String]
    ) throws -> PlainObjects<JSONDocumentItems> {
        PlainObjects(
            try document.items(at: path),
            in: request.resource.style.objects,
            item: item,
            linkedTypes: request.resource.linkedTypes,
            limits: limits
        )
    }
}
