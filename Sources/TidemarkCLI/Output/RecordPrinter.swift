import TidemarkImport
import TidemarkModel
import TidemarkStore

/// Prints rows one after the other.
protocol RecordPrinter {
    mutating func begin() throws
    mutating func print(_ record: StoredRecord, _ cells: RecordCells) throws
    mutating func end() throws
}

/// The rows as an aligned table; it must know them all before it can print the first.
struct TablePrinter: RecordPrinter {
    private let columns: RecordColumns
    private var table: TextTable

    /// Longer texts are cut: a table is for looking at.
    private static let widthLimit = 40

    init(_ columns: RecordColumns) {
        self.columns = columns
        table = TextTable(columns.names)
    }

    func begin() {}

    mutating func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        table.add(try columns.texts(record, cells).map(Self.shortened))
    }

    func end() throws {
        try Console.lines(table.description)
    }

    private static func shortened(_ text: String) -> String {
        // Characters are what is aligned, scalars what bounds the size.
        let line = text.singleLine(limit: 2 * widthLimit)
        return line.count > widthLimit ? line.prefix(widthLimit - 1) + "…" : line
    }
}

/// The rows as comma-separated values, by RFC 4180.
struct CSVPrinter: RecordPrinter {
    private let columns: RecordColumns

    init(_ columns: RecordColumns) {
        self.columns = columns
    }

    func begin() throws {
        try Console.raw(Self.line(columns.names))
    }

    func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        try Console.raw(Self.line(columns.texts(record, cells)))
    }

    func end() {}

    private static func line(_ cells: [String]) -> String {
        cells.map(field).joined(separator: ",") + "\r"
    }

    /// Quotes a field where RFC 4180 asks for it.
    ///
    /// Bytes are compared, not characters: a comma that a combining mark follows is another
    /// `Character`, and a separator for whatever reads the file.
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

/// The rows as one JSON list, or as one object a line.
struct JSONPrinter: RecordPrinter {
    private let columns: RecordColumns
    private let isLines: Bool
    private var writer = JSONWriter()

    /// What is wrong with the first row that has a value which is not the JSON it was to be.
    private var problem: StoreError?

    init(_ columns: RecordColumns, isLines: Bool) {
        self.columns = columns
        self.isLines = isLines
    }

    mutating func begin() {
        if !isLines { writer.beginArray() }
    }

    mutating func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        let (record, invalid) = record.checkingJSON()
        problem = problem ?? invalid.map { StoreError.notJSON($0, of: record.reference) }
        try write(record, cells)
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

    private mutating func write(_ record: StoredRecord, _ cells: RecordCells) throws {
        writer.beginObject()
        for name in columns.chosen ?? record.values.keys.sorted() + record.links.keys.sorted() {
            writer.key(name)
            if let value = record.values[name] {
                RecordCells.write(value, into: &writer)
            } else {
                let links = record.links[name] ?? []
                try write(links, isToMany: cells.isToMany(name, of: record), cells)
            }
        }
        writer.endObject()
    }

    private mutating func write(
        _ links: [RowReference],
        isToMany: Bool,
        _ cells: RecordCells
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
    /// Whether a relationship of a row's entity is to-many.
    func isToMany(_ relationship: String, of record: StoredRecord) throws -> Bool {
        try layout(of: record).relationship(relationship)?.relationship.isToMany ?? true
    }
}
