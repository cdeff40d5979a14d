/// A JSON text that stands in memory as a whole, scanned once.
///
/// It never changes after it has been made, so it may travel between tasks. Its nodes may not: they
/// point into it and are handed out only inside ``withRoot(_:)``.
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
    /// - Throws: ``JSONError`` where the text is not exactly one JSON value as RFC 8259 has it, or
    ///   goes beyond a limit. A byte-order mark before it is accepted.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
        storage = try Storage(bytes, limits)
    }

    /// Hands the whole value to `body`; the node is valid only inside it.
    public func withRoot<R>(_ body: (JSONNode) throws -> R) rethrows -> R {
        try withExtendedLifetime(storage) { try body(storage.node(at: 0)) }
    }

    /// The items at a path of names with dots between them: the elements of the array there, or the
    /// one object there; without a path those of the document itself.
    ///
    /// - Throws: ``JSONItemsError`` when there is neither.
    public func items(at keyPath: String? = nil) throws(JSONItemsError) -> JSONDocumentItems {
        let root = storage.node(at: 0)
        let names = JSONItemsError.names(keyPath)
        var node = root
        for (depth, name) in names.enumerated() {
            guard node.kind == .object else {
                throw JSONItemsError(.notAnObject(node.kind), names, depth: depth)
            }
            guard let member = node.member(name) else {
                throw JSONItemsError(.missing, names, depth: depth)
            }
            node = member
        }
        guard node.kind == .array || node.kind == .object else {
            throw JSONItemsError(.notAList(node.kind), names, depth: names.count)
        }
        return JSONDocumentItems(document: self, list: node)
    }

    /// A node by its index, for those who keep the document alive meanwhile.
    func node(at index: Int) -> JSONNode { storage.node(at: index) }

    /// How long a text may be: offsets have 32 bits.
    static var longestText: Int { Int(UInt32.max) - 64 }

    /// The bytes and their tokens.
    ///
    /// Nothing writes to either after `init`, which makes it Sendable.
    private final class Storage: @unchecked Sendable {
        private let text: UnsafeMutablePointer<UInt8>
        private let tape: JSONTape

        init(_ bytes: [UInt8], _ limits: Limits) throws(JSONError) {
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
                try Self.scan(text, bytes.count, with: &scanner)
                tape = scanner.tape
            } catch {
                let place = Self.place(of: error.offset, in: text)
                scanner.tape.deallocate()
                text.deallocate()
                throw error.error(
                    at: place,
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
            _ count: Int,
            with scanner: inout JSONScanner
        ) throws(JSONFault) {
            guard count <= longestText else { throw JSONFault(.textLength, at: 0) }
            let start = JSONMark.length(text)
            let end = try scanner.scan(UnsafePointer(text), from: start)
            let rest = JSONScan.behindBlanks(UnsafePointer(text) + end) - UnsafePointer(text)
            guard rest == count else { throw JSONFault(.trailing, at: rest) }
        }

        private static func place(
            of offset: Int,
            in text: UnsafeMutablePointer<UInt8>
        ) -> JSONPlace {
            let mark = min(JSONMark.length(text), offset)
            var place = JSONPlace(offset: mark)
            place.advance(over: UnsafeBufferPointer(start: text + mark, count: offset - mark))
            return place
        }
    }
}

/// The byte-order mark some put before a text.
enum JSONMark {
    /// How many bytes it has, 0 where there is none; reads no byte behind the first that differs.
    static func length(_ text: UnsafeMutablePointer<UInt8>) -> Int {
        text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
    }
}

/// The items of a document that stands in memory.
public struct JSONDocumentItems: JSONItems, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    fileprivate init(document: JSONDocument, list: JSONNode) {
        self.document = document
        index = list.kind == .array ? list.firstChild : list.index
        end = list.next
    }

    /// Hands the next item to `body`, and returns whether there was one.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard index < end else { return false }
        let item = document.node(at: index)
        index = item.next
        try withExtendedLifetime(document) { try body(item) }
        return true
    }
}
