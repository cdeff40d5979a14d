import TidemarkInference
import TidemarkJSON
import TidemarkModel

/// A JSON document that is read from a file or from standard input.
struct DocumentFile {
    private let bytes: InputBytes
    private let bar: ProgressBar
    private let limits: Limits

    /// Opens a document.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is standard input.
    ///   - bar: Shows how much has been read.
    ///   - limits: The limits of one item.
    /// - Returns: The document, of which nothing has been read.
    /// - Throws: ``Failure`` if the document cannot be opened.
    static func open(
        _ path: String,
        progress bar: ProgressBar,
        limits: Limits = Limits()
    ) throws -> DocumentFile {
        DocumentFile(bytes: try InputBytes.open(path), bar: bar, limits: limits)
    }

    /// The name of the document in messages.
    var name: String { bytes.name }

    /// Reads a pipe to its end and buffers it, so that the document can be read without waiting for
    /// the writer, and more than once.
    func spool() throws { try bytes.spool() }

    /// Reads the items of the document incrementally, from its start.
    ///
    /// The document may be larger than memory, and it may be JSON Lines.
    ///
    /// - Throws: ``Failure`` that names the document if it is not valid JSON or has no list.
    func withItems<Result>(
        root: String?,
        _ body: (inout JSONItemReader) throws -> Result
    ) throws -> Result {
        bytes.rewind()
        let progress = ReadingProgress(bar, length: bytes.length)
        defer { progress.clear() }
        var items = JSONItemReader(
            root: JSONPath(root ?? ""),
            limits: limits.json,
            format: .jsonOrLines
        ) { buffer in
            let count = try bytes.fill(buffer)
            progress.read(count)
            return count
        }
        return try naming { try body(&items) }
    }

    /// Reads a document of unknown structure: incrementally if it is an array or JSON Lines, which
    /// may be larger than memory, and as a whole otherwise.
    func withSample<Result>(
        list: (inout SampleItems) throws -> Result,
        document: (JSONDocument) throws -> Result
    ) throws -> Result {
        let start = try bytes.peek(1 << 16).first { !InputBytes.blanks.contains($0) }
        guard start == UInt8(ascii: "[") || start == UInt8(ascii: "{") else {
            let text = try bytes.readAll(upTo: limits.json.itemBytes)
            return try naming { try document(JSONDocument(text, limits: limits.json)) }
        }
        return try withItems(root: nil) { reader in
            var items = SampleItems(reader)
            guard start == UInt8(ascii: "{") else { return try list(&items) }
            try items.readAhead(2, limits: limits)
            return try items.ahead.count == 1 ? document(items.ahead[0]) : list(&items)
        }
    }

    /// Reads the whole document, for verbs whose input is one object.
    func document() throws -> JSONDocument {
        let text = try bytes.readAll(upTo: limits.json.itemBytes)
        return try naming { try JSONDocument(text, limits: limits.json) }
    }

    /// Returns the paths of the lists of objects in the only object of the document.
    ///
    /// Returns an empty array if the document itself is a list.
    ///
    /// - Parameters:
    ///   - root: The key path of the object; nil for the document.
    ///   - depth: The maximum number of components of a key path.
    /// - Returns: The key paths.
    /// - Throws: The errors of ``withItems(root:_:)``.
    func listsOfOnlyObject(root: String?, depth: Int = 1) throws -> [String] {
        try withItems(root: root) { items in
            var lists: [String] = []
            var isOnly = try items.next { item in
                lists = Self.lists(of: item, below: JSONPath(), depth: depth).map(\.description)
            }
            guard items.listOffset == nil, !lists.isEmpty else { return [] }
            isOnly = try isOnly && !items.next { _ in }
            return isOnly ? lists : []
        }
    }

    /// Returns the paths of the lists of objects in an object.
    ///
    /// If the object has none, returns those in the objects nested in it.
    private static func lists(
        of object: JSONNode,
        below path: JSONPath,
        depth: Int
    ) -> [JSONPath] {
        let arrays = object.members.filter { _, value in
            value.elements.first { _ in true }?.kind == .object
        }
        let others = arrays.filter { !SampleLists.isLinks($0.value, named: $0.name.string) }
        let lists = (others.isEmpty ? arrays : others).map { path.appending($0.name.string) }
        guard lists.isEmpty, depth > 1 else { return lists }
        return object.members.flatMap { name, value in
            value.kind == .object
                ? Self.lists(of: value, below: path.appending(name.string), depth: depth - 1) : []
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

/// The items of a document, some of which may have been read ahead.
struct SampleItems: JSONItems {
    /// The items that were read ahead and not consumed yet.
    private(set) var ahead: [JSONDocument] = []
    private var reader: JSONItemReader

    init(_ reader: JSONItemReader) {
        self.reader = reader
    }

    /// Reads ahead up to `count` items.
    mutating func readAhead(_ count: Int, limits: Limits) throws {
        while ahead.count < count {
            var item: JSONDocument?
            let isThere = try reader.next { node in
                item = try JSONDocument(Array(node.source), limits: limits.json)
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
