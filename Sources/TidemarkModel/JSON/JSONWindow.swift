/// The stretch of a long text that stands in memory while its items are read.
///
/// It moves along the text; it grows only when one item does not fit.
final class JSONWindow {
    private(set) var text: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private let limits: Limits
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int

    /// The offset of the next byte nobody has consumed.
    var position = 0

    /// How many bytes stand in the window.
    private(set) var count = 0

    /// Whether nothing comes behind those.
    private(set) var isLast = false

    /// Where the window begins in the whole text.
    private var origin = JSONPlace()

    init(
        capacity: Int,
        limits: Limits,
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

    /// How many bytes of the whole text are consumed.
    var offset: Int { origin.offset + position }

    /// The greatest number of bytes a value may have.
    var longestItem: Int { min(limits.jsonItemBytes, JSONDocument.longestText / 2) }

    /// Drops what is consumed and reads on until the window is full or the text ends.
    func refill() throws {
        origin.advance(over: UnsafeBufferPointer(start: text, count: position))
        count -= position
        text.update(from: text + position, count: count)
        position = 0
        if count == capacity { try grow() }
        while count < capacity, !isLast {
            let room = UnsafeMutableRawBufferPointer(start: text + count, count: capacity - count)
            let got = try read(room)
            isLast = got <= 0
            count += max(0, min(got, room.count))
        }
        (text + count).initialize(repeating: 0, count: JSONScanner.padding)
    }

    private func grow() throws {
        guard count <= longestItem else { throw error(JSONFault(.itemLength, at: 0)) }
        // One byte more than the longest item shows that an item is longer.
        let wider = min(capacity * 2, max(longestItem, capacity) + 1)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wider + JSONScanner.padding)
        larger.update(from: text, count: count)
        text.deallocate()
        text = larger
        capacity = wider
    }

    /// Consumes a byte-order mark at the very beginning, which has no place among the columns.
    func skipMark() throws {
        while count < 3, !isLast { try refill() }
        position = JSONMark.length(text)
        origin.offset = position
        text.update(from: text + position, count: count - position)
        count -= position
        position = 0
        (text + count).initialize(repeating: 0, count: JSONScanner.padding)
    }

    /// Consumes blanks and returns the byte behind them without consuming it; 0 where the text
    /// ends.
    func peek() throws -> UInt8 {
        while true {
            let start = UnsafePointer(text)
            position = JSONScan.behindBlanks(start + position) - start
            if position < count || isLast { return text[position] }
            try refill()
        }
    }

    /// Whether an object begins here.
    var startsObject: Bool { position < count && text[position] == ASCII.openBrace }

    /// Consumes blanks, and returns whether a line feed is among them and something follows: the
    /// next item of JSON Lines.
    func beginsLine() throws -> Bool {
        var isNewLine = false
        while true {
            let blanks = UnsafePointer(text) + position
            let length = JSONScan.behindBlanks(blanks) - blanks
            isNewLine =
                isNewLine
                || UnsafeBufferPointer(start: blanks, count: length).contains(ASCII.lineFeed)
            position += length
            if position < count || isLast { return isNewLine && position < count }
            try refill()
        }
    }

    /// Consumes a byte that must stand here, blanks before it included.
    func expect(_ byte: UInt8, else reason: JSONFault.Reason) throws {
        guard try peek() == byte else { throw error(JSONFault(reason, at: position)) }
        position += 1
    }

    /// Scans the value that stands here and consumes it; its tokens are in the scanner.
    func scan(with scanner: inout JSONScanner, depth: Int) throws {
        while true {
            let start = UnsafePointer(text)
            do throws(JSONFault) {
                let end = try scanner.scan(start, from: position, depth: depth)
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
                if isFinal || error.offset + JSONFault.lookahead <= count {
                    throw self.error(error)
                }
            }
            try refill()
        }
    }

    /// A fault in words, with its place in the whole text.
    func error(_ fault: JSONFault) -> JSONError {
        var place = origin
        place.advance(over: UnsafeBufferPointer(start: text, count: min(fault.offset, count)))
        return fault.error(at: place, isAtEnd: isLast && fault.offset >= count, limits: limits)
    }
}
