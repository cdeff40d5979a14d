/// A violation of a rule.
struct Finding: CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

extension [Finding] {
    /// The findings as text, one per line, for the message of an expectation.
    var listed: String { map(\.description).joined(separator: "\n") }
}
