import HTTPTypes
import TidemarkJSON

package import struct Foundation.URL

/// A file that was uploaded, or the reason why it was not.
package struct UploadResponse: Sendable {
    /// What the response means.
    package let outcome: WriteOutcome

    /// The URL of the file; nil if the response contains none.
    package let url: URL?

    /// The status of the response.
    package let status: Int
}

extension Remote {
    /// Uploads a file, once.
    ///
    /// The name is that of the content, so that a repeated upload does no harm.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name of the file, which needs no percent-encoding.
    ///   - type: The media type.
    ///   - upload: The request.
    ///   - style: What the service means by its statuses.
    /// - Returns: The response, whatever its status is.
    /// - Throws: ``RemoteError`` if no complete response was received, or if the path leads to
    ///   another origin; `CancellationError` if the task is cancelled.
    package func upload(
        _ bytes: [UInt8],
        named name: String,
        type: String,
        by upload: PushStyle.Upload,
        in style: PushStyle
    ) async throws -> UploadResponse {
        let path = upload.path.replacing("{name}", with: name)
        let url = try service.url(of: RemoteResource(entity: "", path: path))
        var request = WriteRequest(upload.method, url: url)
        request.body = bytes
        request.contentType = type
        let response = try await write(request, style: style)
        let location = response.document?.withRoot { root in
            let node = root.node(at: JSONPath(upload.url))
            return node.flatMap { $0.kind == .string ? $0.string : nil }
        }
        // Of a file only the URL counts.
        var target = RemoteResource(entity: "", path: path)
        target.push = style
        target.push.reading.response = .any
        return UploadResponse(
            outcome: try WriteOutcome(response, to: WriteExpectation(.init(.create, in: target))),
            url: location.flatMap(\.self).flatMap { Self.fileURL($0, relativeTo: url) },
            status: response.status.code
        )
    }

    /// Returns the absolute URL of a file; nil if the text is not an HTTP URL.
    private static func fileURL(_ text: String, relativeTo base: URL) -> URL? {
        guard let url = URL(string: text, relativeTo: base)?.absoluteURL, Origin(url) != nil else {
            return nil
        }
        return url
    }
}
