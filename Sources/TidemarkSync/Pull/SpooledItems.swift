import TidemarkJSON
import TidemarkModel

/// The items of a spooled page from a position on, as one transaction applies them.
///
/// Each transaction begins to read where the one before has ended. So nothing but a position is
/// kept between transactions.
struct SpooledItems: JSONItems {
    /// The position of items that were not read yet.
    struct Position: Sendable {
        /// The number of bytes of the page before them.
        var offset: Int
        /// The number of items.
        var count: Int
        /// Whether the first of them is the first item of the list, which no comma precedes.
        var isFirst = true
    }

    private var items: JSONItemReader
    private let begin: Int
    private var left: Int
    private let separator: LeadingCommaFilter

    /// Creates a reader.
    init(_ spool: Spool, from position: Position, limits: Limits) {
        let separator = LeadingCommaFilter(
            isMissing: position.isFirst,
            read: spool.reader(from: position.offset)
        )
        self.separator = separator
        items = JSONItemReader(limits: limits.json) { try separator.fill($0) }
        begin = position.offset
        left = position.count
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard left > 0, try items.next(body) else { return false }
        left -= 1
        return true
    }

    /// The position of the remaining items.
    var position: Position {
        Position(
            // The bracket that the filter inserts is not part of the page.
            offset: begin + separator.skipped + items.offset - 1,
            count: left,
            isFirst: false
        )
    }
}

/// A filter that replaces the comma before the remaining items of a list with an opening bracket,
/// so that they can be parsed as an array.
private final class LeadingCommaFilter {
    /// The number of bytes that were skipped before the first item.
    private(set) var skipped = 0

    private var isMissing: Bool
    private var isBegun = false
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int

    init(isMissing: Bool, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.isMissing = isMissing
        self.read = read
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !isBegun else { return try read(buffer) }
        isBegun = true
        buffer[0] = UInt8(ascii: "[")
        if !isMissing { try skipComma() }
        return 1
    }

    private func skipComma() throws {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            repeat {
                guard try read(byte) == 1 else { return }
                skipped += 1
            } while byte[0] != UInt8(ascii: ",")
        }
    }
}
