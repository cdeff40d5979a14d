/// A scanner that turns the bytes of one JSON value into tokens.
///
/// The bytes must be followed by ``padding`` zeros. Since a zero byte is valid nowhere in JSON, the
/// loops stop there and need no bounds checks.
struct JSONScanner {
    /// The number of zero bytes that must follow the text.
    static let padding = 16

    /// The tokens of the last scanned value.
    private(set) var tape: JSONTape

    private let depthLimit: Int

    init(capacity: Int, limits: JSONLimits) {
        tape = JSONTape(capacity: capacity, limit: limits.itemTokens)
        depthLimit = limits.depth
    }

    /// Scans the value at an offset, including white space before it.
    ///
    /// The depth is the number of enclosing arrays and objects, which count towards the limit.
    ///
    /// - Returns: The offset after the value.
    /// - Throws: ``JSONFault`` if the value is invalid or a limit is exceeded.
    mutating func scan(
        _ text: UnsafePointer<UInt8>,
        from offset: Int,
        depth: Int = 0
    ) throws(JSONFault) -> Int {
        tape.count = 0
        var scan = JSONScan(
            text: text,
            cursor: text + offset,
            tape: tape,
            levels: depthLimit - depth
        )
        defer { tape = scan.tape }
        try scan.value()
        return scan.offset
    }
}

/// The state of a scan, small enough to be kept in registers.
struct JSONScan {
    let text: UnsafePointer<UInt8>
    var cursor: UnsafePointer<UInt8>
    var tape: JSONTape

    /// The number of further arrays and objects that may be opened.
    var levels: Int

    /// The index of the token of the innermost open container.
    ///
    /// Until a container is closed, its `next` holds the index of the enclosing one. The tape is
    /// thus its own stack, and deep nesting cannot overflow the thread's stack.
    private var open = JSONScan.nothing
    private var isInObject = false

    private static var nothing: Int { Int(UInt32.max) }

    init(text: UnsafePointer<UInt8>, cursor: UnsafePointer<UInt8>, tape: JSONTape, levels: Int) {
        self.text = text
        self.cursor = cursor
        self.tape = tape
        self.levels = levels
    }

    /// The offset of the cursor.
    @inline(__always)
    var offset: Int { cursor - text }

    @inline(__always)
    func fault(_ reason: JSONFault.Reason) -> JSONFault {
        JSONFault(reason, at: offset)
    }

    /// Scans one value and everything it contains.
    mutating func value() throws(JSONFault) {
        while true {
            // Each pass appends at most a value and the name of a member.
            guard tape.reserveTwo() else { throw fault(tape.shortage) }
            skipBlanks()
            switch cursor.pointee {
            case ASCII.quote: try string()
            case ASCII.openBrace:
                try begin(.object)
                if cursor.pointee != ASCII.closeBrace {
                    try name()
                    continue
                }
            case ASCII.openBracket:
                try begin(.array)
                if cursor.pointee != ASCII.closeBracket { continue }
            case ASCII.minus, ASCII.zero...ASCII.nine: try number()
            default: try literal()
            }
            guard try isFollowed() else { return }
        }
    }

    /// Closes the containers that end here.
    ///
    /// Returns whether another value of an open container follows.
    @inline(__always)
    private mutating func isFollowed() throws(JSONFault) -> Bool {
        while open != Self.nothing {
            skipBlanks()
            if cursor.pointee == ASCII.comma {
                cursor += 1
                if isInObject {
                    skipBlanks()
                    try name()
                }
                return true
            }
            guard cursor.pointee == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                throw fault(isInObject ? .objectEnd : .arrayEnd)
            }
            end()
        }
        return false
    }

    @inline(__always)
    private mutating func begin(_ kind: JSONKind) throws(JSONFault) {
        guard levels > 0 else { throw fault(.depth) }
        levels &-= 1
        tape.append(kind, start: offset, length: 0)
        let opened = tape.count &- 1
        tape.base[opened].next = UInt32(truncatingIfNeeded: open)
        open = opened
        isInObject = kind == .object
        cursor += 1
        skipBlanks()
    }

    @inline(__always)
    private mutating func end() {
        cursor += 1
        levels &+= 1
        let closed = tape.base + open
        open = Int(closed.pointee.next)
        closed.pointee.next = UInt32(truncatingIfNeeded: tape.count)
        closed.pointee.length = UInt32(truncatingIfNeeded: offset) &- closed.pointee.start
        isInObject = open != Self.nothing && tape.base[open].kind == .object
    }

    /// Scans a member's name and the following colon.
    @inline(__always)
    private mutating func name() throws(JSONFault) {
        guard cursor.pointee == ASCII.quote else { throw fault(.name) }
        try string()
        skipBlanks()
        guard cursor.pointee == ASCII.colon else { throw fault(.colon) }
        cursor += 1
    }

    @inline(__always)
    private mutating func skipBlanks() {
        if cursor.pointee <= ASCII.space { cursor = Self.afterBlanks(cursor) }
    }

    /// Returns the position of the first byte that is not white space as defined by RFC 8259.
    static func afterBlanks(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var cursor = start
        while true {
            // Indented text has long runs of spaces.
            while UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020 {
                cursor += 8
            }
            let byte = cursor.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                return cursor
            }
            cursor += 1
        }
    }

    @inline(__always)
    private mutating func literal() throws(JSONFault) {
        let raw = UnsafeRawPointer(cursor)
        let word = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
        // The words are `null`, `true` and `fals` in little-endian order.
        if word == 0x6C6C_756E {
            append(.null, length: 4)
        } else if word == 0x6575_7274 {
            append(.true, length: 4)
        } else if word == 0x736C_6166, cursor[4] == 0x65 {
            append(.false, length: 5)
        } else {
            throw fault(.value)
        }
    }

    /// Appends a token that begins at the cursor, and advances the cursor past it.
    @inline(__always)
    mutating func append(_ kind: JSONKind, length: Int, isComplex: Bool = false) {
        tape.append(kind, start: offset, length: length, isComplex: isComplex)
        cursor += length
    }
}
