/// A buffer that holds the part of a long text whose items are being read.
///
/// It slides along the text and grows only if a single item does not fit.
final class JSONWindow {
    private(set) var text: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limits: JSONLimits
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int

    /// The index of the first byte in the buffer that has not been consumed.
    var position = 0

    /// The number of bytes in the buffer, without the padding.
    private(set) var count = 0

    /// Whether the text ends with the bytes in the buffer.
    private(set) var isLast = false

    /// The position of the buffer's first byte in the whole text.
    private var origin = JSONPosition()

    init(
        capacity: Int,
        limits: JSONLimits,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.capacity = capacity
        self.limits = limits
        self.read = read
        text = .allocate(capacity: capacity + JSONScanner.padding)
        text.initialize(repeating: 0, count: JSONScanner.padding)
    }

    deinit {
        text.deallocate()
    }

    /// The number of bytes of the whole text that have been consumed.
    var offset: Int { origin.offset + position }

    /// The maximum length of an item, in bytes.
    var longestItem: Int { min(limits.itemBytes, JSONDocument.longestText / 2) }

    /// Discards the consumed bytes, then reads until the buffer is full or the text ends.
    ///
    /// If nothing has been consumed of a full buffer, enlarges it first.
    func refill() throws {
        origin.advance(over: UnsafeBufferPointer(start: text, count: position))
        count -= position
        text.update(from: text + position, count: count)
        position = 0
        if count == capacity { try grow() }
        while count < capacity, !isLast {
            let room = UnsafeMutableRawBufferPointer(start: text + count, count: capacity - count)
            let got = try read(room)
            // `read` is the caller's code: a wrong count must not lead outside of the buffer.
            isLast = got <= 0
            count += max(0, min(got, room.count))
        }
        (text + count).initialize(repeating: 0, count: JSONScanner.padding)
    }

    private func grow() throws {
        guard count <= longestItem else { throw error(JSONFault(.itemLength, at: 0)) }
        // One byte more than the longest item is enough to detect a longer one.
        let wider = min(capacity * 2, max(longestItem, capacity) + 1)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wider + JSONScanner.padding)
        larger.update(from: text, count: count)
        text.deallocate()
        text = larger
        capacity = wider
    }

    /// Consumes a byte-order mark at the start of the text.
    ///
    /// It is counted in offsets but not in columns.
    func skipMark() throws {
        while count < 3, !isLast { try refill() }
        position = JSONMark.length(text)
        origin.offset = position
        text.update(from: text + position, count: count - position)
        count -= position
        position = 0
        (text + count).initialize(repeating: 0, count: JSONScanner.padding)
    }

    /// Consumes white space and returns the byte after it without consuming that; 0 at the end of
    /// the text.
    func peek() throws -> UInt8 {
        while true {
            let start = UnsafePointer(text)
            position = JSONScan.afterBlanks(start + position) - start
            if position < count || isLast { return text[position] }
            try refill()
        }
    }

    /// Whether the next byte begins an object.
    var startsObject: Bool { position < count && text[position] == ASCII.openBrace }

    /// Consumes white space.
    ///
    /// Returns whether it contains a line feed and is followed by another byte, that is, by the
    /// next item of JSON Lines.
    func beginsLine() throws -> Bool {
        var isNewLine = false
        while true {
            let blanks = UnsafePointer(text) + position
            let length = JSONScan.afterBlanks(blanks) - blanks
            isNewLine =
                isNewLine
                || UnsafeBufferPointer(start: blanks, count: length).contains(ASCII.lineFeed)
            position += length
            if position < count || isLast { return isNewLine && position < count }
            try refill()
        }
    }

    /// Consumes white space and the given byte.
    ///
    /// - Throws: ``JSONError`` with the given reason if another byte follows.
    func expect(_ byte: UInt8, else reason: JSONFault.Reason) throws {
        guard try peek() == byte else { throw error(JSONFault(reason, at: position)) }
        position += 1
    }

    /// Scans and consumes a value.
    ///
    /// Its tokens are in the scanner afterwards.
    ///
    /// If the value does not end within the buffer, more of the text is read and the scan starts
    /// again.
    func scan(with scanner: inout JSONScanner, depth: Int) throws {
        while true {
            let start = UnsafePointer(text)
            do throws(JSONFault) {
                let end = try scanner.scan(start, from: position, depth: depth)
                // A number that ends with the buffer may continue in the bytes not read yet.
                let isCut = end == count && !isLast && scanner.tape.base[0].kind == .number
                if !isCut {
                    guard end - position <= longestItem else {
                        throw JSONFault(.itemLength, at: position)
                    }
                    position = end
                    return
                }
            } catch {
                let isFinal = isLast || error.isLimit
                // A fault near the end of the buffer may only mean that bytes are missing.
                if isFinal || error.offset + JSONFault.lookahead <= count {
                    throw self.error(error)
                }
            }
            try refill()
        }
    }

    /// Returns the error for a fault, with its position in the whole text.
    func error(_ fault: JSONFault) -> JSONError {
        var position = origin
        position.advance(over: UnsafeBufferPointer(start: text, count: min(fault.offset, count)))
        return fault.error(at: position, isAtEnd: isLast && fault.offset >= count, limits: limits)
    }
}
