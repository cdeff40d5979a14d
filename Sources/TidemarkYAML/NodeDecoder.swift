import Yams

/// A decoder of YAML nodes whose time is proportional to the size of the node.
///
/// The decoder of Yams searches a mapping linearly for each key, which takes quadratic time.
struct NodeDecoder: Decoder {
    let node: Node
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    init(
        _ node: Node,
        userInfo: [CodingUserInfoKey: Any],
        at codingPath: [any CodingKey] = []
    ) {
        self.node = node
        self.userInfo = userInfo
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard let mapping = node.mapping else { throw mismatch(Node.Mapping.self) }
        return KeyedDecodingContainer(NodeMembers<Key>(of: mapping, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let sequence = node.sequence else { throw mismatch(Node.Sequence.self) }
        return NodeElements(of: sequence, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the decoder of a member or an element.
    fileprivate func decoder(of node: Node, at key: any CodingKey) -> NodeDecoder {
        NodeDecoder(node, userInfo: userInfo, at: codingPath + [key])
    }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "Expected \(type)."
            )
        )
    }
}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.null != nil }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let scalar = type as? any ScalarConstructible.Type else {
            return try type.init(from: self)
        }
        guard let text = node.scalar, let value = scalar.construct(from: text) as? T else {
            throw mismatch(type)
        }
        return value
    }
}

/// The members of a mapping by name.
///
/// Names are compared without their quotation marks: `no` and `"no"` are the same name.
private struct NodeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: NodeDecoder
    private let names: [String]
    private let nodes: [String: Node]

    init(of mapping: Node.Mapping, decoder: NodeDecoder) {
        self.decoder = decoder
        let members = mapping.compactMap { key, value in
            key.scalar.map { (name: $0.string, value: value) }
        }
        names = members.map(\.name)
        nodes = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { nodes[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> NodeDecoder {
        guard let node = nodes[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "There is no key \(key.stringValue)."
                )
            )
        }
        return decoder.decoder(of: node, at: key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try member(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member(NodeKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// The elements of a sequence.
private struct NodeElements: UnkeyedDecodingContainer {
    private let decoder: NodeDecoder
    private let sequence: Node.Sequence
    private(set) var currentIndex = 0

    init(of sequence: Node.Sequence, decoder: NodeDecoder) {
        self.decoder = decoder
        self.sequence = sequence
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { sequence.count }

    var isAtEnd: Bool { currentIndex >= sequence.count }

    /// Decodes the next element, and advances if that succeeds.
    private mutating func next<T>(_ body: (NodeDecoder) throws -> T) throws -> T {
        let key = NodeKey(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                T.self,
                DecodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "The list has no more elements."
                )
            )
        }
        let value = try body(decoder.decoder(of: sequence[currentIndex], at: key))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        let isNil = try next { $0.decodeNil() }
        if !isNil { currentIndex -= 1 }
        return isNil
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

/// The index of an element, or the name of a member.
private struct NodeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
