package import TidemarkJSON
package import TidemarkModel

extension RemoteResource {
    /// Returns the objects of a list in a document; nil if there is no list where the style says.
    package func items(
        of document: JSONDocument,
        limits: Limits
    ) throws -> PlainObjects<JSONDocumentItems>? {
        let path = JSONPath(style.path(in: DocumentMembers(document)))
        guard document.withRoot({ $0.node(at: path)?.kind }) == .array else { return nil }
        return PlainObjects(
            try document.items(at: path),
            in: style.objects,
            item: style.item,
            linkedTypes: linkedTypes,
            limits: limits
        )
    }

    /// Returns whether an object is marked as deleted, as objects in the list are.
    package func isDeleted(_ object: JSONNode) -> Bool {
        guard case .marked(let path, let value) = style.deletes else { return false }
        return object.marksDeletion(at: path, value: value)
    }

    /// Passes the object in a response to `body`, as the service has sent it.
    ///
    /// - Parameters:
    ///   - document: The document of the response.
    ///   - envelope: The position of the object.
    ///   - body: Receives the object.
    /// - Returns: The value that `body` returns; nil if there is no object at the position.
    package func withOriginalObject<Value>(
        in document: JSONDocument,
        at envelope: Envelope,
        _ body: (JSONNode) -> Value
    ) -> Value? {
        guard let path = path(ofObjectIn: document, at: envelope) else { return nil }
        return document.withRoot { $0.node(at: path).map(body) }
    }

    /// Returns whether there is an empty list where one object is expected.
    ///
    /// That is how services that select objects by a query say that the object does not exist.
    func hasNoObject(_ document: JSONDocument, at envelope: Envelope) -> Bool {
        document.withRoot { root in
            guard let list = root.node(at: JSONPath(envelope.path)), list.kind == .array else {
                return false
            }
            return !list.elements.contains { _ in true }
        }
    }

    /// Returns the path of the object at an envelope, which may be a list of one object; nil
    /// without one.
    private func path(ofObjectIn document: JSONDocument, at envelope: Envelope) -> JSONPath? {
        document.withRoot { root in
            let path = JSONPath(envelope.path)
            guard let node = root.node(at: path) else { return nil }
            if node.kind == .object { return path }
            guard document.hasOneObject(at: envelope.path) else { return nil }
            let element = JSONPath(path.names + ["0"])
            let object = JSONPath(element.names + style.item)
            return root.node(at: object)?.kind == .object ? object : element
        }
    }

    /// Passes the object in a response to `body`, in the form that an import reads.
    ///
    /// - Parameters:
    ///   - document: The document of the response.
    ///   - envelope: The position of the object.
    ///   - limits: The limits of the text of an object.
    ///   - body: Receives the object.
    /// - Returns: The value that `body` returns; nil if there is no object at the position.
    /// - Throws: Errors that `body` throws, and `JSONError` if the object exceeds the limits.
    package func withObject<Value>(
        in document: JSONDocument,
        at envelope: Envelope,
        limits: Limits,
        _ body: (JSONNode) throws -> Value
    ) throws -> Value? {
        guard let path = path(ofObjectIn: document, at: envelope) else { return nil }
        var objects = PlainObjects(
            try document.items(at: path),
            in: style.objects,
            linkedTypes: linkedTypes,
            limits: limits
        )
        var value: Value?
        _ = try objects.next { value = try body($0) }
        return value
    }
}

extension JSONDocument {
    /// Returns whether the value at a path is a list of exactly one object.
    func hasOneObject(at path: [String]) -> Bool {
        withRoot { root in
            guard let list = root.node(at: JSONPath(path)), list.kind == .array else {
                return false
            }
            let first = Array(list.elements.prefix(2))
            return first.count == 1 && first[0].kind == .object
        }
    }
}
