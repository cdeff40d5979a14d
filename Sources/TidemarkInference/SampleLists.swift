package import TidemarkJSON
import TidemarkModel

/// The search for the objects in a document.
package struct SampleLists {
    /// A list of objects, or a single object.
    struct Found: Equatable {
        /// The path to it; empty for the document itself.
        var path = JSONPath()

        /// The name that gives the entity its name; nil if the source of the sample does.
        var name: String?
    }

    /// Returns the lists of a document, or the document itself if it is a single object.
    static func find(in root: JSONNode) -> [Found] {
        guard root.kind == .object else { return [Found()] }
        return lists(in: root, below: JSONPath(), depth: 0) ?? [Found()]
    }

    /// Names under which services commonly send a list, the most common first.
    private static let usual = [
        "results", "data", "items", "records", "value", "objects", "rows", "entries", "content",
        "list", "nodes", "hits",
    ]

    /// Names of objects in which services commonly wrap a list.
    private static let wrappers = [
        "data", "_embedded", "response", "result", "results", "payload", "body", "d",
    ]

    private static func lists(in object: JSONNode, below path: JSONPath, depth: Int) -> [Found]? {
        guard !isRecord(object) else { return path.isEmpty ? nil : [Found(path: path)] }
        for name in usual {
            guard let list = object.member(name), list.kind == .array, isOfObjects(list) else {
                continue
            }
            return [Found(path: path.appending(name))]
        }
        let arrays = object.members.filter { name, value in
            value.kind == .array && isOfObjects(value) && isPathName(name.string)
        }
        let links = Set(
            arrays.filter { isLinks($0.value, named: $0.name.string) }.map(\.name.string)
        )
        let others = arrays.filter { !links.contains($0.name.string) }
        let named = Set(
            (others.isEmpty ? arrays : others).filter { $0.value.firstChild < $0.value.next }
                .map(\.name.string)
        )
        if named.count == 1 || named.count > 1 && isPlain(object, beside: named.union(links)) {
            return named.sorted().map { Found(path: path.appending($0), name: $0) }
        }
        if !links.isEmpty, others.count == 1, let list = others.first {
            let name = list.name.string
            return [Found(path: path.appending(name), name: name)]
        }
        guard named.isEmpty, depth < 3 else { return nil }
        for name in wrappers {
            guard let inner = object.member(name), inner.kind == .object else { continue }
            if let lists = lists(in: inner, below: path.appending(name), depth: depth + 1) {
                return lists
            }
            if name == "data", isPlain(object, beside: [name]) {
                return [Found(path: path.appending(name))]
            }
        }
        return nil
    }

    /// Returns whether an array contains the links of a document, such as those to its other pages.
    ///
    /// They are not the objects of a list if the document has another one. Sources: OGC API
    /// Features, STAC and JSON Hyper-Schema (`links`), FHIR (`link`, with `relation`).
    package static func isLinks(_ value: JSONNode, named name: String) -> Bool {
        let isNamed = ["links", "_links", "link"].contains(name)
        let isEmpty = value.firstChild == value.next
        return isNamed || !isEmpty && value.elements.allSatisfy(isLink)
    }

    private static func isLink(_ element: JSONNode) -> Bool {
        let hasMember = { (names: [String]) in
            names.contains { element.member($0)?.kind == .string }
        }
        return hasMember(["rel", "relation"]) && hasMember(["href", "url", "uri"])
    }

    /// Returns whether an object is a record, not an envelope around a list.
    private static func isRecord(_ object: JSONNode) -> Bool {
        ["id", "_id", "objectId", "uuid"].contains { name in
            object.member(name).map { $0.kind == .string || $0.kind == .number } ?? false
        }
    }

    /// Returns whether all elements of an array are objects.
    private static func isOfObjects(_ list: JSONNode) -> Bool {
        list.elements.allSatisfy { $0.kind == .object }
    }

    /// Returns whether an object's other members are scalars or empty arrays.
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
