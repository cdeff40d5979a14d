/// The rows of a live result in their order, with what determines whether they have changed.
///
/// Takes as little memory as possible: most keys are short, there are far fewer sections than rows,
/// and in most results none.
struct LiveEntries: Sendable {
    /// A row of the result.
    struct Entry: Sendable {
        var row: Int64 { key.row }

        let key: OrderKey

        /// A hash of the values that the request loads with the row.
        var fingerprint: Int

        /// The title of the section; empty without sections.
        var section = ""
    }

    private var rows: [Row] = []

    /// The ends of long keys.
    private var tails = SparseList<[UInt8]>()

    /// The titles of the sections.
    private var titles = SparseList<Title>()

    private struct Row: Sendable {
        let head: OrderKey.Head
        let number: Int64
        let fingerprint: Int

        init(_ entry: Entry) {
            head = entry.key.head
            number = entry.row
            fingerprint = entry.fingerprint
        }
    }

    /// A title, which neighbors share.
    private final class Title: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    init(_ entries: some Sequence<Entry> = []) {
        for entry in entries { append(entry) }
    }

    mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
    }

    mutating func append(_ entry: Entry) {
        insert(entry, at: count)
    }

    /// Appends some rows of another list.
    mutating func append(_ range: Range<Int>, of other: LiveEntries) {
        tails.append(range, of: other.tails, after: count)
        titles.append(range, of: other.titles, after: count)
        rows += other.rows[range]
    }

    mutating func insert(_ entry: Entry, at position: Int) {
        let tail = entry.key.tail
        tails.insert(tail.isEmpty ? nil : tail, at: position, count: count)
        titles.insert(title(entry.section, after: position), at: position, count: count)
        rows.insert(Row(entry), at: position)
    }

    mutating func remove(at position: Int) {
        tails.remove(at: position)
        titles.remove(at: position)
        rows.remove(at: position)
    }

    /// Returns the title of a row at a position; nil without one.
    private func title(_ text: String, after position: Int) -> Title? {
        guard !text.isEmpty else { return nil }
        if position > 0, let previous = titles[position - 1], previous.text == text {
            return previous
        }
        return Title(text)
    }

    /// The titles of the sections in their order, each with its number of rows.
    var sections: [(title: String, count: Int)] {
        guard !titles.isEmpty else { return isEmpty ? [] : [("", count)] }
        var sections: [(title: String, count: Int)] = []
        for position in indices {
            let title = titles[position]?.text ?? ""
            if sections.last?.title == title {
                sections[sections.count - 1].count += 1
            } else {
                sections.append((title, 1))
            }
        }
        return sections
    }
}

extension LiveEntries: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(position: Int) -> Entry {
        get {
            let row = rows[position]
            return Entry(
                key: OrderKey(row.head, tail: tails[position] ?? [], row: row.number),
                fingerprint: row.fingerprint,
                section: titles[position]?.text ?? ""
            )
        }
        set {
            let known = self[position]
            guard newValue.key.tail == known.key.tail, newValue.section == known.section else {
                remove(at: position)
                insert(newValue, at: position)
                return
            }
            rows[position] = Row(newValue)
        }
    }

    /// Returns the number of the row at a position.
    func row(at position: Int) -> Int64 { rows[position].number }
}

/// A value for each row of a list, which takes no memory before a row has one.
private struct SparseList<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    /// Whether no row has a value.
    var isEmpty: Bool { values.isEmpty }

    subscript(position: Int) -> Value? { values.isEmpty ? nil : values[position] }

    /// Inserts the value of a row into those of a number of rows.
    mutating func insert(_ value: Value?, at position: Int, count: Int) {
        if values.isEmpty {
            guard value != nil else { return }
            values = Array(repeating: nil, count: count)
        }
        values.insert(value, at: position)
    }

    mutating func remove(at position: Int) {
        if !values.isEmpty { values.remove(at: position) }
    }

    /// Appends the values of some rows of another list to those of a number of rows.
    mutating func append(_ range: Range<Int>, of other: SparseList, after count: Int) {
        guard !values.isEmpty || !other.isEmpty else { return }
        if values.isEmpty { values = Array(repeating: nil, count: count) }
        if other.isEmpty {
            values += repeatElement(nil, count: range.count)
        } else {
            values += other.values[range]
        }
    }
}
