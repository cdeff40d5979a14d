import Foundation
import TidemarkModel
import TidemarkStore

/// Attributes and their values.
extension Exporter {
    /// Adds a row's attributes, and of which entity it is.
    func addAttributes(
        of record: StoredRecord,
        _ names: ExportNames,
        _ properties: Set<String>?,
        to members: inout ExportTree.Members
    ) throws {
        for attribute in names.attributes
        where properties?.contains(attribute.attribute.name) != false {
            if let value = try value(of: attribute, in: record) {
                members.add(attribute.key, value)
            }
        }
        if properties == nil { addEntity(record.reference.entity, names, to: &members) }
    }

    /// A value as JSON; nil when only a transformer could write it.
    func value(
        of attribute: ExportNames.AttributeName,
        in record: StoredRecord
    ) throws -> ExportTree? {
        let value = record[attribute.attribute.name]
        let place = ValuePlace(attribute: attribute, row: record.reference)
        if let name = attribute.attribute.valueTransformer, let transformer = transformers[name] {
            return try tree(value == .null ? value : transformer.writing(value), place)
        }
        return attribute.attribute.type == .transformable ? nil : try tree(value, place)
    }

    /// Where a value stands.
    private struct ValuePlace {
        let attribute: ExportNames.AttributeName
        let row: RowReference

        func unwritable(_ reason: String) -> ImportError {
            ImportError(
                .unwritableValue,
                "The value of \(attribute.attribute.name) in \(row) \(reason).",
                hint: "Give the row another value, or export other properties of it alone."
            )
        }
    }

    private func tree(_ value: Value, _ place: ValuePlace) throws -> ExportTree {
        switch value {
        case .null: .value { $0.null() }
        case .integer(let number): .value { $0.integer(number) }
        case .boolean(let flag): .value { $0.boolean(flag) }
        case .string(let text), .uuid(let text), .uri(let text): .value { $0.string(text) }
        case .decimal(let text), .json(let text):
            // An app's transformer may make up any text, and so may another writer of the file.
            ExportTree(json: Array(text.utf8)) ?? .value { $0.string(text) }
        case .binary(let bytes): Self.tree(bytes, place.attribute.attribute.encoding)
        case .date(let seconds): try tree(date: seconds, place)
        case .double(let number):
            if number.isFinite {
                .value { $0.double(number) }
            } else {
                throw place.unwritable("is no finite number, and JSON has no other")
            }
        }
    }

    private static func tree(_ bytes: [UInt8], _ encoding: Attribute.BinaryEncoding) -> ExportTree {
        switch encoding {
        case .json: ExportTree(json: bytes) ?? tree(bytes, .base64)
        case .base64: .value { $0.string(Data(bytes).base64EncodedString()) }
        }
    }

    // MARK: Dates

    private func tree(date seconds: Double, _ place: ValuePlace) throws -> ExportTree {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            throw place.unwritable("is no date between the years 0 and 9999")
        }
        let format = try options.dateFormat ?? place.attribute.dateFormat?.get()
        // A date without a zone is read as UTC. What is asked for is written as it is asked for.
        let isZoned = options.dateFormat != nil || format?.hasZone != false
        let offset = isZoned ? self.offset(at: seconds) : 0
        return .value { writer in
            (format ?? .iso8601(.whenNeeded)).write(moment, offset: offset, into: &writer)
        }
    }

    /// How far east the zone is at a moment, in whole minutes, which is what dates can say; 0 where
    /// the year would have more than four digits there, or a sign.
    private func offset(at seconds: Double) -> Int {
        let offset = options.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let minutes = offset / 60 * 60
        let isWritable = DateFormat.microseconds(fromSeconds: seconds + Double(minutes)) != nil
        return isWritable ? minutes : 0
    }
}
