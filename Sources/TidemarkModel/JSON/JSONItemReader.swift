/// The items of a JSON text of any length, read piece by piece.
///
/// It needs memory for its largest item, not for the text. Copies share their place in the text.
///
/// ```swift
/// var items = JSONItemReader(root: "results") { buffer in
///     try file.read(into: buffer)
/// }
/// while try items.next({ item in try store(item) }) {}
/// ```
public struct JSONItemReader: JSONItems {
    private let reading: JSONReading

    /// What a text consists of.
    public enum Format: Sendable, Hashable {
        /// One JSON value, as RFC 8259 specifies. Anything after it is an error.
        case json
        /// One JSON value, or JSON Lines: objects that are separated by line feeds, each of which
        /// is an item. Only texts that are read without a key path may be JSON Lines.
        case jsonOrLines
    }

    /// Creates a reader of the items at a path of names with dots between them: the elements of the
    /// array there, or the one object there; without a path those of the text itself.
    ///
    /// - Parameters:
    ///   - keyPath: Where the items are. Members beside the path are checked and skipped.
    ///   - limits: How deep and how long an item may be.
    ///   - places: Members beside the path whose values are remembered, each by the names that lead
    ///     to it.
    ///   - format: Whether the text may be JSON Lines. Accept them only where a text that was cut
    ///     between two lines does no harm, as it looks complete.
    ///   - read: Fills the buffer it is given with the next bytes, at least one, and returns how
    ///     many; 0 when there are no more. What it throws, ``next(_:)`` throws.
    public init(
        root keyPath: String? = nil,
        limits: Limits = Limits(),
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

    /// Creates a reader whose window begins with the given number of bytes.
    package init(
        root keyPath: String?,
        limits: Limits,
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

    /// How many bytes of the text are behind the item that was read last.
    public var offset: Int { reading.window.offset }

    /// Where the array's first item may begin; nil as long as no array was found.
    public var listOffset: Int? { reading.listOffset }

    /// The values that were met so far at the places to be remembered.
    ///
    /// A text or a number that is longer than 64 KiB is not remembered. Of an object or an array
    /// that is longer than 64 KiB only the kind is remembered.
    public var remembered: [[String]: JSONDocument] { reading.remembered }

    /// Hands the next item to `body`, and returns whether there was one.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, ``JSONItemsError`` when there are no
    ///   items at the path, and what reading and `body` throw. After an error the rest cannot be
    ///   read.
    public mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard try reading.advance() else { return false }
        try withExtendedLifetime(reading) { try body(reading.item) }
        return true
    }
}

/// A text whose items are being read: where it stands, and what it has still to see.
final class JSONReading {
    let window: JSONWindow
    let names: [String]
    let limits: Limits
    var scanner: JSONScanner

    /// The places whose values are remembered, and the length of the longest.
    let places: Set<[String]>
    let longestPlace: Int

    /// The objects that contain others of these places, and are looked into.
    let containers: Set<[String]>

    /// The values that were met there.
    var remembered: [[String]: JSONDocument] = [:]

    /// What the text may consist of.
    private let format: JSONItemReader.Format

    /// Where the array begins behind its bracket.
    private(set) var listOffset: Int?

    /// The name of the member read last, where places are remembered.
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
        limits: Limits,
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

    /// The item last found.
    var item: JSONNode {
        JSONNode(
            bytes: UnsafePointer(window.text),
            tokens: UnsafePointer(scanner.tape.base),
            index: 0
        )
    }

    /// Finds the next item; whether there was one.
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

    /// Goes to where the items are, and finds the first.
    private func enter() throws -> Bool {
        try window.skipMark()
        try descend()
        switch try window.peek() {
        case ASCII.openBracket:
            guard names.count < limits.jsonDepth else {
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
            if names.isEmpty { _ = try finish() }
            throw JSONItemsError(.notAList(kind), names, depth: names.count)
        }
    }

    private func leave() throws -> Bool {
        window.position += 1
        return try finish()
    }

    /// Checks what stands behind the items.
    private func finish() throws -> Bool {
        state = .done
        try ascend()
        guard try window.peek() == 0, window.position == window.count else {
            throw window.error(JSONFault(.trailing, at: window.position))
        }
        return false
    }
}
