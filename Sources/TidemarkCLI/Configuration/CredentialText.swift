import HTTPTypes

/// The value of a header field that carries a credential, such as `Bearer $TIDEMARK_TOKEN`.
struct CredentialText {
    private let value: Substring

    /// - Parameters:
    ///   - value: The value, with environment variables as names.
    ///   - name: The name of the field. Both `Authorization` fields begin with a scheme.
    init(_ value: String, of name: HTTPField.Name) {
        let scheme = value.prefix { $0 != " " }
        let isAuthorization = name == .authorization || name == .proxyAuthorization
        let isScheme =
            scheme.endIndex < value.endIndex && Self.isName(scheme)
            && (isAuthorization || Self.schemes.contains(scheme.lowercased()))
        self.value = isScheme ? value[scheme.endIndex...] : value[...]
    }

    /// Whether the value consists only of variables and separators, apart from the scheme and the
    /// names of parameters (`token="$TIDEMARK_TOKEN"`).
    ///
    /// A literal next to a variable may be the credential.
    var isVariable: Bool {
        let parts = value.split { " ,;\t".contains($0) }
        return !parts.isEmpty
            && parts.allSatisfy { part in
                let name = part.prefix { $0 != "=" && $0 != "$" }
                let isNamed = name.endIndex < part.endIndex && part[name.endIndex] == "="
                return Self.isVariable(isNamed && Self.isName(name) ? part[name.endIndex...] : part)
            }
    }

    private static func isVariable(_ text: Substring) -> Bool {
        guard !Secrets.names(in: String(text)).isEmpty else { return false }
        var rest = text
        while let character = rest.popFirst() {
            if character == "$" {
                rest = rest.drop { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            } else if !separators.contains(character) {
                return false
            }
        }
        return true
    }

    /// Returns whether a text can be the name of a scheme or a parameter, as opposed to a
    /// credential.
    private static func isName(_ text: Substring) -> Bool {
        text.first?.isLetter == true && text.count <= 32 && !isSecret(text)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// Returns whether a word looks like a generated secret: more than ten characters with at least
    /// two letters and four digits, or a run of sixteen or more letters and digits that mixes both.
    static func isSecret(_ word: Substring) -> Bool {
        let letters = word.count { $0.isLetter }
        let digits = word.count { $0.isNumber }
        if word.count > 10, letters > 1, digits > 3 { return true }
        return word.split { !$0.isLetter && !$0.isNumber }.contains { run in
            run.count > 15 && run.contains { $0.isNumber } && run.contains { $0.isLetter }
        }
    }

    private static let separators = #":.-_/|+="'"#
    private static let schemes: Set = ["bearer", "basic", "token", "apikey", "key"]
}
