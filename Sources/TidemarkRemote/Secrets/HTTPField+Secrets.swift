import Foundation
package import HTTPTypes

extension HTTPField {
    /// Whether the value is a credential by the field's name.
    var isCredential: Bool { name.isCredential }

    /// Whether the value says nothing that a message may not repeat.
    package var isHarmless: Bool { Self.harmlessNames.contains(name) }

    private static let harmlessNames: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .contentType, .ifNoneMatch,
        .ifModifiedSince, .userAgent,
    ]

    /// The value, and each part of it that may be the secret: a service that refuses a token
    /// repeats the token, not the field in which it came.
    ///
    /// `Token token="a b", ts=1` has the parts `token="a`, `b"`, `a b` and more: too many do no
    /// harm.
    var secretParts: [SecretPart] {
        var parts: [SecretPart] = []
        var words = value.split { $0 == " " || $0 == "\t" }
        if name == .authorization || name == .proxyAuthorization, words.count > 1 {
            // The scheme: `Bearer`, `Basic`, `Token`.
            let scheme = words.removeFirst()
            let rest = value[scheme.endIndex...].drop { $0 == " " || $0 == "\t" }
            parts.append(SecretPart(rest.utf8, true))
            // Without a scheme the first word is part of the secret.
            parts.append(SecretPart(value.utf8, true, least: value.utf8.count))
            if scheme.lowercased() == "basic" { parts += Self.pair(rest) }
        } else {
            parts.append(SecretPart(value.utf8, isCredential))
        }
        for quoted in value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where quoted.offset % 2 == 1 {
            parts.append(SecretPart(quoted.element.utf8, isCredential))
        }
        for word in words + words.flatMap({ $0.split { $0 == "," || $0 == ";" } }) {
            parts.append(SecretPart(word.utf8, isCredential))
            parts.append(SecretPart(word.trimming("\"=").utf8, isCredential))
            guard let equals = word.firstIndex(of: "=") else { continue }
            let value = word[word.index(after: equals)...].trimming("\"=")
            parts.append(SecretPart(value.utf8, isCredential))
        }
        return parts
    }

    /// What base64 of `user:password` says: all of it, the password, and the user, who is the
    /// secret only where there is no password: the name may be part of any address.
    private static func pair(_ text: Substring) -> [SecretPart] {
        guard let data = Data(base64Encoded: String(text)) else { return [] }
        let bytes = [UInt8](data)
        let parts = bytes.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let password = parts.count > 1 ? parts[1] : []
        return [
            SecretPart(bytes, true), SecretPart(password, true),
            SecretPart(parts.first ?? [], password.isEmpty),
        ]
    }
}

/// A part of a header field that may be the secret in it.
struct SecretPart {
    let bytes: [UInt8]

    /// Whether it is hidden in addresses too, not only in what a service says.
    let isCredential: Bool

    /// How many bytes of its beginning are hidden: a service may cut what it repeats.
    let least: Int

    init(_ bytes: some Sequence<UInt8>, _ isCredential: Bool, least: Int? = nil) {
        self.bytes = Array(bytes)
        self.isCredential = isCredential
        // The name in `username="ada"` is no secret.
        let name = self.bytes.prefix { $0 != UInt8(ascii: "=") }
        self.least = least ?? Self.least + (name.count < self.bytes.count ? name.count + 1 : 0)
    }

    private static let least = 8
}

extension Substring {
    /// The text without certain characters at its ends.
    fileprivate func trimming(_ characters: String) -> Substring {
        var text = self
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return text
    }
}
