/// A set of row numbers, stored as bitmaps of 65,536 rows each.
///
/// Insertion and lookup take constant time. Row numbers are assigned in ascending order, so a
/// million rows take 16 blocks of 8 KiB each.
package final class RowSet {
    /// The number of row numbers that one block covers.
    private static let rowsInBlock = 65_536
    private static let wordsInBlock = rowsInBlock / 64

    /// The blocks and the last block used, in manually allocated memory.
    ///
    /// Every imported object looks up several sets, and access to a stored property of a class is
    /// checked for exclusivity each time.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        /// The blocks.
        ///
        /// Each is zeroed when it is allocated, and deallocated with the set.
        var blocks: [Int64: UnsafeMutablePointer<UInt64>] = [:]

        /// The block used last: consecutive lookups usually concern nearby rows.
        var recent: UnsafeMutablePointer<UInt64>?
        var recentNumber = Int64.min

        /// The blocks that changed since ``takeChangedBlocks()`` was last called.
        var changed: Set<Int64> = []
        var lastChanged = Int64.min

        var count = 0
    }

    /// The number of rows in the set.
    package var count: Int { state.pointee.count }

    /// Creates an empty set.
    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    /// Creates a set of rows.
    package convenience init(_ rows: some Sequence<Int64>) {
        self.init()
        for row in rows { insert(row) }
    }

    deinit {
        for block in state.pointee.blocks.values {
            block.deallocate()
        }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Inserts a row, and returns whether it was not in the set before.
    @discardableResult
    package func insert(_ row: Int64) -> Bool {
        let number = row >> 16
        let words = block(number) ?? addBlock(number)
        let (word, bit) = Self.bit(of: row)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        state.pointee.count += 1
        recordChange(of: number)
        return true
    }

    /// Removes a row from the set.
    package func remove(_ row: Int64) {
        guard let words = block(row >> 16) else { return }
        let (word, bit) = Self.bit(of: row)
        guard words[word] & bit != 0 else { return }
        words[word] &= ~bit
        state.pointee.count -= 1
        recordChange(of: row >> 16)
    }

    private func recordChange(of number: Int64) {
        // Consecutive changes usually concern one block: this saves a set lookup for each.
        guard number != state.pointee.lastChanged else { return }
        state.pointee.changed.insert(number)
        state.pointee.lastChanged = number
    }

    /// Returns whether a row is in the set.
    package func contains(_ row: Int64) -> Bool {
        guard let words = block(row >> 16) else { return false }
        let (word, bit) = Self.bit(of: row)
        return words[word] & bit != 0
    }

    /// The smallest row number.
    package var first: Int64? {
        // A block stays allocated when its last row is removed, so the first one may be empty.
        state.pointee.blocks.keys.sorted().lazy.compactMap { self.rows(in: $0).first }.first
    }

    /// The largest row number.
    package var last: Int64? {
        state.pointee.blocks.keys.sorted().reversed().lazy
            .compactMap { self.rows(in: $0).last }.first
    }

    /// Returns the smallest row number that is not in the set and not less than the given one; nil
    /// if all of them are in the set.
    package func firstMissing(from row: Int64) -> Int64? {
        var number = row >> 16
        let (firstWord, bit) = Self.bit(of: row)
        var word = firstWord
        // Numbers below the given row are treated as if they were in the set.
        var before = bit - 1
        while let words = block(number) {
            while word < Self.wordsInBlock {
                let missing = ~(words[word] | before)
                if missing != 0 {
                    return number << 16 | Int64(word * 64 + missing.trailingZeroBitCount)
                }
                before = 0
                word += 1
            }
            // The following block would be beyond the largest row number.
            guard number < Int64.max >> 16 else { return nil }
            number += 1
            word = 0
        }
        return max(row, number << 16)
    }

    /// The row numbers in ascending order.
    package var rows: some Sequence<Int64> {
        state.pointee.blocks.keys.sorted().lazy.flatMap { self.rows(in: $0) }
    }

    private func rows(in number: Int64) -> [Int64] {
        guard let words = state.pointee.blocks[number] else { return [] }
        var rows: [Int64] = []
        for word in 0..<Self.wordsInBlock {
            var rest = words[word]
            while rest != 0 {
                rows.append(number << 16 | Int64(word * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return rows
    }

    private static func bit(of row: Int64) -> (word: Int, bit: UInt64) {
        let offset = Int(truncatingIfNeeded: row & 0xffff)
        return (offset >> 6, 1 << UInt64(offset & 63))
    }

    private func block(_ number: Int64) -> UnsafeMutablePointer<UInt64>? {
        if number == state.pointee.recentNumber { return state.pointee.recent }
        guard let block = state.pointee.blocks[number] else { return nil }
        state.pointee.recent = block
        state.pointee.recentNumber = number
        return block
    }

    private func addBlock(_ number: Int64) -> UnsafeMutablePointer<UInt64> {
        let block = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.wordsInBlock)
        block.initialize(repeating: 0, count: Self.wordsInBlock)
        state.pointee.blocks[number] = block
        state.pointee.recent = block
        state.pointee.recentNumber = number
        return block
    }
}

// MARK: - Saving a set between transactions

extension RowSet {
    /// Returns the blocks that changed since the last call, with their bytes.
    package func takeChangedBlocks() -> [(number: Int64, bytes: [UInt8])] {
        defer {
            state.pointee.changed = []
            state.pointee.lastChanged = .min
        }
        return state.pointee.changed.sorted().compactMap { number in
            state.pointee.blocks[number].map { words in
                (number, Array(UnsafeRawBufferPointer(start: words, count: Self.rowsInBlock / 8)))
            }
        }
    }

    /// Returns all blocks with their bytes.
    package func allBlocks() -> [(number: Int64, bytes: [UInt8])] {
        state.pointee.blocks.sorted { $0.key < $1.key }.map { number, words in
            (number, Array(UnsafeRawBufferPointer(start: words, count: Self.rowsInBlock / 8)))
        }
    }

    /// Adds the rows of a saved block.
    ///
    /// Bytes beyond the size of a block are ignored.
    package func add(block number: Int64, bytes: [UInt8]) {
        // Not recorded as a change, because the block is already saved.
        let words = block(number) ?? addBlock(number)
        bytes.withUnsafeBytes { bytes in
            let count = min(bytes.count, Self.rowsInBlock / 8)
            for word in 0..<(count + 7) / 8 {
                var bits: UInt64 = 0
                withUnsafeMutableBytes(of: &bits) {
                    $0.copyBytes(from: bytes[word * 8..<min(word * 8 + 8, count)])
                }
                bits = UInt64(littleEndian: bits)
                guard bits != 0 else { continue }
                state.pointee.count += (bits & ~words[word]).nonzeroBitCount
                words[word] |= bits
            }
        }
    }
}
