/// A JSON text in memory, scanned once.
///
/// A document is immutable and can be shared between tasks. Its nodes cannot: they point into its
/// memory and are valid only inside ``withRoot(_:)``.
///
/// ```swift
/// let document = try JSONDocument(Array(#"{"results": [1, 2]}"#.utf8))
/// let next = document.withRoot { $0.member("next")?.string }
/// var items = try document.items(at: "results")
/// ```
public struct JSONDocument: Sendable {
    private let storage: Storage

    /// Scans a text.
    ///
    /// A byte-order mark before the value is accepted.
    ///
    /// - Throws: ``JSONError`` if the text is not exactly one JSON value as specified by RFC 8259,
    ///   or a limit is exceeded.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        storage = try Storage(bytes, limits: limits)
    }

    /// Calls `body` with the root value.
    ///
    /// The node is valid only inside `body`.
    public func withRoot<R>(_ body: (JSONNode) throws -> R) rethrows -> R {
        try withExtendedLifetime(storage) { try body(storage.node(at: 0)) }
    }

    /// Returns the items at a path: the elements of the array there, or the single object there.
    ///
    /// If the path is empty, the document itself is the array or the object.
    ///
    /// - Throws: ``JSONItemsError`` if the value is neither an array nor an object, or the path
    ///   does not exist.
    public func items(at path: JSONPath = JSONPath()) throws(JSONItemsError) -> JSONDocumentItems {
        var node = storage.node(at: 0)
        for (depth, name) in path.names.enumerated() {
            guard node.kind == .object else {
                throw JSONItemsError(.notAnObject(node.kind), at: path, depth: depth)
            }
            guard let member = node.member(name) else {
                throw JSONItemsError(.missing, at: path, depth: depth)
            }
            node = member
        }
        guard node.kind == .array || node.kind == .object else {
            throw JSONItemsError(.notAList(node.kind), at: path, depth: path.names.count)
        }
        return JSONDocumentItems(document: self, list: node)
    }

    /// Returns the node with an index.
    ///
    /// The caller must keep the document alive while it uses the node.
    func node(at index: Int) -> JSONNode { storage.node(at: index) }

    /// The maximum length of a text, in bytes: offsets have 32 bits.
    static var longestText: Int { Int(UInt32.max) - 64 }

    /// The text and its tokens.
    ///
    /// `@unchecked Sendable` is safe because neither is written after `init`.
    private final class Storage: @unchecked Sendable {
        private let text: UnsafeMutablePointer<UInt8>
        private let tape: JSONTape

        init(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
            let text = UnsafeMutablePointer<UInt8>.allocate(
                capacity: bytes.count + JSONScanner.padding
            )
            self.text = text
            bytes.withUnsafeBufferPointer { buffer in
                if let start = buffer.baseAddress { text.update(from: start, count: buffer.count) }
            }
            (text + bytes.count).initialize(repeating: 0, count: JSONScanner.padding)
            var scanner = JSONScanner(
                capacity: min(bytes.count / 8, 1 << 20),
                limits: limits
            )
            do {
                try Self.scan(text, count: bytes.count, with: &scanner)
                tape = scanner.tape
            } catch {
                let position = Self.position(of: error.offset, in: text)
                scanner.tape.deallocate()
                text.deallocate()
                throw error.error(
                    at: position,
                    isAtEnd: error.offset >= bytes.count,
                    limits: limits
                )
            }
        }

        deinit {
            text.deallocate()
            tape.deallocate()
        }

        func node(at index: Int) -> JSONNode {
            JSONNode(bytes: UnsafePointer(text), tokens: UnsafePointer(tape.base), index: index)
        }

        private static func scan(
            _ text: UnsafeMutablePointer<UInt8>,
            count: Int,
            with scanner: inout JSONScanner
        ) throws(JSONFault) {
            guard count <= longestText else { throw JSONFault(.textLength, at: 0) }
            let start = JSONMark.length(text)
            let end = try scanner.scan(UnsafePointer(text), from: start)
            let rest = JSONScan.afterBlanks(UnsafePointer(text) + end) - UnsafePointer(text)
            guard rest == count else { throw JSONFault(.trailing, at: rest) }
        }

        private static func position(
            of offset: Int,
            in text: UnsafeMutablePointer<UInt8>
        ) -> JSONPosition {
            let mark = min(JSONMark.length(text), offset)
            var position = JSONPosition(offset: mark)
            position.advance(over: UnsafeBufferPointer(start: text + mark, count: offset - mark))
            return position
        }
    }
}

/// The byte-order mark that some services send before a text.
enum JSONMark {
    /// Returns the length of the mark in bytes, or 0 if the text has no mark.
    ///
    /// Reads no byte after the first that differs, so the padding of a shorter text is enough.
    static func length(_ text: UnsafeMutablePointer<UInt8>) -> Int {
        text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
    }
}

/// The items of a document in memory.
public struct JSONDocumentItems: JSONItems, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    fileprivate init(document: JSONDocument, list: JSONNode) {
        self.document = document
        index = list.kind == .array ? list.firstChild : list.index
        end = list.next
    }

    /// Calls `body` with the next item.
    ///
    /// - Returns: Whether there was a next item.
    /// - Throws: Errors from `body`.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard index < end else { return false }
        let item = document.node(at: index)
        index = item.next
        try withExtendedLifetime(document) { try body(item) }
        return true
    }
}
