import Foundation
import TidemarkModel

/// A URL whose query parameters are read and set one at a time.
struct PageQuery {
    private var parts: URLComponents

    /// Creates the query of a URL; nil if the URL cannot be parsed.
    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        self.parts = parts
    }

    /// The URL with the current parameters.
    var url: URL? { parts.url }

    /// The decoded value of a parameter; nil if it is absent.
    subscript(name: String) -> String? {
        parts.queryItems?.last { $0.name == name }?.value
    }

    /// Sets parameters, replacing existing ones of the same names.
    mutating func set(_ items: [QueryItem]) {
        for item in items { set(item.name, item.value) }
    }

    /// Sets a parameter; nil removes it.
    mutating func set(_ name: String, _ value: String?) {
        // The encoded query, not `queryItems`: setting those would change the encoding of other
        // parameters, such as `%2B` to `+`.
        var rest = (parts.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
        let encoded = Self.encoded(name.utf8)
        rest.removeAll { $0 == encoded || $0.hasPrefix("\(encoded)=") }
        if let value { rest.append("\(encoded)=\(Self.encoded(value.utf8))") }
        parts.percentEncodedQuery = rest.isEmpty ? nil : rest.joined(separator: "&")
    }

    /// Percent-encodes everything but letters, digits and `-._~`, so that no plus sign is taken for
    /// a space.
    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
