package import TidemarkJSON
import TidemarkModel

/// A JSON value that can be built, shrunk and written.
package indirect enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, in its textual form.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONTree

        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// The value as JSON text.
    package var text: String {
        var writer = JSONWriter()
        write(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The items of a document that consists of the value.
    package var items: JSONDocumentItems {
        get throws { try JSONDocument(Array(text.utf8)).items() }
    }

    private func write(into writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.boolean(flag)
        case .number(let text): writer.raw(text)
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.name)
                member.value.write(into: &writer)
            }
            writer.endObject()
        }
    }

    /// Returns the members of an object with a value added at a dotted path.
    ///
    /// Objects that the path shares with existing members are reused.
    package static func adding(
        _ value: JSONTree,
        at path: String,
        to members: [Member]
    ) -> [Member] {
        guard let dot = path.firstIndex(of: ".") else { return members + [Member(path, value)] }
        let name = String(path[..<dot])
        let rest = String(path[path.index(after: dot)...])
        guard let index = members.firstIndex(where: { $0.name == name }),
            case .object(let inner) = members[index].value
        else {
            return members + [Member(name, .object(adding(value, at: rest, to: [])))]
        }
        var result = members
        result[index].value = .object(adding(value, at: rest, to: inner))
        return result
    }

    /// The values that are smaller by a part, those that lack most first.
    package var smaller: [JSONTree] {
        switch self {
        case .null, .bool, .number, .string:
            return []
        case .array(let elements):
            return elements.withOneRemoved.map(JSONTree.array)
                + elements.indices.flatMap { index in
                    elements[index].smaller.map { .array(elements.replacing(index, by: $0)) }
                }
        case .object(let members):
            return members.withOneRemoved.map(JSONTree.object)
                + members.indices.flatMap { index in
                    members[index].value.smaller.map {
                        let member = Member(members[index].name, $0)
                        return .object(members.replacing(index, by: member))
                    }
                }
        }
    }
}

extension Array {
    /// The arrays that lack half of the elements, or one of them.
    ///
    /// Arrays of up to three elements are not halved.
    package var withOneRemoved: [[Element]] {
        guard count > 3 else { return indices.map(without) }
        let middle = count / 2
        return [Array(self[..<middle]), Array(self[middle...])] + indices.map(without)
    }

    /// Returns the array without the element at an index.
    package func without(_ index: Int) -> [Element] {
        Array(self[..<index]) + Array(self[(index + 1)...])
    }

    /// Returns the array with the element at an index replaced.
    package func replacing(_ index: Int, by element: Element) -> [Element] {
        var result = self
        result[index] = element
        return result
    }
}
