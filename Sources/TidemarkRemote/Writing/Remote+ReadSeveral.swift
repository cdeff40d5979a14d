import HTTPTypes
package import TidemarkJSON
import TidemarkModel

package import struct Foundation.URL

extension PushStyle {
    /// The query parameter with which several objects are read in one request; nil if each is read
    /// by itself.
    package var readParameter: String? {
        switch check {
        case .none: nil
        case .read(let parameter), .version(let parameter): parameter
        }
    }
}

extension Remote {
    /// Returns the URL of the list that contains certain objects.
    ///
    /// The condition is that of Parse for a service with pointers, and otherwise the keys separated
    /// by commas, as by Kinto (`in_id`) and django-filter (`id__in`).
    ///
    /// - Parameters:
    ///   - keys: The keys of the objects.
    ///   - resource: The list, in whose style the parameter is named.
    /// - Returns: The URL; nil if the list has no such parameter, or a key cannot be written in it.
    /// - Throws: ``RemoteError`` if the path leads to another origin.
    package func url(ofObjectsWithKeys keys: [String], in resource: RemoteResource) throws -> URL? {
        guard let parameter = resource.push.readParameter else { return nil }
        let value: String
        if resource.push.body.references == .pointers {
            var json = JSONWriter()
            json.beginObject()
            json.key("objectId")
            json.beginObject()
            json.key("$in")
            json.beginArray()
            for key in keys { json.string(key) }
            json.endArray()
            json.endObject()
            json.endObject()
            value = String(decoding: json.bytes, as: UTF8.self)
        } else {
            guard !keys.contains(where: { $0.contains(",") }) else { return nil }
            value = keys.joined(separator: ",")
        }
        return try service.url(of: resource).setting([QueryItem(parameter, value)])
    }

    /// Reads one page of a list.
    ///
    /// - Parameters:
    ///   - url: The URL of the list, with its conditions.
    ///   - attempts: How often the request is sent if it fails.
    /// - Returns: The document, which may lack objects that would be on the next page.
    /// - Throws: ``RemoteError`` if the list cannot be read; `CancellationError`.
    package func list(at url: URL, attempts: Attempts) async throws -> JSONDocument {
        let (response, context) = try await send(.get, to: url, attempts: attempts)
        return try await document(of: response, in: context, limit: limits.http.bodyBytes)
    }
}
