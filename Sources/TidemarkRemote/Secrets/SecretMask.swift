package import Foundation
package import HTTPTypes
import TidemarkModel

/// The secrets of a request, and how they are kept out of messages and of the store.
///
/// A service knows the credentials that it was sent, and may repeat them: in an error, as the
/// target of a redirect, in the address of a next page, as an entity tag. Whatever a service says
/// passes here before it becomes part of a message, and each of its addresses before it is logged,
/// compared or stored.
package struct SecretMask: Sendable {
    private struct Secret {
        /// What a sealed address has in the secret's place.
        let seal: String
        let part: SecretPart

        var bytes: [UInt8] { part.bytes }
        var isCredential: Bool { part.isCredential }
    }

    /// The longest first: one that contains another is hidden as a whole.
    private let secrets: [Secret]

    /// The parameters that every URL of the service carries.
    private let parameters: [QueryItem]

    /// What a message has in the place of a secret.
    static let mark = "***"

    /// Shorter values are no secrets, and are part of many words.
    private static let shortest = 4

    /// How much of a text is looked at; messages show less.
    private static let window = 8 << 10

    /// Finds the secrets of the requests to a service.
    ///
    /// - Parameters:
    ///   - service: The service, whose parameters are secrets.
    ///   - fields: The header fields that are sent.
    init(_ service: Service, _ fields: HTTPFields) {
        parameters = service.query
        var secrets: [Secret] = []
        func add(_ part: SecretPart, _ name: String) {
            guard part.bytes.count >= Self.shortest,
                !secrets.contains(where: { $0.bytes == part.bytes })
            else { return }
            secrets.append(Secret(seal: "\(Self.mark)\(name)\(Self.mark)", part: part))
        }
        for (index, item) in service.query.enumerated() {
            add(SecretPart(item.value.utf8, true), "query.\(index)")
        }
        // Credentials first: of two fields with one value the stricter rule holds. Each request
        // makes a mask: what most of its fields are is known without looking at their words.
        let telling = fields.filter { !$0.isHarmless }.map { ($0, $0.isCredential) }
        for (field, _) in telling.filter(\.1) + telling.filter({ !$0.1 }) {
            // Names of fields may have characters that end a query.
            let name = PageQuery.encoded(field.name.canonicalName.utf8)
            for (index, part) in field.secretParts.enumerated() {
                add(part, "\(name).\(index)")
            }
        }
        self.secrets = secrets.sorted { $0.bytes.count > $1.bytes.count }
    }

    // MARK: Messages

    /// A text of the service with its secrets hidden, however they are spelled.
    ///
    /// - Returns: The beginning of the text, which is longer than any message shows.
    func hiding(in text: String) -> String {
        let all = text.utf8
        let bytes = Array(all.prefix(Self.window))
        let ranges = traces(in: bytes, isCut: bytes.count < all.count)
        guard !ranges.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        return Self.replacing(ranges.map { ($0, Self.mark) }, in: bytes)
    }

    /// Whether a text of the service spells a secret.
    func occurs(in text: String) -> Bool {
        !traces(in: Array(text.utf8.prefix(Self.window)), isCut: false).isEmpty
    }

    private func traces(in bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        guard !secrets.isEmpty, !bytes.isEmpty else { return [] }
        let plain = EscapedText(bytes)
        let once = EscapedText.Escapes.allCases.map(plain.undone)
        let twice = once.flatMap { text in EscapedText.Escapes.allCases.map(text.undone) }
        return ([plain] + once + twice).flatMap { text in
            secrets.flatMap { text.traces(of: $0.bytes, least: $0.part.least, isCut: isCut) }
        }
    }

    // MARK: Addresses

    /// An address as it may be logged, compared and stored: without the parameters that every URL
    /// carries, and with the names of credentials in their places.
    package func sealed(_ url: URL) -> URL {
        var url = url
        if !parameters.isEmpty, var parts = PageQuery(url) {
            for item in parameters { parts.set(item.name, nil) }
            url = parts.url ?? url
        }
        let bytes = Array(url.absoluteString.utf8)
        let plain = EscapedText(bytes)
        let texts = [plain, plain.undone(.percent)]
        let start = Self.start(of: bytes)
        let found = secrets.filter(\.isCredential).flatMap { secret in
            texts.flatMap { $0.occurrences(of: secret.bytes) }
                .filter { $0.lowerBound >= start }.map { ($0, secret.seal) }
        }
        guard !found.isEmpty else { return url }
        return URL(string: Self.replacing(found, in: bytes)) ?? url
    }

    /// An address as it is sent: with what ``sealed(_:)`` has taken away.
    func opened(_ url: URL) -> URL {
        var text = url.absoluteString
        for secret in secrets where secret.isCredential && text.contains(secret.seal) {
            text = text.replacing(secret.seal, with: PageQuery.encoded(secret.bytes))
        }
        let opened = URL(string: text) ?? url
        guard !parameters.isEmpty, var parts = PageQuery(opened) else { return opened }
        parts.set(parameters)
        return parts.url ?? opened
    }

    /// An address as a message may show it.
    package func masked(_ url: URL) -> String {
        sealed(url).shown
    }

    /// Where the path of an address begins.
    private static func start(of address: [UInt8]) -> Int {
        let solidi = address.indices.filter { address[$0] == UInt8(ascii: "/") }
        return solidi.count > 2 ? solidi[2] : address.count
    }

    // MARK: Replacing

    /// The text with other words in the places of some ranges; of those that overlap, the first
    /// and longest.
    private static func replacing(_ found: [(Range<Int>, String)], in bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var end = 0
        let ordered = found.sorted {
            ($0.0.lowerBound, -$0.0.count) < ($1.0.lowerBound, -$1.0.count)
        }
        for (range, word) in ordered where range.upperBound > end {
            if range.lowerBound >= end {
                result += bytes[end..<range.lowerBound]
                result += word.utf8
            }
            end = range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }
}

extension Service {
    /// What must not be repeated of a request to this service.
    package func secrets(of request: HTTPRequest) -> SecretMask {
        SecretMask(self, request.headerFields)
    }

    /// What must not be repeated of any request, as far as the service itself says it.
    var secrets: SecretMask { SecretMask(self, headers) }

    /// A URL as it may be kept: see ``SecretMask/sealed(_:)``.
    package func withoutSecrets(_ url: URL) -> URL {
        secrets.sealed(url)
    }
}
