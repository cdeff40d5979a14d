/// A reader of the items of a JSON text of any length.
///
/// The text is read incrementally, so the reader needs memory for the largest item, not for the
/// text. Copies of a reader share one position in the text.
///
/// ```swift
/// var items = JSONItemReader(root: "results") { buffer in
///     try file.read(into: buffer)
/// }
/// while try items.next({ item in try store(item) }) {}
/// ```
public struct JSONItemReader: JSONItems {
    private let reading: JSONReading

    /// The structure of the text.
    public enum Format: Sendable, Hashable {
        /// One JSON value, as RFC 8259 specifies. Anything after it is an error.
        case json
        /// One JSON value, or JSON Lines: objects separated by line feeds, each of which is an
        /// item. Only a text that is read without a key path can be JSON Lines.
        case jsonOrLines
    }

    /// Creates a reader of the items at a key path.
    ///
    /// The items are the elements of the array at the path, or the single object there.
    ///
    /// - Parameters:
    ///   - keyPath: The names of the members that lead to the items, separated by dots. Defaults to
    ///     nil: the text itself is the array or the object. Other members are validated and
    ///     skipped.
    ///   - limits: The maximum depth and size of an item.
    ///   - places: The paths of further members whose values are kept in ``remembered``.
    ///   - format: Whether the text may be JSON Lines. Accept JSON Lines only if a text that was
    ///     truncated between two lines does no harm, since it looks complete.
    ///   - read: A closure that copies the next bytes into the given buffer and returns their
    ///     number: at least one, or 0 at the end of the text. Its errors are thrown by
    ///     ``next(_:)``.
    public init(
        root keyPath: String? = nil,
        limits: JSONLimits = JSONLimits(),
        remembering places: [[String]] = [],
        format: Format = .json,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.init(
            root: keyPath,
            limits: limits,
            window: 256 << 10,
            places: places,
            format: format,
            read: read
        )
    }

    /// Creates a reader with a buffer of the given initial size, in bytes.
    package init(
        root keyPath: String?,
        limits: JSONLimits,
        window: Int,
        places: [[String]] = [],
        format: Format = .json,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        reading = JSONReading(
            names: JSONItemsError.names(keyPath),
            limits: limits,
            places: places,
            format: format,
            window: JSONWindow(capacity: window, limits: limits, read: read)
        )
    }

    /// The number of bytes consumed so far: the offset of the end of the last item read.
    public var offset: Int { reading.window.offset }

    /// The offset after the array's opening bracket; nil before an array is found.
    public var listOffset: Int? { reading.listOffset }

    /// The values found so far at the paths to be remembered.
    ///
    /// A string or a number longer than 64 KiB is not remembered. An object or array longer than 64
    /// KiB is represented by an empty one.
    public var remembered: [[String]: JSONDocument] { reading.remembered }

    /// Calls `body` with the next item.
    ///
    /// - Returns: Whether there was a next item.
    /// - Throws: ``JSONError`` if the text is not valid JSON; ``JSONItemsError`` if there are no
    ///   items at the key path; errors from reading and from `body`. After an error the remaining
    ///   items cannot be read.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard try reading.advance() else { return false }
        // The item points into memory that `reading` owns.
        try withExtendedLifetime(reading) { try body(reading.item) }
        return true
    }
}

/// The state of reading the items of a text, shared by the copies of a reader.
final class JSONReading {
    let window: JSONWindow
    let names: [String]
    let limits: JSONLimits
    var scanner: JSONScanner

    /// The paths whose values are remembered, and the length of the longest.
    let places: Set<[String]>
    let longestPlace: Int

    /// The prefixes of these paths.
    ///
    /// Objects there are entered instead of remembered.
    let containers: Set<[String]>

    /// The values found so far at these paths.
    var remembered: [[String]: JSONDocument] = [:]

    /// The structure of the text.
    private let format: JSONItemReader.Format

    /// The offset after the array's opening bracket.
    private(set) var listOffset: Int?

    /// The name of the last member read; only set if values are remembered.
    var memberName = ""

    private var state = State.start

    private enum State {
        case start
        case firstElement
        case laterElement
        case behindValue
        case done
    }

    init(
        names: [String],
        limits: JSONLimits,
        places: [[String]],
        format: JSONItemReader.Format,
        window: JSONWindow
    ) {
        self.names = names
        self.format = format
        self.places = Set(places)
        longestPlace = places.map(\.count).max() ?? 0
        containers = Set(places.flatMap { place in place.indices.map { Array(place.prefix($0)) } })
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
        case .behindValue:
            guard names.isEmpty, format == .jsonOrLines, try window.beginsLine() else {
                return try finish()
            }
            guard window.startsObject else {
                throw window.error(JSONFault(.line, at: window.position))
            }
        case .done:
            return false
        }
        try window.scan(with: &scanner, depth: listOffset == nil ? 0 : names.count + 1)
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
            guard names.count < limits.depth else {
                throw window.error(JSONFault(.depth, at: window.position))
            }
            window.position += 1
            listOffset = window.offset
            state = .firstElement
            return try advance()
        case ASCII.openBrace:
            state = .behindValue
            try window.scan(with: &scanner, depth: names.count)
            return true
        default:
            try window.scan(with: &scanner, depth: names.count)
            let kind = scanner.tape.base[0].kind
            // Invalid JSON is reported in preference to a value of the wrong kind.
            if names.isEmpty { _ = try finish() }
            throw JSONItemsError(.notAList(kind), names, depth: names.count)
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
