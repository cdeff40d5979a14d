/// A reader of the items of a JSON text of any length.
///
/// Use it to import a large file or a stream. The text is read incrementally, so the reader needs
/// memory for the largest item, not for the text. A reader can be read only once and by one task;
/// copies of a reader share one position in the text.
///
/// ```swift
/// let file = try FileHandle(forReadingFrom: url)
/// var films = JSONItemReader(root: "results") { buffer in
///     try file.read(upToCount: buffer.count)?.copyBytes(to: buffer) ?? 0
/// }
/// let report = try importer.import(&films, into: "Film")
/// ```
///
/// The whole text is validated, including the members around the items. A problem after the items
/// is thrown by the call of ``next(_:)`` that would return false, so a reader that was read to its
/// end has seen a complete text. An import is one transaction: it is rolled back if the text turns
/// out to be truncated.
public struct JSONItemReader: JSONItems {
    private let reading: JSONReading

    /// The structure of the text.
    package enum Format: Sendable, Hashable {
        /// One JSON value, as RFC 8259 specifies. Anything after it is an error.
        case json
        /// One JSON value, or JSON Lines: objects separated by line feeds, each of which is an
        /// item. Only a text that is read without a key path can be JSON Lines.
        case jsonOrLines
    }

    /// Creates a reader of the items at a path.
    ///
    /// The items are the elements of the array at the path, or the single object there. Nothing is
    /// read until ``next(_:)`` is called for the first time.
    ///
    /// ```swift
    /// var limits = JSONLimits()
    /// limits.itemBytes = 1 << 20
    /// let chunks: [[UInt8]] = [Array("[{\"id\":".utf8), Array("1}]".utf8)]
    /// var rest = chunks[...]
    /// var items = JSONItemReader(limits: limits) { buffer in
    ///     guard let chunk = rest.popFirst() else { return 0 }
    ///     buffer.copyBytes(from: chunk)   // A chunk must not be longer than the buffer.
    ///     return chunk.count
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the items. Defaults to the empty path: the text itself is the array or
    ///     the object. Other members are validated and skipped, whatever their size.
    ///   - limits: The maximum depth, counted from the start of the text, and the maximum size of
    ///     an item.
    ///   - read: A closure that copies the next bytes into the given buffer and returns their
    ///     number: at least one, or 0 at the end of the text. It may block. Its errors are thrown
    ///     by ``next(_:)``.
    public init(
        root path: JSONPath = JSONPath(),
        limits: JSONLimits = JSONLimits(),
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.init(root: path, limits: limits, remembering: [], read: read)
    }

    /// Creates a reader that also keeps other values of the text, or that accepts JSON Lines.
    ///
    /// - Parameters:
    ///   - path: The path of the items.
    ///   - limits: The maximum depth and size of an item.
    ///   - window: The initial size of the buffer, in bytes.
    ///   - remembered: The paths of further members whose values are kept in ``remembered``.
    ///   - objects: The paths of objects of which all members that are neither objects nor arrays
    ///     are kept, too, up to 256.
    ///   - format: Whether the text may be JSON Lines. Accept JSON Lines only if a text that was
    ///     truncated between two lines does no harm, since it looks complete.
    ///   - read: A closure as in ``init(root:limits:read:)``.
    package init(
        root path: JSONPath = JSONPath(),
        limits: JSONLimits = JSONLimits(),
        window: Int = 256 << 10,
        remembering remembered: [JSONPath] = [],
        members objects: [JSONPath] = [],
        format: Format = .json,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        reading = JSONReading(
            path: path,
            limits: limits,
            remembering: RememberedPaths(remembered, members: objects),
            format: format,
            window: JSONWindow(capacity: window, limits: limits, read: read)
        )
    }

    /// The number of bytes consumed so far: the offset of the end of the last item read.
    ///
    /// Divide it by the size of the file to show the progress of an import. The source may have
    /// been read further, because bytes are buffered.
    public var offset: Int { reading.window.offset }

    /// The offset after the array's opening bracket; nil before an array is found.
    package var listOffset: Int? { reading.listOffset }

    /// The values found so far at the paths to be remembered.
    ///
    /// A string or a number longer than 64 KiB is not remembered. An object or array longer than 64
    /// KiB is represented by an empty one.
    package var remembered: [JSONPath: JSONDocument] { reading.remembered }

    /// Calls a closure with the next item, and advances past it.
    ///
    /// ```swift
    /// var names: [String] = []
    /// var users = JSONItemReader { buffer in
    ///     FileHandle.standardInput.readData(ofLength: buffer.count).copyBytes(to: buffer)
    /// }
    /// while try users.next({ user in names.append(user.member("name")?.string ?? "") }) {}
    /// ```
    ///
    /// - Parameter body: A closure that receives the item. The node is valid only inside it: the
    ///   memory is reused for the next item.
    /// - Returns: Whether there was a next item; false means that the text ended and is valid.
    /// - Throws: ``JSONError`` if the text is not valid JSON or exceeds a limit; ``JSONItemsError``
    ///   if there are no items at the path, or a member of the path occurs twice; errors from
    ///   reading and from the closure. After an error from reading or an invalid text the remaining
    ///   items cannot be read.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard try reading.advance() else { return false }
        // The item points into memory that `reading` owns.
        try withExtendedLifetime(reading) { try body(reading.item) }
        return true
    }
}

