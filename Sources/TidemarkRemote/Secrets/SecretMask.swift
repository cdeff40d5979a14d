package import Foundation
package import HTTPTypes
import TidemarkModel

/// The secrets of a request, which are removed from messages and from URLs that are stored.
///
/// A service knows the credentials that it received and may repeat them: in an error, in the target
/// of a redirect, in the URL of the next page, or in an entity tag. Every text from a service
/// passes through ``hiding(in:)`` before it becomes part of a message, and every URL through
/// ``sealed(_:)`` before it is logged, compared or stored.
package struct SecretMask: Sendable {
    private struct Secret {
        let placeholder: Placeholder
        let part: SecretPart

        /// The text that replaces the secret in a sealed URL.
        var seal: String { placeholder.text }

        var bytes: [UInt8] { part.bytes }
        var isCredential: Bool { part.isCredential }
    }

    /// Sorted by length, the longest first, so that a secret that contains another is hidden as a
    /// whole.
    private let secrets: [Secret]

    /// A text in a sealed URL, and what a request has in its place.
    private struct Placeholder {
        let text: String
        let opened: String
    }

    /// The placeholders that sealed URLs may contain, the longest first: the name of a variable may
    /// begin with that of another.
    private let placeholders: [Placeholder]

    /// The placeholders that configured paths contain.
    private let hidden: [String]

    /// The query parameters that every URL of the service has.
    private let parameters: [QueryItem]

    /// The text that replaces a secret in a message.
    static let mask = "***"

    /// The minimum length of a secret.
    ///
    /// Shorter values occur in many ordinary words.
    private static let shortest = 4

    /// The number of bytes of a text that are searched; messages show fewer.
    private static let window = 8 << 10

    /// Creates a mask for requests to a service.
    ///
    /// - Parameters:
    ///   - service: The service, whose query parameters are secrets.
    ///   - fields: The header fields of the request.
    package init(of service: Service, and fields: HTTPFields) {
        parameters = service.query
        var secrets: [Secret] = []
        func add(_ part: SecretPart, in placeholder: Placeholder) {
            guard part.bytes.count >= Self.shortest,
                !secrets.contains(where: { $0.bytes == part.bytes })
            else { return }
            secrets.append(Secret(placeholder: placeholder, part: part))
        }
        func add(_ part: SecretPart, named name: String) {
            let text = "\(Self.mask)\(name)\(Self.mask)"
            add(part, in: Placeholder(text: text, opened: part.bytes.percentEncoded))
        }
        // Paths contain the placeholders of these, also of a value that is too short to be found.
        let hidden = service.hiddenValues.map {
            Placeholder(text: $0.placeholder, opened: $0.encoded)
        }
        for (value, placeholder) in zip(service.hiddenValues, hidden) {
            add(SecretPart(value.value.utf8, isCredential: true), in: placeholder)
        }
        for (index, item) in service.query.enumerated() {
            add(SecretPart(item.value.utf8, isCredential: true), named: "query.\(index)")
        }
        // Credentials come first: if two fields have the same value, the stricter rule applies. A
        // mask is created for each request, so the common harmless fields are excluded by one
        // lookup before any name is split into words.
        let relevant = fields.filter { !$0.isHarmless }.map { ($0, $0.isCredential) }
        for (field, _) in relevant.filter(\.1) + relevant.filter({ !$0.1 }) {
            // Field names may contain characters that would end a query, such as `#`.
            let name = field.name.canonicalName.utf8.percentEncoded
            for (index, part) in field.secretParts.enumerated() {
                add(part, named: "\(name).\(index)")
            }
        }
        self.secrets = secrets.sorted { $0.bytes.count > $1.bytes.count }
        self.hidden = hidden.map(\.text)
        placeholders = (hidden + secrets.filter(\.isCredential).map(\.placeholder))
            .sorted { $0.text.utf8.count > $1.text.utf8.count }
    }

    // MARK: Messages

    /// Returns a text of the service with its secrets hidden, in any spelling.
    ///
    /// - Returns: The first bytes of the text, which are more than any message shows.
    func hiding(in text: String) -> String {
        let all = text.utf8
        let bytes = Array(all.prefix(Self.window))
        let ranges = ranges(in: bytes, isCut: bytes.count < all.count)
        guard !ranges.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        return Self.replacing(ranges.map { ($0, Self.mask) }, in: bytes)
    }

    /// Returns whether a text of the service contains a secret in any spelling.
    func occurs(in text: String) -> Bool {
        !ranges(in: Array(text.utf8.prefix(Self.window)), isCut: false).isEmpty
    }

    private func ranges(in bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        guard !secrets.isEmpty, !bytes.isEmpty else { return [] }
        let plain = EscapedText(bytes)
        let once = EscapedText.Escapes.allCases.map(plain.decoding)
        // Twice, because a percent-encoded URL may be repeated within HTML or JSON.
        let twice = once.flatMap { text in EscapedText.Escapes.allCases.map(text.decoding) }
        return ([plain] + once + twice).flatMap { text in
            secrets.flatMap { text.matches(of: $0.bytes, least: $0.part.least, isCut: isCut) }
        }
    }

    // MARK: Addresses

    /// Returns a URL that may be logged, compared and stored: without the parameters that every URL
    /// of the service has, and with placeholders instead of credentials.
    package func sealed(_ url: URL) -> URL {
        var url = url
        if !parameters.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) {
            for item in parameters { parts[parameter: item.name] = nil }
            url = parts.url ?? url
        }
        guard secrets.contains(where: \.isCredential) else { return url }
        let bytes = Array(url.absoluteString.utf8)
        let plain = EscapedText(bytes)
        let texts = [plain, plain.decoding(.percent)]
        let start = Self.start(of: bytes)
        let found = secrets.filter(\.isCredential).flatMap { secret in
            texts.flatMap { $0.occurrences(of: secret.bytes) }
                // Path and query only: a placeholder in the host would change the origin.
                .filter { $0.lowerBound >= start }.map { ($0, secret.seal) }
        }
        guard !found.isEmpty else { return url }
        // A placeholder that is in a path stays as it is, whatever is found within it.
        let kept = hidden.flatMap { placeholder in
            plain.occurrences(of: Array(placeholder.utf8)).map { ($0, placeholder) }
        }
        return URL(string: Self.replacing(kept + found, in: bytes)) ?? url
    }

    /// Returns a URL in a header field, which may be relative, with placeholders instead of
    /// credentials.
    ///
    /// - Parameter text: The URL.
    /// - Returns: The URL; nil if its path repeats a credential, as a key that would be stored.
    func sealedReference(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let plain = EscapedText(bytes)
        let found = secrets.filter(\.isCredential).flatMap { secret in
            [plain, plain.decoding(.percent)].flatMap { $0.occurrences(of: secret.bytes) }
                .map { ($0, secret.seal) }
        }
        guard !found.isEmpty else { return text }
        let query = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard let query, found.allSatisfy({ $0.0.lowerBound > query }) else { return nil }
        return Self.replacing(found, in: bytes)
    }

    /// Returns the URL to send a request to: the inverse of ``sealed(_:)``, which inserts the
    /// current secrets.
    func opened(_ url: URL) -> URL {
        let opened = filled(url)
        return parameters.isEmpty ? opened : opened.setting(parameters) ?? opened
    }

    /// Returns a URL with the current secrets in place of its placeholders, and without the
    /// parameters that every URL of the service has.
    func filled(_ url: URL) -> URL {
        var text = url.absoluteString
        for placeholder in placeholders where text.contains(placeholder.text) {
            text = text.replacing(placeholder.text, with: placeholder.opened)
        }
        return URL(string: text) ?? url
    }

    /// Returns a URL as messages may show it.
    package func masked(_ url: URL) -> String {
        sealed(url).shown
    }

    /// Returns the offset of the path in a URL.
    private static func start(of address: [UInt8]) -> Int {
        let solidi = address.indices.filter { address[$0] == UInt8(ascii: "/") }
        return solidi.count > 2 ? solidi[2] : address.count
    }

    // MARK: Replacing

    /// Returns the text with ranges replaced; of ranges that overlap, the first and longest is
    /// replaced.
    private static func replacing(_ found: [(Range<Int>, String)], in bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var end = 0
        let ordered = found.sorted {
            ($0.0.lowerBound, -$0.0.count) < ($1.0.lowerBound, -$1.0.count)
        }
        for (range, replacement) in ordered where range.upperBound > end {
            if range.lowerBound >= end {
                result += bytes[end..<range.lowerBound]
                result += replacement.utf8
            }
            end = range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }
}

extension Service {
    /// Returns the secrets of one request, which messages and stored URLs must not contain.
    package func secrets(of request: HTTPRequest) -> SecretMask {
        SecretMask(of: self, and: request.headerFields)
    }

    /// The secrets of every request to this service: its header fields and query parameters.
    ///
    /// The fields of ``Credentials`` are not included.
    var secrets: SecretMask { SecretMask(of: self, and: headers) }

    /// Returns a URL that may be stored: see ``SecretMask/sealed(_:)``.
    package func withoutSecrets(_ url: URL) -> URL {
        secrets.sealed(url)
    }
}
