import TidemarkModel
import Yams

/// A YAML text that is decoded with everything dangerous off.
///
/// Anchors are refused: with aliases a few lines can stand for a document that fills the memory.
struct YAMLText {
    let text: String

    /// Why a text cannot be decoded.
    struct Failure: Error {
        let message: String
    }

    init(_ text: String) {
        self.text = text
    }

    /// Decodes a value; what the value itself refuses is thrown as it is.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try scan()
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw Failure(message: "The text is no YAML: \(error)")
        }
        guard let node else { throw Failure(message: "The text is empty.") }
        return try YAMLDecoder().decode(type, from: node, userInfo: userInfo)
    }

    /// Properties keep the order they are written in.
    private var userInfo: [CodingUserInfoKey: Any] {
        Model.keyOrder.map { [$0: true] } ?? [:]
    }
}