/// The paths whose values a reader remembers.
struct RememberedPaths {
    let all: Set<JSONPath>

    /// The paths of objects whose members that are neither objects nor arrays are remembered.
    private let objects: Set<JSONPath>

    /// The length of the longest path.
    let longest: Int

    /// How many values are remembered at most because of the object that they are in.
    static let members = 256

    /// The prefixes of the paths.
    ///
    /// Objects there are entered instead of remembered.
    let containers: Set<JSONPath>

    init(_ paths: [JSONPath], members objects: [JSONPath]) {
        all = Set(paths)
        self.objects = Set(objects)
        longest = (paths.map(\.names.count) + objects.map { $0.names.count + 1 }).max() ?? 0
        containers = Set((paths + objects).flatMap { path in path.names.indices.map(path.prefix) })
            .union(objects)
    }

    /// Whether no value is remembered.
    var isEmpty: Bool { all.isEmpty && objects.isEmpty }

    /// Returns whether a value at a path that is neither an object nor an array is remembered.
    func containsScalar(at path: JSONPath) -> Bool {
        !path.isEmpty && objects.contains(path.prefix(path.names.count - 1))
    }
}

/// The state of reading the items of a text, shared by the copies of a reader.
final class JSONReading {
    let window: JSONWindow
    let path: JSONPath
    let limits: JSONLimits
    var scanner: JSONScanner

    /// The paths whose values are remembered.
    let rememberedPaths: RememberedPaths

    /// The values found so far at these paths.
    var remembered: [JSONPath: JSONDocument] = [:]

    /// The structure of the text.
    private let format: JSONItemReader.Format

    /// The offset after the array's opening bracket.
    private(set) var listOffset: Int?

    /// The name of the last member read; only set if values are remembered.
    var memberName = ""

    /// For each name of the path, whether it is the index of an element.
    var arrays: [Bool] = []

    private var state = State.start

    private enum State {
        case start
        case firstElement
        case laterElement
        case afterValue
        case done
    }

    init(
        path: JSONPath,
        limits: JSONLimits,
        remembering remembered: RememberedPaths,
        format: JSONItemReader.Format,
        window: JSONWindow
    ) {
        self.path = path
        self.format = format
        rememberedPaths = remembered
        self.limits = limits
        self.window = window
        scanner = JSONScanner(capacity: 4096, limits: limits)
    }

    deinit {
        scanner.tape.deallocate()
    }

    /// The last item found.
    var item: JSONNode {
        JSONNode(
            bytes: UnsafePointer(window.text),
            tokens: UnsafePointer(scanner.tape.base),
            index: 0
        )
    }

    /// Finds the next item.
    ///
    /// Returns whether there is one.
    func advance() throws -> Bool {
        switch state {
        case .start:
            return try enter()
        case .firstElement:
            if try window.peek() == ASCII.closeBracket { return try leave() }
            state = .laterElement
        case .laterElement:
            if try window.peek() == ASCII.closeBracket { return try leave() }
            try window.expect(ASCII.comma, else: .arrayEnd)
        case .afterValue:
            guard path.isEmpty, format == .jsonOrLines, try window.beginsLine() else {
                return try finish()
            }
            guard window.startsObject else {
                throw window.error(JSONFault(.line, at: window.position))
            }
        case .done:
            return false
        }
        try window.scan(with: &scanner, depth: listOffset == nil ? 0 : path.names.count + 1)
        return true
    }

    /// Moves to the items and finds the first.
    ///
    /// Returns whether there is one.
    private func enter() throws -> Bool {
        try window.skipMark()
        try descend()
        switch try window.peek() {
        case ASCII.openBracket:
            guard path.names.count < limits.depth else {
                throw window.error(JSONFault(.depth, at: window.position))
            }
            window.position += 1
            listOffset = window.offset
            state = .firstElement
            return try advance()
        case ASCII.openBrace:
            state = .afterValue
            try window.scan(with: &scanner, depth: path.names.count)
            return true
        default:
            try window.scan(with: &scanner, depth: path.names.count)
            let kind = scanner.tape.base[0].kind
            // Invalid JSON is reported in preference to a value of the wrong kind.
            if path.isEmpty { _ = try finish() }
            throw JSONItemsError(.notAList(kind), at: path, depth: path.names.count)
        }
    }

    private func leave() throws -> Bool {
        window.position += 1
        return try finish()
    }

    /// Validates what follows the items.
    private func finish() throws -> Bool {
        state = .done
        try ascend()
        // A zero byte before the end is part of the text, which is an error.
        guard try window.peek() == 0, window.position == window.count else {
            throw window.error(JSONFault(.trailing, at: window.position))
        }
        return false
    }
}
