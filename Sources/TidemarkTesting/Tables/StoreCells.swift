import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The cells of a table for values and links of a store.
struct StoreCells {
    let reader: StoreReader
    private let rows: StoreTable.Rows

    /// The names of rows that links have named before, because most rows are linked more than once.
    private var names: [RowReference: String] = [:]

    /// The text of a cell without a value.
    static let noValue = "-"

    init(_ reader: StoreReader, rows: StoreTable.Rows) {
        self.reader = reader
        self.rows = rows
    }

    // MARK: Values

    func text(_ value: Value) -> String {
        switch value {
        case .null: Self.noValue
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .decimal(let text), .uuid(let text), .uri(let text), .json(let text): text
        case .string(let text): Self.quotedIfNeeded(text)
        case .date(let seconds): Self.date(seconds)
        case .binary(let bytes): "x'\(bytes.map(Self.hexadecimal).joined())'"
        }
    }

    private static func date(_ seconds: Double) -> String {
        DateFormat.microseconds(fromSeconds: seconds).map {
            DateFormat.iso8601(.whenNeeded).string(from: $0)
        } ?? "\(seconds) s"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count < 2 ? "0\(text)" : text
    }

    /// Returns a text, in quotes if it is empty, looks like a cell without a value, or would break
    /// the alignment.
    private static func quotedIfNeeded(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text != noValue && text.first != " " && text.last != " "
            && !text.contains("  ") && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        guard !isPlain else { return text }
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Links

    mutating func text(_ links: [RowReference], of relationship: Relationship) throws -> String {
        let names = try links.map { try name($0) }
        guard relationship.isToMany else { return names.first ?? Self.noValue }
        // An unordered list is read in the order of row numbers, which anonymous tables must not
        // depend on.
        let isSorted = rows == .anonymous && !relationship.isOrdered
        return "[\((isSorted ? names.sorted() : names).joined(separator: " "))]"
    }

    /// Returns the owner of an unresolved reference, which another writer may have removed.
    mutating func owner(_ number: Int64, of identifier: String) throws -> String {
        let entity = identifier.split(separator: ".").first.map(String.init) ?? ""
        let reference = RowReference(entity, number)
        guard try reader.rowReference(for: RecordLocator(reference)) != nil else {
            return "#\(number), deleted"
        }
        return try name(reference)
    }

    /// Returns the primary key of a row, or its number if it has no key.
    private mutating func name(_ reference: RowReference) throws -> String {
        if let name = names[reference] { return name }
        let record = try reader.record(RecordLocator(reference))
        let entity = try reader.layout.entity(record.reference.entity)
        let key = try reader.key(of: reference.number, entity)?.parts
        let name =
            key.map { $0.count == 1 ? text($0[0]) : "[\($0.map(text).joined(separator: ","))]" }
            ?? "#\(reference.number)"
        names[reference] = name
        return name
    }
}
