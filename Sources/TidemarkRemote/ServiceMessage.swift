import TidemarkModel

/// What a service says about a failure, short and on one line.
enum ServiceMessage {
    static let limit = 200

    /// The words in the body of an error: of JSON what stands under the usual keys, else how it
    /// begins.
    ///
    /// A service may repeat what it was sent. Secrets are hidden before anything is cut: the
    /// beginning of one would pass for another word.
    static func inBody(_ bytes: [UInt8], hiding secrets: SecretMask) -> String? {
        let text = oneLine(secrets.hiding(in: said(bytes)), limit: limit)
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
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text of at most so many characters, without control characters and runs of blanks.
    static func oneLine(_ text: String, limit: Int) -> String {
        String(text.unicodeScalars.prefix(limit * 8)).singleLine()
            .split(separator: " ").joined(separator: " ").singleLine(limit: limit)
    }
}
