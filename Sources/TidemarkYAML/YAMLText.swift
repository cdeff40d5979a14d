import TidemarkModel
import Yams

/// A YAML text that is decoded with everything dangerous off.
///
/// Anchors are refused: with aliases a few lines can stand for a document that fills the memory.
package struct YAMLText {
    private let node: Node

    /// Why a text cannot be decoded.
    package struct Failure: Error {
        /// Where in the text, such as `, line 4, column 1`; empty where it is about the whole.
        var place = ""
        let message: String

        /// The failure as a sentence about a file.
        package func sentence(about path: String) -> String {
            "\(path)\(place): \(message)"
        }
    }

    /// Reads a text.
    ///
    /// - Throws: ``Failure`` where it is no YAML, has anchors or is nested too deeply.
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

    /// Decodes a value; what the value itself refuses is thrown as it is.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try NodeDecoder(node, userInfo).decode(type)
    }

    /// Properties keep the order they are written in.
    private var userInfo: [CodingUserInfoKey: Any] {
        Model.keyOrder.map { [$0: true] } ?? [:]
    }
}

extension YAMLText.Failure {
    /// Tells what is wrong in one sentence.
    ///
    /// The parser's own words quote the text over several lines.
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(mark.line, mark.column, "not valid YAML: \(problem).")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.joined(separator: ", ")
            self.init(context.mark.line, context.mark.column, "duplicate key \(keys).")
        case .reader(let problem, _, _, _):
            self.init(message: "not valid YAML: \(problem).")
        default:
            self.init(message: "not valid YAML.")
        }
    }

    /// A failure at a line and a column, counted from 1.
    init(_ line: Int, _ column: Int, _ message: String) {
        self.init(place: ", line \(line), column \(column)", message: message)
    }
}
