/// A list whose parts are shared with the lists that it was made from.
///
/// A snapshot keeps its rows while the next one is made: a copy of a hundred thousand records would
/// take longer than to find out what has changed.
struct ChunkedRows<Row: Sendable>: Sendable {
    /// The number of rows in a chunk.
    private static var size: Int { 256 }

    private var chunks: [[Row]] = []

    /// The position of the first row of each chunk.
    private var starts: [Int] = []

    private(set) var count = 0

    init() {}

    /// Appends rows; their chunks are not shared with those of other lists.
    mutating func append(contentsOf rows: [Row]) {
        for batch in rows.batches(of: Self.size) { append(chunk: Array(batch)) }
    }

    private mutating func append(chunk: [Row]) {
        starts.append(count)
        chunks.append(chunk)
        count += chunk.count
    }

    subscript(position: Int) -> Row {
        let chunk = starts.partitioningIndex { $0 > position } - 1
        return chunks[chunk][position - starts[chunk]]
    }

    /// Returns the list after a difference.
    ///
    /// - Parameters:
    ///   - difference: The difference.
    ///   - row: Returns the row at a new position, for insertions and updates.
    /// - Returns: The list. Chunks without a change are those of this list.
    func applying(
        _ difference: LiveDifference,
        row: (Int) throws -> Row
    ) rethrows -> ChunkedRows {
        let updated = Set(difference.updates.map(\.new))
        let sources = Dictionary(uniqueKeysWithValues: difference.moves.map { ($0.new, $0.old) })
        let incoming = (difference.insertions + difference.moves.map(\.new)).sorted()
        let incomingRows = try incoming.map { position in
            guard let old = sources[position], !updated.contains(position) else {
                return try row(position)
            }
            return self[old]
        }
        let moved = Set(sources.values)
        let removed = (difference.deletions + moved).sorted()
        let replaced = difference.updates.filter { !moved.contains($0.old) }
            .sorted { $0.old < $1.old }
        var builder = Builder(incoming: incoming[...], rows: incomingRows[...])
        var (nextRemoved, nextReplaced) = (removed[...], replaced[...])
        for (index, chunk) in chunks.enumerated() {
            let start = starts[index]
            let end = start + chunk.count
            builder.insert()
            let isChanged =
                (nextRemoved.first ?? end) < end
                || (nextReplaced.first?.old ?? end) < end
            guard isChanged || builder.hasInsertion(before: chunk.count) else {
                builder.append(chunk: chunk)
                continue
            }
            var position = start
            while position < end {
                builder.insert()
                if nextRemoved.first == position {
                    nextRemoved.removeFirst()
                    position += 1
                } else if let update = nextReplaced.first, update.old == position {
                    nextReplaced.removeFirst()
                    builder.append(try row(update.new))
                    position += 1
                } else {
                    let next = min(end, nextRemoved.first ?? end, nextReplaced.first?.old ?? end)
                    position += builder.appendPrefix(of: chunk[(position - start)..<(next - start)])
                }
            }
        }
        return builder.finish()
    }

    /// Puts chunks and single rows together.
    private struct Builder {
        private var result = ChunkedRows()

        /// The rows after the last chunk.
        private var rest: [Row] = []

        /// The positions in the result of the rows to be inserted.
        private var incoming: ArraySlice<Int>
        private var rows: ArraySlice<Row>

        init(incoming: ArraySlice<Int>, rows: ArraySlice<Row>) {
            self.incoming = incoming
            self.rows = rows
        }

        private var count: Int { result.count + rest.count }

        /// Inserts the rows whose position is next.
        mutating func insert() {
            while incoming.first == count {
                incoming.removeFirst()
                rest += rows.prefix(1)
                rows.removeFirst()
                flushFull()
            }
        }

        /// Returns whether a row is inserted before a number of further rows has been appended.
        func hasInsertion(before number: Int) -> Bool {
            incoming.first.map { $0 < count + number } ?? false
        }

        mutating func append(_ row: Row) {
            rest.append(row)
            flushFull()
        }

        /// Appends the first of some rows, up to the next insertion or the end of a chunk.
        ///
        /// Rows are copied together: for code that is compiled without knowing their type, each
        /// step costs more than a copy.
        ///
        /// - Parameter rows: The rows.
        /// - Returns: The number of rows that were appended.
        mutating func appendPrefix(of rows: ArraySlice<Row>) -> Int {
            let free = ChunkedRows.size - rest.count
            let number = min(rows.count, free, (incoming.first ?? .max) - count)
            rest += rows.prefix(number)
            flushFull()
            return number
        }

        mutating func append(chunk: [Row]) {
            // Small chunks are joined, so that their number does not grow with each change; others
            // are shared, as a copy takes longer than all else.
            let isJoined =
                rest.isEmpty
                ? chunk.count < ChunkedRows.size / 2
                : rest.count + chunk.count <= ChunkedRows.size
            if isJoined {
                rest += chunk
                flushFull()
            } else {
                flush()
                result.append(chunk: chunk)
            }
        }

        private mutating func flushFull() {
            if rest.count >= ChunkedRows.size { flush() }
        }

        private mutating func flush() {
            guard !rest.isEmpty else { return }
            result.append(chunk: rest)
            rest = []
        }

        mutating func finish() -> ChunkedRows {
            insert()
            flush()
            return result
        }
    }
}
