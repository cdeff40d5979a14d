import Foundation
package import HTTPTypes

extension HTTPField {
    /// Whether the name of the field indicates a credential.
    var isCredential: Bool { name.isCredential }

    /// Whether messages may repeat the value, because the field never contains a secret.
    package var isHarmless: Bool { Self.harmlessNames.contains(name) }

    private static let harmlessNames: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .contentType, .ifNoneMatch,
        .ifModifiedSince, .ifMatch, .userAgent,
    ]

    /// The value, and each part of it that may be the secret: a service that rejects a token
    /// repeats the token, not the field that contained it.
    ///
    /// `Token token="a b", ts=1` has the parts `token="a`, `b"`, `a b` and more. Superfluous parts
    /// do no harm.
    var secretParts: [SecretPart] {
        var parts: [SecretPart] = []
        var words = value.split { $0 == " " || $0 == "\t" }
        if name == .authorization || name == .proxyAuthorization, words.count > 1 {
            // The authentication scheme: `Bearer`, `Basic`, `Token`.
            let scheme = words.removeFirst()
            let rest = value[scheme.endIndex...].drop { $0 == " " || $0 == "\t" }
            parts.append(SecretPart(rest.utf8, isCredential: true))
            // If the value has no scheme, its first word is part of the secret.
            parts.append(SecretPart(value.utf8, isCredential: true, least: value.utf8.count))
            if scheme.lowercased() == "basic" { parts += Self.pair(rest) }
        } else {
            parts.append(SecretPart(value.utf8, isCredential: isCredential))
        }
        for quoted in value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where quoted.offset % 2 == 1 {
            parts.append(SecretPart(quoted.element.utf8, isCredential: isCredential))
        }
        for word in words + words.flatMap({ $0.split { $0 == "," || $0 == ";" } }) {
            parts.append(SecretPart(word.utf8, isCredential: isCredential))
            parts.append(SecretPart(word.trimming("\"=").utf8, isCredential: isCredential))
            guard let equals = word.firstIndex(of: "=") else { continue }
            let value = word[word.index(after: equals)...].trimming("\"=")
            parts.append(SecretPart(value.utf8, isCredential: isCredential))
        }
        return parts
    }

    /// Decodes the `user:password` pair of Basic authentication into its secrets: the pair and the
    /// password.
    ///
    /// The user name is a secret only if the password is empty, because it may occur in any URL.
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
            SecretPart(bytes, isCredential: true), SecretPart(password, isCredential: true),
            SecretPart(parts.first ?? [], isCredential: password.isEmpty),
        ]
    }
}

/// A part of a header field's value that may be a secret.
struct SecretPart {
    let bytes: [UInt8]

    /// Whether the part is also hidden in URLs, not only in messages.
    let isCredential: Bool

    /// The number of leading bytes that are hidden when they occur alone: a service may truncate
    /// what it repeats.
    let least: Int

    init(_ bytes: some Sequence<UInt8>, isCredential: Bool, least: Int? = nil) {
        self.bytes = Array(bytes)
        self.isCredential = isCredential
        // The name in `username="ada"` is not a secret: a match must extend beyond it.
        let name = self.bytes.prefix { $0 != UInt8(ascii: "=") }
        self.least = least ?? Self.least + (name.count < self.bytes.count ? name.count + 1 : 0)
    }

    private static let least = 8
}

extension Substring {
    /// Returns the text without the given characters at either end.
    fileprivate func trimming(_ characters: String) -> Substring {
        var text = self
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return text
    }
}
