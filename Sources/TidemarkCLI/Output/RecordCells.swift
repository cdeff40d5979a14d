import Foundation
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The cells of a row for display: plain values, and the primary keys of linked rows.
struct RecordCells {
    private let reader: StoreReader

    init(_ reader: StoreReader) {
        self.reader = reader
    }

    /// Returns the layout of a row's entity.
    func layout(of record: StoredRecord) throws -> EntityLayout {
        try reader.layout.entity(record.reference.entity)
    }

    /// Writes a value as plain JSON.
    static func write(_ value: Value, into writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .integer(let number): writer.integer(number)
        case .double(let number): writer.double(number)
        case .boolean(let flag): writer.boolean(flag)
        case .decimal(let digits): writer.raw(digits)
        case .string(let text), .uuid(let text), .uri(let text): writer.string(text)
        case .date(let seconds): writer.string(date(seconds))
        case .binary(let bytes): writer.string(Data(bytes).base64EncodedString())
        case .json(let text): writer.raw(text)
        }
    }

    /// Returns a value as the text of a cell; empty for null.
    static func text(_ value: Value) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            text
        case .date(let seconds): Self.date(seconds)
        case .binary(let bytes): Data(bytes).base64EncodedString()
        }
    }

    /// Returns the primary key of a linked row, or its local name (`User#12`) if it has no key.
    func key(of link: RowReference) throws -> Value {
        let entity = try reader.layout.entity(link.entity)
        // Another program may have stored a decimal key that is not a number. It counts as missing.
        let (record, _) = try reader.record(RecordLocator(link)).checkingJSON()
        var parts = entity.key.compactMap { column in
            entity.attributes.first { $0.column == column }.map { record[$0.attribute.name] }
        }
        if entity.hasParentInKey {
            parts = try reader.key(of: link.number, entity)?.parts ?? []
        }
        guard !parts.isEmpty, !parts.contains(.null) else { return .string(link.description) }
        return parts.count == 1 ? parts[0] : list(parts)
    }

    /// Returns a key of several parts as a JSON array.
    private func list(_ parts: [Value]) -> Value {
        var writer = JSONWriter()
        writer.beginArray()
        for part in parts { Self.write(part, into: &writer) }
        writer.endArray()
        return .json(String(decoding: writer.bytes, as: UTF8.self))
    }

    private static func date(_ seconds: Double) -> String {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else { return "" }
        return DateFormat.iso8601(.whenNeeded).string(from: moment)
    }
}
