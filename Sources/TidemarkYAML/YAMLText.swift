import TidemarkModel
import Yams

/// A YAML text that is decoded without the dangerous features of YAML.
///
/// Anchors and aliases are rejected: with aliases, a few lines can expand to a document that
/// exhausts memory.
package struct YAMLText {
    private let node: Node

    /// The reason why a text cannot be decoded.
    package struct Failure: Error {
        /// The position in the text, such as `, line 4, column 1`; empty if it is unknown.
        var position = ""
        let message: String

        /// Returns a sentence that describes the failure for a file.
        package func sentence(about path: String) -> String {
            "\(path)\(position): \(message)"
        }
    }

    /// Parses a text.
    ///
    /// - Throws: ``Failure`` if the text is not valid YAML, has anchors, or is nested too deeply.
    package init(_ text: String) throws {
        try Self.scan(text)
        do {
            guard let node = try Yams.compose(yaml: text) else {
                throw Failure(message: "the file is empty.")
            }
            self.node = node
        } catch let error as YamlError {
            throw Failure(error)
        }
    }

    /// Decodes a value.
    ///
    /// Errors of the value's own decoding are thrown unchanged.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try NodeDecoder(node, userInfo: userInfo).decode(type)
    }

    /// Makes models preserve the order of properties in the text.
    private var userInfo: [CodingUserInfoKey: Any] {
        Model.keyOrder.map { [$0: true] } ?? [:]
    }
}

extension YAMLText.Failure {
    /// Creates a failure with a message of one sentence.
    ///
    /// The description of the parser's error spans several lines, because it quotes the text.
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, column: mark.column, message: "not valid YAML: \(problem).")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.joined(separator: ", ")
            self.init(
                line: context.mark.line,
                column: context.mark.column,
                message: "duplicate key \(keys)."
            )
        case .reader(let problem, _, _, _):
            self.init(message: "not valid YAML: \(problem).")
        default:
            self.init(message: "not valid YAML.")
        }
    }

    /// Creates a failure at a line and a column, both starting at 1.
    init(line: Int, column: Int, message: String) {
        self.init(position: ", line \(line), column \(column)", message: message)
    }
}
