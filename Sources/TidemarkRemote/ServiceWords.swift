import TidemarkModel

/// What a service says about a failure, short and on one line.
enum ServiceWords {
    static let limit = 200

    /// The words in the body of an error: of JSON what stands under the usual keys, else how it
    /// begins.
    ///
    /// A service may say what it was sent: secrets are left out.
    static func inBody(_ bytes: [UInt8], without secrets: [String] = []) -> String? {
        let words = secrets.reduce(said(bytes)) { $0.replacing($1, with: "***") }
        let text = oneLine(words, limit: limit)
        return text.isEmpty ? nil : text
    }

    private static func said(_ bytes: [UInt8]) -> String {
        if case .success(let document) = Result(catching: { try JSONDocument(bytes) }) {
            let facts = BodyFacts(document)
            for key in ["detail", "message", "error", "errors"] {
                let words = facts.strings(at: [key])
                if !words.isEmpty { return words.joined(separator: "; ") }
            }
            return facts.strings(at: []).joined(separator: "; ")
        }
        return String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
    }

    /// A text of at most so many characters, without control characters and runs of blanks.
    static func oneLine(_ text: String, limit: Int) -> String {
        let scalars = text.unicodeScalars.prefix(limit * 8).map { scalar in
            isControl(scalar) ? " " : Character(scalar)
        }
        let line = String(scalars).split(separator: " ").joined(separator: " ")
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
        default: false
        }
    }
}
