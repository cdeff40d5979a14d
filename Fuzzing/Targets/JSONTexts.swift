import TidemarkJSON
import TidemarkModel

/// JSON texts: both readers agree, and what is written parses to the same value.
enum JSONTexts {
    /// Checks an input.
    ///
    /// The first byte selects the window of the reader and the key path of the items. The other
    /// bytes are the text.
    static func check(_ bytes: [UInt8]) throws {
        var bytes = FuzzBytes(bytes)
        let choice = Int(bytes.byte())
        let text = bytes.remainder()
        let path: JSONPath = choice < 128 ? JSONPath() : "a.b"
        let inMemory = outcome { try JSONDocument(text).items(at: path) }
        let streamed = outcome { reader(text, at: path, window: choice % 64 + 1) }
        if try !mayDiffer(inMemory, streamed, text, at: path) {
            try Violation.unlessEqual(inMemory, streamed, "in memory and streamed")
        }
        do {
            try checkWriting(JSONDocument(text))
        } catch is JSONError {
            // The text is not valid JSON, on which both readers agreed.
        }
    }

    private static func reader(
        _ text: [UInt8],
        at path: JSONPath,
        window: Int
    ) -> JSONItemReader {
        var offset = 0
        return JSONItemReader(root: path, limits: JSONLimits(), window: window) { buffer in
            let count = min(buffer.count, text.count - offset)
            buffer.copyBytes(from: text[offset..<(offset + count)])
            offset += count
            return count
        }
    }

    /// The items of a text, or the error of reading it.
    private enum Outcome: Equatable {
        case items([String])
        case noJSON(JSONError)
        case noItems(JSONItemsError)
        case other(String)
    }

    private static func outcome(_ items: () throws -> some JSONItems) -> Outcome {
        var texts: [String] = []
        do {
            var items = try items()
            while try items.next({ texts.append(String(decoding: $0.source, as: UTF8.self)) }) {}
            return .items(texts)
        } catch let error as JSONError {
            return .noJSON(error)
        } catch let error as JSONItemsError {
            return .noItems(error)
        } catch {
            return .other("\(error)")
        }
    }

    /// Returns whether the two readers may give different results.
    ///
    /// The incremental reader stops as soon as it finds that there is no list. It then misses later
    /// errors and a later duplicate of a name in the key path. If the name of a list occurs twice,
    /// it cannot revert items that were already returned.
    private static func mayDiffer(
        _ inMemory: Outcome,
        _ streamed: Outcome,
        _ text: [UInt8],
        at path: JSONPath
    ) throws -> Bool {
        switch (inMemory, streamed) {
        case (.noJSON, .noItems), (.noItems, .noItems): !path.isEmpty
        case (_, .noItems(let error)):
            try error.reason == .repeated || isRepeated(path, in: text)
        case (.items, _), (.noJSON, _), (.noItems, _), (.other, _): false
        }
    }

    /// Returns whether an object on the key path contains a name of the path twice.
    private static func isRepeated(_ path: JSONPath, in text: [UInt8]) throws -> Bool {
        try JSONDocument(text).withRoot { root in
            var node = root
            for name in path.names where node.kind == .object {
                let found = node.members.filter { $0.name.string == name }
                guard found.count < 2, let only = found.first else { return found.count > 1 }
                node = only.value
            }
            return false
        }
    }

    private static func checkWriting(_ document: JSONDocument) throws {
        let tree = document.withRoot(JSONTree.init)
        for style in [JSONWriter.Style.compact, .pretty] {
            var writer = JSONWriter(style)
            tree.write(to: &writer)
            let again = try JSONDocument(writer.bytes).withRoot(JSONTree.init)
            try Violation.unlessEqual(tree, again, "written and read again, \(style)")
        }
        var compact: [UInt8] = []
        document.withRoot { $0.compactText(into: &compact) }
        let again = try JSONDocument(compact).withRoot(JSONTree.init)
        try Violation.unlessEqual(tree, again, "compact text")
        try tree.checkMembers(of: document)
    }
}

/// A JSON value as a tree.
///
/// Numbers keep their notation.
indirect enum JSONTree: Equatable {
    case object([(name: String, value: JSONTree)])
    case array([JSONTree])
    case string(String)
    case number(String)
    case word(String)

    init(_ node: JSONNode) {
        switch node.kind {
        case .object:
            self = .object(node.members.map { ($0.name.string, JSONTree($0.value)) })
        case .array: self = .array(node.elements.map(JSONTree.init))
        case .string: self = .string(node.string)
        case .number: self = .number(node.string)
        case .true, .false, .null: self = .word(node.string)
        }
    }

    /// Strings are compared by bytes, because `==` treats canonically equivalent strings as equal.
    static func == (left: JSONTree, right: JSONTree) -> Bool {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { pair in
                    pair.0.name.utf8.elementsEqual(pair.1.name.utf8) && pair.0.value == pair.1.value
                }
        case (.array(let left), .array(let right)): left == right
        case (.string(let left), .string(let right)), (.number(let left), .number(let right)),
            (.word(let left), .word(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.object, _), (.array, _), (.string, _), (.number, _), (.word, _): false
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.beginObject()
            for (name, value) in members {
                writer.key(name)
                value.write(to: &writer)
            }
            writer.endObject()
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .string(let text): writer.string(text)
        case .number(let text), .word(let text): writer.raw(text)
        }
    }

    /// Checks that each member is found by its name.
    ///
    /// If a name is repeated, the last member counts.
    func checkMembers(of document: JSONDocument) throws {
        try document.withRoot { node in
            guard case .object(let members) = self else { return }
            for (name, _) in members {
                let last = members.last { $0.name.utf8.elementsEqual(name.utf8) }
                let found = node.member(name).map(JSONTree.init)
                try Violation.unlessEqual(found, last?.value, "the member \(name)")
            }
            _ = node.elements.map { ($0.integer, $0.double, $0.boolean) }
        }
    }
}
