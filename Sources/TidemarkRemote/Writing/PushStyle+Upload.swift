public import HTTPTypes
import TidemarkJSON

extension PushStyle {
    /// The request that uploads a file, before the object that refers to it is sent.
    ///
    /// The body is the content of the file. The response is JSON with the file's URL, which becomes
    /// the value of the attribute.
    ///
    /// <!-- example: var service = Service.rest(url: url) -->
    /// ```swift
    /// service.push.body.uploads = PushStyle.Upload(.put, path: "media/{name}", url: ["url"])
    /// ```
    public struct Upload: Hashable, Sendable {
        /// The method, such as `POST`.
        public var method: HTTPRequest.Method

        /// The path below the service's URL, with a query if necessary.
        ///
        /// `{name}` is the name of the file: the SHA-256 digest of its content, and an extension.
        /// An upload whose response was lost is repeated under the same name.
        public var path: String

        /// The key path of the file's URL in the response, which may be relative.
        public var url: [String]

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - path: The path, see ``path``.
        ///   - url: The key path of the file's URL in the response.
        public init(_ method: HTTPRequest.Method, path: String, url: [String]) {
            self.method = method
            self.path = path
            self.url = url
        }
    }
}

extension PushStyle.Upload {
    /// Parses `METHOD path>key.path`; nil for anything else.
    init?(option: String) {
        let parts = option.split(separator: ">", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let operation = PushStyle.Operation(option: String(parts[0])),
            operation.content == .changes, let path = operation.path
        else { return nil }
        let url = JSONPath(String(parts[1])).names
        guard !url.isEmpty, !url.contains("") else { return nil }
        self.init(operation.method, path: path, url: url)
    }
}
