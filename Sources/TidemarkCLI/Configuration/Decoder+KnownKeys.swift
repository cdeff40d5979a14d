extension Decoder {
    /// Refuses keys that are not among those of a type.
    func allow<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type) throws {
        let known = Keys.allCases.map(\.stringValue)
        let all = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = all.first(where: { !known.contains($0) }) else { return }
        let place = codingPath.isEmpty ? unknown : "\(codingPath.place).\(unknown)"
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "\(place) is not known. Known are \(known.joined(separator: ", "))."
            )
        )
    }
}

extension [any CodingKey] {
    /// A path as it is written in messages: `resources.Film[1].path`.
    var place: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

/// Any name of a key.
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
