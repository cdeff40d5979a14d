import TidemarkModel

/// The items of a page that stands in a stage, from a place on: those that one transaction applies.
///
/// Each transaction reads on where the one before has ended, so that nothing but a number goes from
/// one to the next.
struct SpooledItems: JSONItems {
    /// Where the items stand that were not read yet.
    struct Place: Sendable {
        /// How many bytes of the page come before them.
        var offset: Int
        /// How many they are.
        var count: Int
        /// Whether the first of them is the first of the list.
        var isFirst = true
    }

    private var items: JSONItemReader
    private let begin: Int
    private var left: Int
    private let separator: LeadingCommaFilter

    /// Begins to read.
    init(_ stage: Spool, from place: Place, limits: Limits) {
        let separator = LeadingCommaFilter(
            isMissing: place.isFirst,
            read: stage.reader(from: place.offset)
        )
        self.separator = separator
        items = JSONItemReader(limits: limits) { try separator.fill($0) }
        begin = place.offset
        left = place.count
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard left > 0, try items.next(body) else { return false }
        left -= 1
        return true
    }

    /// Where the items stand that are left.
    var rest: Place {
        Place(
            offset: begin + separator.skipped + items.offset - 1,
            count: left,
            isFirst: false
        )
    }
}

/// The text of the rest of a list with a bracket before it, in the place of the comma that stands
/// there.
private final class LeadingCommaFilter {
    /// How many bytes of the page were left out before the first item.
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
