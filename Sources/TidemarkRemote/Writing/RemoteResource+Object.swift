package import TidemarkJSON
package import TidemarkModel

extension RemoteResource {
    /// Returns the items of a list in a document; nil if there is no list where the style says.
    package func items(of document: JSONDocument) throws -> JSONDocumentItems? {
        let path = JSONPath(style.path(in: DocumentMembers(document)))
        guard document.withRoot({ $0.node(at: path)?.kind }) == .array else { return nil }
        return try document.items(at: path)
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
        document.withRoot { root in
            guard let object = root.node(at: JSONPath(envelope.path)), object.kind == .object else {
                return nil
            }
            return body(object)
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
        let path = JSONPath(envelope.path)
        guard document.withRoot({ $0.node(at: path)?.kind }) == .object else { return nil }
        var objects = PlainObjects(
            try document.items(at: path),
            in: style.objects,
            limits: limits
        )
        var value: Value?
        _ = try objects.next { value = try body($0) }
        return value
    }
}
