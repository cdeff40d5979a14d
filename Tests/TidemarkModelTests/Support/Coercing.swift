import TidemarkJSON
import TidemarkTestSupport

@testable import TidemarkModel

extension Coercion {
    /// Returns the converted value of a JSON text as Swift prints it, or the error message.
    func outcome(of json: String, asKey: Bool = false) throws -> String {
        let document = try JSONDocument(json)
        let arena = ValueArena()
        return document.withRoot { root in
            let result = asKey ? coerceKey(root, into: arena) : coerce(root, into: arena)
            switch result {
            case .value(let stored): return stored.shown
            case .failure(let failure): return failure.sentence()
            case .ignored: return "ignored"
            }
        }
    }
}

extension StoredValue {
    /// The value as text, with its SQL type.
    var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
        case .blob(let bytes): "x\(Array(bytes))"
        }
    }
}
