/// The rows of a live result in their order, with what determines whether they have changed.
///
/// Takes as little memory as possible: there are far fewer sections than rows, and in most results
/// none.
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

    private var keys: [Key] = []

    /// The titles of the sections of all rows; none if all are empty.
    private var titles: [Title] = []

    private struct Key: Sendable {
        let order: OrderKey
        let fingerprint: Int
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
        keys.reserveCapacity(count)
    }

    mutating func append(_ entry: Entry) {
        insert(entry, at: count)
    }

    /// Appends some rows of another list.
    mutating func append(_ range: Range<Int>, of other: LiveEntries) {
        if !other.titles.isEmpty { addTitles() }
        if !titles.isEmpty || !other.titles.isEmpty {
            titles +=
                other.titles.isEmpty
                ? Array(repeating: Title(""), count: range.count)[...] : other.titles[range]
        }
        keys += other.keys[range]
    }

    private mutating func addTitles() {
        if titles.isEmpty { titles = Array(repeating: Title(""), count: count) }
    }

    mutating func insert(_ entry: Entry, at position: Int) {
        if !entry.section.isEmpty { addTitles() }
        if !entry.section.isEmpty || !titles.isEmpty {
            titles.insert(title(entry.section, after: position), at: position)
        }
        keys.insert(Key(order: entry.key, fingerprint: entry.fingerprint), at: position)
    }

    mutating func remove(at position: Int) {
        keys.remove(at: position)
        if !titles.isEmpty { titles.remove(at: position) }
    }

    private func title(_ text: String, after position: Int) -> Title {
        guard position > 0, titles[position - 1].text == text else { return Title(text) }
        return titles[position - 1]
    }

    /// The titles of the sections in their order, each with its number of rows.
    var sections: [(title: String, count: Int)] {
        guard !titles.isEmpty else { return isEmpty ? [] : [("", count)] }
        var sections: [(title: String, count: Int)] = []
        for title in titles {
            if sections.last?.title == title.text {
                sections[sections.count - 1].count += 1
            } else {
                sections.append((title.text, 1))
            }
        }
        return sections
    }
}

extension LiveEntries: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { keys.count }

    subscript(position: Int) -> Entry {
        get {
            Entry(
                key: keys[position].order,
                fingerprint: keys[position].fingerprint,
                section: titles.isEmpty ? "" : titles[position].text
            )
        }
        set {
            keys[position] = Key(order: newValue.key, fingerprint: newValue.fingerprint)
            guard newValue.section != self[position].section else { return }
            remove(at: position)
            insert(newValue, at: position)
        }
    }

    /// Returns the number of the row at a position.
    func row(at position: Int) -> Int64 { keys[position].order.row }
}
