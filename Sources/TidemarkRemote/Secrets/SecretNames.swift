package import Foundation
package import HTTPTypes

extension URL {
    /// Whether a parameter of this name looks like a secret.
    ///
    /// A name counts for what it contains, for one of its words, or as a whole:
    /// docs/tidemark-yml.md has the list.
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
    /// Whether a field of this name carries a credential.
    ///
    /// Unlike a parameter, a field is judged by its words alone: `X-API-Key` carries one, and
    /// `X-Monkey` does not.
    package var isCredential: Bool {
        let words = SecretNames.words(of: rawName)
        return words.contains { word in
            SecretNames.parts.contains { word.contains($0) } || SecretNames.words.contains(word)
                || SecretNames.fieldWords.contains(word) || SecretNames.isKey(word)
        }
    }
}

/// The names of parameters and header fields that carry secrets.
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

    /// What `key` is written together with, as in `X-Apikey`.
    private static let keyKinds: Set = [
        "", "api", "app", "access", "account", "auth", "client", "consumer", "license", "master",
        "partner", "pass", "private", "public", "service", "shared", "signing", "subscription",
        "user",
    ]

    /// Whether a word is `key`, or a compound of it.
    static func isKey(_ word: String) -> Bool {
        word.hasSuffix("key") && keyKinds.contains(String(word.dropLast("key".count)))
    }

    /// The words of a name, such as the two of `user_id` and of `userId`, in lower case.
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
