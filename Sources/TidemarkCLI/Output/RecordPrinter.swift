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
    private let entity: EntityLayout
    private var table: TextTable

    /// Longer texts are cut: a table is for looking at.
    private static let widthLimit = 40

    init(_ entity: EntityLayout) {
        self.entity = entity
        table = TextTable(entity.columnNames)
    }

    func begin() {}

    mutating func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        table.add(try entity.texts(record, cells).map(Self.shortened))
    }

    func end() throws {
        try Console.result(table.description)
    }

    private static func shortened(_ text: String) -> String {
        let line = text.map { $0.isNewline ? " " : String($0) }.joined()
        return line.count > widthLimit ? line.prefix(widthLimit - 1) + "…" : line
    }
}

/// The rows as comma-separated values, by RFC 4180.
struct CSVPrinter: RecordPrinter {
    private let entity: EntityLayout

    init(_ entity: EntityLayout) {
        self.entity = entity
    }

    func begin() throws {
        try Console.result(Self.line(entity.columnNames))
    }

    func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        try Console.result(Self.line(entity.texts(record, cells)))
    }

    func end() {}

    private static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let needsQuotes = cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            let doubled = cell.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            return needsQuotes ? "\"\(doubled)\"" : cell
        }
        .joined(separator: ",") + "\r"
    }
}

/// The rows as one JSON list, or as one object a line.
struct JSONPrinter: RecordPrinter {
    private let isLines: Bool
    private var writer = JSONWriter()

    init(isLines: Bool) {
        self.isLines = isLines
    }

    mutating func begin() {
        if !isLines { writer.beginArray() }
    }

    mutating func print(_ record: StoredRecord, _ cells: RecordCells) throws {
        try write(record, cells)
        if isLines {
            try Console.flush(&writer, above: 0)
            try Console.result("")
            writer = JSONWriter()
        } else {
            try Console.flush(&writer)
        }
    }

    mutating func end() throws {
        guard !isLines else { return }
        writer.endArray()
        try Console.flush(&writer, above: 0)
        try Console.result("")
    }

    private mutating func write(_ record: StoredRecord, _ cells: RecordCells) throws {
        writer.beginObject()
        for (name, value) in record.values.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            cells.write(value, into: &writer)
        }
        for (name, links) in record.links.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            try write(links, isToMany: cells.isToMany(name, of: record), cells)
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
            return cells.write(keys.first ?? .null, into: &writer)
        }
        writer.beginArray()
        for key in keys {
            cells.write(key, into: &writer)
        }
        writer.endArray()
    }
}

extension EntityLayout {
    /// The names over the columns of a table: attributes, then relationships.
    fileprivate var columnNames: [String] {
        attributes.map(\.attribute.name) + relationships.map(\.relationship.name)
    }

    /// The texts of a row, in the order of ``columnNames``.
    fileprivate func texts(_ record: StoredRecord, _ cells: RecordCells) throws -> [String] {
        let values = attributes.map { RecordCells.text(record[$0.attribute.name]) }
        let links = try relationships.map { relationship in
            try (record.links[relationship.relationship.name] ?? [])
                .map { RecordCells.text(try cells.key(of: $0)) }.joined(separator: " ")
        }
        return values + links
    }
}

extension RecordCells {
    /// Whether a relationship of a row's entity is to-many.
    func isToMany(_ relationship: String, of record: StoredRecord) throws -> Bool {
        try layout(of: record).relationship(relationship)?.relationship.isToMany ?? true
    }
}
