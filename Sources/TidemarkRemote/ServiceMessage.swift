import TidemarkJSON
import TidemarkModel

/// The error message of a service, shortened to one line.
enum ServiceMessage {
    static let limit = 200

    /// Returns the error message in a response body: in JSON the strings under the usual keys, else
    /// the beginning of the text.
    ///
    /// A service may repeat what it received. Secrets are hidden before the text is truncated: the
    /// first part of a secret would not be recognized as one.
    static func inBody(_ bytes: [UInt8], hiding secrets: SecretMask) -> String? {
        let text = oneLine(secrets.hiding(in: message(in: bytes)))
        return text.isEmpty ? nil : text
    }

    /// The members that contain the message of a failed request, the most specific first.
    private static let keys = [
        "detail", "description", "message", "error", "errors", "issue", "reason", "title",
    ]

    private static func message(in bytes: [UInt8]) -> String {
        if case .success(let document) = Result(catching: { try JSONDocument(bytes) }) {
            let members = DocumentMembers(document)
            for key in Self.keys {
                let strings = members.strings(at: [key])
                if !strings.isEmpty { return strings.joined(separator: "; ") }
            }
            return members.strings(at: []).joined(separator: "; ")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text without control characters and repeated spaces, truncated to a number of
    /// characters.
    static func oneLine(_ text: String, limit: Int = limit) -> String {
        // Bounds the work for long texts, with room for the characters that are removed.
        String(text.unicodeScalars.prefix(limit * 8)).singleLine()
            .split(separator: " ").joined(separator: " ").singleLine(limit: limit)
    }
}
