import Foundation
import TidemarkModel

/// The query of a URL, parameter by parameter.
struct PageQuery {
    private var parts: URLComponents

    /// The query of a URL; nil where that is none.
    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        self.parts = parts
    }

    /// The URL with the query as it is now.
    var url: URL? { parts.url }

    /// The value of a parameter.
    subscript(name: String) -> String? {
        parts.queryItems?.last { $0.name == name }?.value
    }

    /// Gives parameters their values, and takes away what they had.
    mutating func set(_ items: [QueryItem]) {
        for item in items { set(item.name, item.value) }
    }

    /// Gives a parameter its value; nil takes it away.
    mutating func set(_ name: String, _ value: String?) {
        var rest = (parts.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
        let encoded = Self.encoded(name.utf8)
        rest.removeAll { $0 == encoded || $0.hasPrefix("\(encoded)=") }
        if let value { rest.append("\(encoded)=\(Self.encoded(value.utf8))") }
        parts.percentEncodedQuery = rest.isEmpty ? nil : rest.joined(separator: "&")
    }

    /// Everything but letters, digits and `-._~` encoded: a plus sign is no blank then.
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
