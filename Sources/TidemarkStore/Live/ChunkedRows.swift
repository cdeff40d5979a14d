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

    init(_ rows: [Row] = []) {
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
        var incoming = try difference.insertions.map { (position: $0, row: try row($0)) }
        incoming += try difference.moves.map { move in
            (move.new, updated.contains(move.new) ? try row(move.new) : self[move.old])
        }
        incoming.sort { $0.position < $1.position }
        let moved = Set(difference.moves.map(\.old))
        let removed = (difference.deletions + moved).sorted()
        let replaced = difference.updates.filter { !moved.contains($0.old) }
            .sorted { $0.old < $1.old }
        var builder = Builder(incoming: incoming[...])
        var (nextRemoved, nextReplaced) = (removed[...], replaced[...])
        for (start, chunk) in zip(starts, chunks) {
            let end = start + chunk.count
            builder.insert()
            let isChanged =
                (nextRemoved.first ?? end) < end
                || (nextReplaced.first?.old ?? end) < end
            guard isChanged || builder.hasInsertion(before: chunk.count) else {
                builder.append(chunk)
                continue
            }
            for (position, old) in zip(start..., chunk) {
                if nextRemoved.first == position {
                    nextRemoved.removeFirst()
                } else if let update = nextReplaced.first, update.old == position {
                    nextReplaced.removeFirst()
                    builder.append(try row(update.new))
                } else {
                    builder.append(old)
                }
            }
        }
        return builder.finish()
    }

    /// Puts chunks and single rows together.
    private struct Builder {
        var result = ChunkedRows()

        /// The rows after the last chunk.
        var rest: [Row] = []

        /// The rows to be inserted, by their positions in the result.
        var incoming: ArraySlice<(position: Int, row: Row)>

        init(incoming: ArraySlice<(position: Int, row: Row)>) {
            self.incoming = incoming
        }

        private var count: Int { result.count + rest.count }

        /// Inserts the rows whose position is next.
        mutating func insert() {
            while let next = incoming.first, next.position == count {
                incoming.removeFirst()
                add(next.row)
            }
        }

        /// Returns whether a row is inserted before a number of further rows has been appended.
        func hasInsertion(before number: Int) -> Bool {
            incoming.first.map { $0.position < count + number } ?? false
        }

        mutating func append(_ row: Row) {
            insert()
            add(row)
        }

        private mutating func add(_ row: Row) {
            rest.append(row)
            if rest.count == ChunkedRows.size { flush() }
        }

        mutating func append(_ chunk: [Row]) {
            // Small chunks are joined, so that their number does not grow with each change.
            if rest.count + chunk.count <= ChunkedRows.size {
                rest += chunk
            } else {
                flush()
                result.append(chunk: chunk)
            }
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
