/// A JSON text in memory, scanned once.
///
/// Use a document for a text that fits into memory, such as the body of a response, and a
/// ``JSONItemReader`` for a file or a stream of any length. Scanning validates the whole text, but
/// creates neither objects nor dictionaries: each value and each member name takes 16 bytes in
/// addition to the text, and is converted only when it is read.
///
/// A document is immutable and can be shared between tasks. Its nodes cannot: they point into its
/// memory and are valid only inside ``withRoot(_:)`` or the closure of ``JSONItems/next(_:)``.
///
/// ```swift
/// let body = Array(#"{"next": "/films?page=2", "results": [{"id": 1}, {"id": 2}]}"#.utf8)
/// let document = try JSONDocument(body)
/// let next = document.withRoot { $0.member("next")?.string }   // "/films?page=2"
/// var films = try document.items(at: "results")
/// let report = try importer.import(&films, into: "Film")
/// ```
public struct JSONDocument: Sendable {
    private let storage: Storage

    /// Scans a text, which is copied.
    ///
    /// The text must be exactly one JSON value as RFC 8259 specifies: UTF-8, no comments, no
    /// trailing commas, no `NaN`. A byte-order mark before the value is accepted (section 8.1). A
    /// member name that occurs twice is accepted; see ``JSONNode/member(_:)``.
    ///
    /// ```swift
    /// do {
    ///     _ = try JSONDocument(Array("[1,\n 2,]".utf8))
    /// } catch {
    ///     print(error)   // line 2, column 4: expected a value
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The text, of at most 4 GiB.
    ///   - limits: The maximum depth, and the maximum number of values in the whole text. The size
    ///     of an item does not apply, because the text is already in memory.
    /// - Throws: ``JSONError`` at the first byte that violates RFC 8259 or exceeds a limit.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        storage = try Storage(bytes, limits: limits)
    }

    /// Calls a closure with the root value.
    ///
    /// Copy out of the closure what you need later, such as a `String`. The node and its children
    /// are valid only inside the closure, because they point into the memory of the document.
    ///
    /// ```swift
    /// let document = try JSONDocument(Array(#"{"total": 3, "names": ["Ada", "Alan"]}"#.utf8))
    /// let total = document.withRoot { $0.member("total")?.integer }   // 3
    /// let names = document.withRoot { root in
    ///     root.member("names")?.elements.map(\.string) ?? []   // ["Ada", "Alan"]
    /// }
    /// ```
    ///
    /// - Parameter body: A closure that receives the value of the whole text.
    /// - Returns: The result of the closure.
    /// - Throws: The error that the closure throws.
    public func withRoot<R>(_ body: (JSONNode) throws -> R) rethrows -> R {
        try withExtendedLifetime(storage) { try body(storage.node(at: 0)) }
    }

    /// Returns the items at a path: the elements of the array there, or the single object there.
    ///
    /// Many services wrap a list in an envelope, such as `{"results": […]}`. The path leads to the
    /// list. Nothing is copied: the items refer to the document, which they keep alive.
    ///
    /// ```swift
    /// let users = try JSONDocument(Array(#"[{"id": 1}, {"id": 2}]"#.utf8)).items()
    /// let envelope = try JSONDocument(Array(#"{"data": {"users": []}}"#.utf8))
    /// let page = try envelope.items(at: "data.users")
    /// ```
    ///
    /// - Parameter path: The path of the list. Defaults to the empty path: the document itself is
    ///   the array or the object. If a name occurs twice in an object, its last value is used.
    /// - Returns: The items, in the order of the text.
    /// - Throws: ``JSONItemsError`` if the path does not exist, or the value there is neither an
    ///   array nor an object. An empty array is not an error.
    public func items(at path: JSONPath = JSONPath()) throws(JSONItemsError) -> JSONDocumentItems {
        var node = storage.node(at: 0)
        for (depth, name) in path.names.enumerated() {
            guard node.kind == .object || node.kind == .array && JSONPath.index(name) != nil else {
                throw JSONItemsError(.notAnObject(node.kind), at: path, depth: depth)
            }
            guard let inner = node.child(name) else {
                throw JSONItemsError(.missing, at: path, depth: depth)
            }
            node = inner
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
///
/// Returned by ``JSONDocument/items(at:)``. A copy has a position of its own, so that the items can
/// be read again from there. It can be passed to another task.
///
/// ```swift
/// var films = try JSONDocument(body).items(at: "results")
/// while try films.next({ film in print(film.member("title")?.string ?? "") }) {}
/// ```
public struct JSONDocumentItems: JSONItems, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    fileprivate init(document: JSONDocument, list: JSONNode) {
        self.document = document
        index = list.kind == .array ? list.firstChild : list.index
        end = list.next
    }

    /// Calls a closure with the next item, and advances past it.
    ///
    /// The whole text was validated when the document was created, so only the closure can fail.
    /// The position is advanced before the closure is called: after an error, the next call
    /// continues with the following item.
    ///
    /// - Parameter body: A closure that receives the item, which is valid only inside it.
    /// - Returns: Whether there was a next item. After the last item every call returns false.
    /// - Throws: The error that the closure throws.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard index < end else { return false }
        let item = document.node(at: index)
        index = item.next
        try withExtendedLifetime(document) { try body(item) }
        return true
    }
}
