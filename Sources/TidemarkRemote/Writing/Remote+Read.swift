import HTTPTypes
package import TidemarkJSON
import TidemarkModel

package import struct Foundation.URL

/// An object that was read before it is changed, or to find out whether a change was applied.
package enum ReadObject: Sendable {
    /// The service has the object: the document that contains it, where, and its entity tag.
    case found(JSONDocument, at: Envelope, entityTag: String?)

    /// The service does not have it.
    case missing
}

extension Remote {
    /// Reads one object.
    ///
    /// - Parameters:
    ///   - url: The URL of the object, see ``readURL(of:)``.
    ///   - resource: The list to which the object belongs.
    ///   - attempts: How often the request is sent if it fails.
    /// - Returns: The object, or that the service does not have it: 404, 410, or an empty list.
    /// - Throws: ``RemoteError`` if the object cannot be read; `CancellationError`.
    package func object(
        at url: URL,
        of resource: RemoteResource,
        attempts: Attempts
    ) async throws -> ReadObject {
        let (response, context) = try await send(.get, to: url, attempts: attempts)
        guard ![404, 410].contains(response.head.status.code) else { return .missing }
        let document = try await document(
            of: response,
            in: context,
            limit: min(limits.http.bodyBytes, limits.json.itemBytes)
        )
        let envelope = resource.push.reading.envelope
        guard !resource.hasNoObject(document, at: envelope) else { return .missing }
        let entityTag = response.head.headerFields[.eTag]
        return .found(document, at: envelope, entityTag: entityTag)
    }
}
