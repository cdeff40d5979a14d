/// Where a document has its objects.
struct SampleLists {
    /// A list of objects, or one object.
    struct Found: Equatable {
        /// The names that lead to it; nil for the document itself.
        var keyPath: String?

        /// The name that says what the objects are.
        var name: String?
    }

    /// Finds the lists of a document.
    static func find(in root: JSONNode) -> [Found] {
        guard root.kind == .object else { return [Found()] }
        return lists(in: root, below: [], depth: 0) ?? [Found()]
    }

    /// Names under which services put the list, the usual ones first.
    private static let usual = [
        "results", "data", "items", "records", "value", "objects", "rows", "entries", "content",
        "list", "nodes", "hits",
    ]

    /// Names of objects that services put around the list.
    private static let wrappers = [
        "data", "_embedded", "response", "result", "results", "payload", "body", "d",
    ]

    private static func lists(in object: JSONNode, below path: [String], depth: Int) -> [Found]? {
        guard !isRecord(object) else { return path.isEmpty ? nil : [found(path, nil)] }
        for name in usual {
            guard let list = object.member(name), list.kind == .array, isOfObjects(list) else {
                continue
            }
            return [found(path + [name], nil)]
        }
        let named = Set(
            object.members.filter { name, value in
                value.kind == .array && value.firstChild < value.next && isOfObjects(value)
                    && isPathName(name.string)
            }.map(\.name.string)
        )
        if named.count == 1 || named.count > 1 && isPlain(object, beside: named) {
            return named.sorted().map { found(path + [$0], $0) }
        }
        guard named.isEmpty, depth < 3 else { return nil }
        for name in wrappers {
            guard let inner = object.member(name), inner.kind == .object else { continue }
            if let lists = lists(in: inner, below: path + [name], depth: depth + 1) {
                return lists
            }
            if name == "data", isPlain(object, beside: [name]) {
                return [found(path + [name], nil)]
            }
        }
        return nil
    }

    private static func found(_ path: [String], _ name: String?) -> Found {
        Found(keyPath: path.joined(separator: "."), name: name)
    }

    /// Whether an object is a record of its own, not the page of a list.
    private static func isRecord(_ object: JSONNode) -> Bool {
        ["id", "_id", "objectId", "uuid"].contains { name in
            object.member(name).map { $0.kind == .string || $0.kind == .number } ?? false
        }
    }

    /// Whether there is nothing but objects in a list.
    private static func isOfObjects(_ list: JSONNode) -> Bool {
        list.elements.allSatisfy { $0.kind == .object }
    }

    /// Whether an object has only plain values beside some of its members.
    private static func isPlain(_ object: JSONNode, beside names: Set<String>) -> Bool {
        object.members.allSatisfy { name, value in
            names.contains(name.string) || value.kind != .object && value.kind != .array
                || value.kind == .array && value.firstChild == value.next
        }
    }

    private static func isPathName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains(".")
    }
}
