package import Foundation
package import HTTPTypes

extension URL {
    /// Returns whether the name of a query parameter indicates a secret.
    ///
    /// A name matches by a part, by one of its words, by its ending, or as a whole. The list is in
    /// docs/tidemark-yml.md.
    package static func isSecret(_ name: String) -> Bool {
        let name = name.removingPercentEncoding ?? name
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return SecretNames.parts.contains { plain.contains($0) }
            || SecretNames.parameters.contains(plain)
            || SecretNames.ends.contains { plain.hasSuffix($0) }
            || !SecretNames.words.isDisjoint(with: SecretNames.words(of: name))
    }
}

extension HTTPField.Name {
    /// Whether the name of a header field indicates a credential.
    ///
    /// Unlike the name of a parameter, it is compared word by word only: `X-API-Key` is a
    /// credential, `X-Monkey` is not.
    package var isCredential: Bool {
        let words = SecretNames.words(of: rawName)
        return words.contains { word in
            SecretNames.parts.contains { word.contains($0) } || SecretNames.words.contains(word)
                || SecretNames.fieldWords.contains(word) || SecretNames.isKey(word)
        }
    }
}

/// The names of query parameters and header fields that contain secrets.
private enum SecretNames {
    static let parts = [
        "token", "secret", "password", "passwd", "passphrase", "session", "credential", "bearer",
        "sessid", "saml",
    ]
    static let ends = ["key", "signature"]
    static let words: Set = [
        "auth", "oauth", "authorization", "jwt", "sid", "otp", "totp", "pwd", "hmac",
    ]
    static let parameters: Set = [
        "sig", "code", "pass", "pin", "ticket", "appid", "cookie", "nonce", "assertion",
    ]
    static let fieldWords: Set = [
        "authentication", "sig", "signature", "pass", "pin", "ticket", "cookie", "nonce",
        "assertion",
    ]

    /// The prefixes that form one word with `key`, as in `X-Apikey`.
    private static let keyKinds: Set = [
        "", "api", "app", "access", "account", "auth", "client", "consumer", "license", "master",
        "partner", "pass", "private", "public", "service", "shared", "signing", "subscription",
        "user",
    ]

    /// Returns whether a word is `key` or a compound of it.
    static func isKey(_ word: String) -> Bool {
        word.hasSuffix("key") && keyKinds.contains(String(word.dropLast("key".count)))
    }

    /// Splits a name into words, such as `user_id` and `userId` into two, in lowercase.
    static func words(of name: String) -> [String] {
        var words = [""]
        for (before, letter) in zip([" "] + name, name) {
            if letter.isUppercase, before.isLowercase { words.append("") }
            if letter.isLetter || letter.isNumber {
                words[words.count - 1] += letter.lowercased()
            } else {
                words.append("")
            }
        }
        return words
    }
}
