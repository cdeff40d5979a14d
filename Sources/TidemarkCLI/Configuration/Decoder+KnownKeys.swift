extension Decoder {
    /// Refuses keys that are not among those of a type.
    func allow<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type) throws {
        let known = Keys.allCases.map(\.stringValue)
        let all = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = all.first(where: { !known.contains($0) }) else { return }
        let place = (codingPath.map(\.stringValue) + [unknown]).joined(separator: ".")
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "\(place) is not known. Known are \(known.joined(separator: ", "))."
            )
        )
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
