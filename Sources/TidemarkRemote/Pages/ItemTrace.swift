import HTTPTypes
import TidemarkModel

/// What is noticed of the objects of a page as they pass: how many, the last, the latest change.
struct ItemTrace {
    private(set) var count = 0

    /// The key of the last object.
    private(set) var lastKey: String?

    /// The stamp of the last object.
    private(set) var lastStamp: ChangeStamp?

    /// The latest stamp of all that lie before the answer itself: what claims to be of tomorrow
    /// says nothing of the changes until then.
    private(set) var latest: ChangeStamp?

    private let key: [String]?
    private let stamp: [String]?

    private let date: HTTPDate?

    /// Begins to notice what the style of a list needs.
    ///
    /// - Parameters:
    ///   - style: The style of the list.
    ///   - headers: The header fields of the answer, which may tell when it was given.
    init(_ style: ListStyle, _ headers: HTTPFields) {
        switch style.pagination {
        case .keyset(let keyset): key = keyset.key
        case .automatic, .none, .nextInBody, .linkHeader, .nextHeader, .number, .offset, .token:
            key = nil
        }
        switch style.delta {
        case .since(let since):
            stamp = since.field
            date = HTTPDate(headers)
        case .none, .version:
            stamp = nil
            date = nil
        }
    }

    /// Whether the objects themselves have to be looked at.
    var isCountEnough: Bool { key == nil && stamp == nil }

    mutating func add(count: Int) {
        self.count += count
    }

    mutating func add(_ node: JSONNode) {
        count += 1
        if let key { lastKey = node.word(at: key) }
        if let stamp {
            lastStamp = node.word(at: stamp).flatMap(ChangeStamp.init)
            if let lastStamp, date?.isBefore(lastStamp) != true {
                latest = max(latest ?? lastStamp, lastStamp)
            }
        }
    }
}

extension JSONNode {
    /// The value under some keys, one inside the other.
    func node(at path: [String]) -> JSONNode? {
        var node = self
        for name in path {
            guard node.kind == .object, let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }

    /// The text or the number under some keys, as it is written.
    func word(at path: [String]) -> String? {
        guard let node = node(at: path) else { return nil }
        switch node.kind {
        case .string: return node.string
        case .number: return String(decoding: node.text, as: UTF8.self)
        case .object, .array, .true, .false, .null: return nil
        }
    }
}
