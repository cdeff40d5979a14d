extension Decoder {
    /// Throws an error for the first key that does not belong to a type.
    func allow<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type) throws {
        let known = Keys.allCases.map(\.stringValue)
        guard let unknown = try names.first(where: { !known.contains($0) }) else { return }
        let keyPath = codingPath.isEmpty ? unknown : "\(codingPath.keyPath).\(unknown)"
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "\(keyPath) is not known. Known are \(known.joined(separator: ", "))."
            )
        )
    }

    /// Returns whether there is a key of this name.
    func has(_ name: String) throws -> Bool { try names.contains(name) }

    private var names: [String] {
        get throws { try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue) }
    }
}

extension [any CodingKey] {
    /// The path as messages show it: `resources.Film[1].path`.
    var keyPath: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

/// A coding key with any name.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
