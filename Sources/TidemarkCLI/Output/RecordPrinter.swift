import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// A printer that prints rows one at a time.
protocol RecordPrinter {
    mutating func begin() throws
    mutating func print(_ record: StoredRecord, with cells: RecordCells) throws
    mutating func end() throws
}

/// Prints rows as an aligned table.
///
/// All rows are kept in memory until the end, because the widths of the columns depend on all of
/// them.
struct TablePrinter: RecordPrinter {
    private let columns: RecordColumns
    private var table: TextTable

    /// The maximum width of a cell.
    ///
    /// Longer texts are truncated.
    private static let widthLimit = 40

    init(_ columns: RecordColumns) {
        self.columns = columns
        table = TextTable(columns.names)
    }

    func begin() {}

    mutating func print(_ record: StoredRecord, with cells: RecordCells) throws {
        table.add(try columns.texts(of: record, in: cells).map(Self.shortened))
    }

    func end() throws {
        try Console.lines(table.description)
    }

    private static func shortened(_ text: String) -> String {
        // Columns are aligned by characters, but one character may consist of any number of
        // scalars, so the scalars are limited too.
        let line = text.singleLine(limit: 2 * widthLimit)
        return line.count > widthLimit ? line.prefix(widthLimit - 1) + "…" : line
    }
}

/// Prints rows as comma-separated values (RFC 4180).
struct CSVPrinter: RecordPrinter {
    private let columns: RecordColumns

    init(_ columns: RecordColumns) {
        self.columns = columns
    }

    func begin() throws {
        try Console.raw(Self.line(columns.names))
    }

    func print(_ record: StoredRecord, with cells: RecordCells) throws {
        try Console.raw(Self.line(columns.texts(of: record, in: cells)))
    }

    func end() {}

    private static func line(_ cells: [String]) -> String {
        cells.map(field).joined(separator: ",") + "\r"
    }

    /// Quotes a field if RFC 4180 requires it.
    ///
    /// The comparison is by bytes: a comma followed by a combining mark is a different `Character`,
    /// but still a separator for the program that reads the file.
    private static func field(_ text: String) -> String {
        let special: [UInt8] = [0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "\"")]
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        let doubled = text.utf8.split(
            separator: UInt8(ascii: "\""),
            omittingEmptySubsequences: false
        )
        .joined(separator: Array("\"\"".utf8))
        return "\"\(String(decoding: Array(doubled), as: UTF8.self))\""
    }
}

/// Prints rows as one JSON array, or as one JSON object per line.
struct JSONPrinter: RecordPrinter {
    private let columns: RecordColumns
    private let isLines: Bool
    private var writer = JSONWriter()

    /// The error for the first row with a value that is not valid JSON.
    ///
    /// It is thrown at the end.
    private var problem: StoreError?

    init(_ columns: RecordColumns, isLines: Bool) {
        self.columns = columns
        self.isLines = isLines
    }

    mutating func begin() {
        if !isLines { writer.beginArray() }
    }

    mutating func print(_ record: StoredRecord, with cells: RecordCells) throws {
        let (record, invalid) = record.checkingJSON()
        problem = problem ?? invalid.map { StoreError.notJSON($0, of: record.reference) }
        try write(record, with: cells)
        if isLines {
            try Console.end(&writer)
            writer = JSONWriter()
        } else {
            try Console.flush(&writer)
        }
    }

    mutating func end() throws {
        if !isLines {
            writer.endArray()
            try Console.end(&writer)
        }
        if let problem { throw problem }
    }

    private mutating func write(_ record: StoredRecord, with cells: RecordCells) throws {
        writer.beginObject()
        for name in columns.chosen ?? record.values.keys.sorted() + record.links.keys.sorted() {
            writer.key(name)
            if let value = record.values[name] {
                RecordCells.write(value, into: &writer)
            } else {
                let links = record.links[name] ?? []
                try write(links, isToMany: cells.isToMany(name, of: record), with: cells)
            }
        }
        writer.endObject()
    }

    private mutating func write(
        _ links: [RowReference],
        isToMany: Bool,
        with cells: RecordCells
    ) throws {
        let keys = try links.map(cells.key(of:))
        guard isToMany else {
            return RecordCells.write(keys.first ?? .null, into: &writer)
        }
        writer.beginArray()
        for key in keys {
            RecordCells.write(key, into: &writer)
        }
        writer.endArray()
    }
}

extension RecordCells {
    /// Returns whether a relationship of a row's entity is to-many.
    func isToMany(_ relationship: String, of record: StoredRecord) throws -> Bool {
        try layout(of: record).relationship(relationship)?.relationship.isToMany ?? true
    }
}
