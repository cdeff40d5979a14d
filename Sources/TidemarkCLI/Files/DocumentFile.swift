import TidemarkModel

/// A JSON document that a verb reads: a file, or standard input.
struct DocumentFile {
    private let bytes: InputBytes
    private let bar: ProgressBar
    private let limits: Limits

    /// Opens a document; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - bar: Shows how much has been read.
    ///   - limits: The limits of one item.
    /// - Throws: ``Failure`` where it cannot be opened.
    init(_ path: String, _ bar: ProgressBar, limits: Limits = Limits()) throws {
        bytes = try InputBytes(path)
        self.bar = bar
        self.limits = limits
    }

    /// The document in messages.
    var name: String { bytes.name }

    /// Waits until all of a pipe has arrived, so that the document can be read without waiting, and
    /// more than once.
    func spool() throws { try bytes.spool() }

    /// Reads the items of the document from the beginning, piece by piece: it may be longer than
    /// the memory, and it may be JSON Lines.
    ///
    /// Where it is not valid JSON, or has no list, the error names the document.
    func withItems<Result>(
        root: String?,
        _ body: (inout JSONItemReader) throws -> Result
    ) throws -> Result {
        bytes.rewind()
        let progress = ReadingProgress(bar, length: bytes.length)
        defer { progress.clear() }
        var items = JSONItemReader(root: root, limits: limits, format: .jsonOrLines) { buffer in
            let count = try bytes.fill(buffer)
            progress.read(count)
            return count
        }
        return try naming { try body(&items) }
    }

    /// Hands over a document of unknown shape: piece by piece where it is an array or JSON Lines,
    /// which may be longer than the memory, and as a whole where it is anything else.
    func withSample<Result>(
        list: (inout SampleItems) throws -> Result,
        document: (JSONDocument) throws -> Result
    ) throws -> Result {
        let start = try bytes.peek(1 << 16).first { !InputBytes.blanks.contains($0) }
        guard start == UInt8(ascii: "[") || start == UInt8(ascii: "{") else {
            let text = try bytes.readAll(upTo: limits.jsonItemBytes)
            return try naming { try document(JSONDocument(text, limits: limits)) }
        }
        return try withItems(root: nil) { reader in
            var items = SampleItems(reader)
            guard start == UInt8(ascii: "{") else { return try list(&items) }
            try items.readAhead(2, limits)
            return try items.ahead.count == 1 ? document(items.ahead[0]) : list(&items)
        }
    }

    /// The document as a whole, for the verbs that take one object.
    func document() throws -> JSONDocument {
        let text = try bytes.readAll(upTo: limits.jsonItemBytes)
        return try naming { try JSONDocument(text, limits: limits) }
    }

    /// The key paths of the lists of objects in the document's one object; empty where the document
    /// is a list itself.
    ///
    /// - Parameters:
    ///   - root: The key path of the object; nil for the document.
    ///   - depth: How many names a key path may have.
    /// - Returns: The key paths.
    /// - Throws: What reading throws.
    func listsOfOnlyObject(root: String?, depth: Int = 1) throws -> [String] {
        try withItems(root: root) { items in
            var lists: [String] = []
            var isOnly = try items.next { item in
                lists = Self.lists(of: item, below: [], depth: depth)
            }
            guard items.listOffset == nil, !lists.isEmpty else { return [] }
            isOnly = try isOnly && !items.next { _ in }
            return isOnly ? lists : []
        }
    }

    /// The key paths of the lists of objects that an object has; of those deeper inside where it
    /// has none itself.
    private static func lists(of object: JSONNode, below path: [String], depth: Int) -> [String] {
        let lists = object.members.compactMap { name, value in
            value.elements.first { _ in true }?.kind == .object
                ? (path + [name.string]).joined(separator: ".") : nil
        }
        guard lists.isEmpty, depth > 1 else { return lists }
        return object.members.flatMap { name, value in
            value.kind == .object
                ? Self.lists(of: value, below: path + [name.string], depth: depth - 1) : []
        }
    }

    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as JSONError {
            throw Failure(.data, "\(name) is not valid JSON: \(error).")
        } catch let error as JSONItemsError {
            throw Failure(.data, "\(name) cannot be imported: \(error).")
        }
    }
}

/// The items of a document, the first of which may have been read ahead.
struct SampleItems: JSONItems {
    /// The items that were read ahead and not handed out yet.
    private(set) var ahead: [JSONDocument] = []
    private var reader: JSONItemReader

    init(_ reader: JSONItemReader) {
        self.reader = reader
    }

    /// Reads up to so many items ahead.
    mutating func readAhead(_ count: Int, _ limits: Limits) throws {
        while ahead.count < count {
            var item: JSONDocument?
            let isThere = try reader.next { node in
                item = try JSONDocument(Array(node.source), limits: limits)
            }
            guard isThere, let item else { return }
            ahead.append(item)
        }
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard !ahead.isEmpty else { return try reader.next(body) }
        try ahead.removeFirst().withRoot(body)
        return true
    }
}
