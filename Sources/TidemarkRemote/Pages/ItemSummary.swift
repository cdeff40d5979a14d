import HTTPTypes
import TidemarkJSON
import TidemarkModel

/// A summary of the objects of a page, updated as they are read: their number, the last key and the
/// latest change.
struct ItemSummary {
    private(set) var count = 0

    /// The key of the last object.
    private(set) var lastKey: String?

    /// The stamp of the last object.
    private(set) var lastStamp: ChangeStamp?

    /// The latest stamp, except for those later than the response's `Date`: an object stamped in
    /// the future says nothing about the changes until then.
    private(set) var latest: ChangeStamp?

    /// The hashes of the first and the last object, if pages may be requested by number or offset.
    private var ends: (first: Int, last: Int)?

    private let key: [String]?
    private let stamp: [String]?
    private let item: JSONPath
    private let isPaged: Bool
    private let date: HTTPDate?

    /// Creates an empty summary that records what the style of a list requires.
    ///
    /// - Parameters:
    ///   - style: The style of the list.
    ///   - headers: The header fields of the response, whose `Date` bounds the stamps.
    init(of style: ResourceStyle, in headers: HTTPFields) {
        item = JSONPath(style.item)
        switch style.pagination {
        case .keyset(let keyset): (key, isPaged) = (keyset.key, false)
        case .automatic, .number, .offset: (key, isPaged) = (nil, true)
        case .none, .nextInBody, .linkHeader, .nextHeader, .token, .headerToken:
            (key, isPaged) = (nil, false)
        }
        switch style.delta {
        case .since(let since): (stamp, date) = (since.field, HTTPDate(headers))
        case .none, .version, .token, .link: (stamp, date) = (nil, nil)
        }
    }

    /// Adds the next object.
    mutating func add(_ node: JSONNode) {
        if isPaged, count == 0 { ends = (Self.hash(node), 0) }
        count += 1
        if let stamp {
            lastStamp = text(at: stamp, in: node).flatMap(ChangeStamp.init)
            if let lastStamp, date?.isBefore(lastStamp) != true {
                latest = max(latest ?? lastStamp, lastStamp)
            }
        }
    }

    /// Records an object as the last one of the page.
    mutating func end(with node: JSONNode) {
        ends?.last = Self.hash(node)
        lastKey = key.flatMap { text(at: $0, in: node) }
    }

    /// Returns the text at a path in the object of an element, or else in the element itself.
    private func text(at path: [String], in element: JSONNode) -> String? {
        guard !item.isEmpty else { return element.text(at: path) }
        return element.node(at: item)?.text(at: path) ?? element.text(at: path)
    }

    /// Adds the objects of the list at a path; a single object counts as one.
    mutating func add(listAt path: [String], in document: JSONDocument) {
        document.withRoot { root in
            let list = root.node(at: JSONPath(path))
            if list?.kind == .object { count += 1 }
            guard let list, list.kind == .array else { return }
            var last: JSONNode?
            for element in list.elements {
                add(element)
                last = element
            }
            if let last { end(with: last) }
        }
    }

    /// A hash that identifies the objects of a page, if pages may be requested by number or offset;
    /// nil otherwise, and for an empty page.
    var fingerprint: Int? {
        // The first and the last object, not all of them: keys are unique, so a page
        // with the same ends and length repeats the previous one.
        ends.map { ends in
            var hasher = Hasher()
            hasher.combine(count)
            hasher.combine(ends.first)
            hasher.combine(ends.last)
            return hasher.finalize()
        }
    }

    private static func hash(_ node: JSONNode) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(node.source))
        return hasher.finalize()
    }
}

extension JSONNode {
    /// Returns the string or the number at a path, as written in the document.
    func text(at path: [String]) -> String? {
        guard let node = node(at: JSONPath(path)) else { return nil }
        switch node.kind {
        case .string: return node.string
        case .number: return String(decoding: node.text, as: UTF8.self)
        case .object, .array, .true, .false, .null: return nil
        }
    }
}
