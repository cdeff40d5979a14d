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
        if let name = attribute.attribute.valueTransformer, let transformer = transformers[name] {
            return tree(
                value == .null ? value : try transformer.writing(value),
                attribute.attribute
            )
        }
        return attribute.attribute.type == .transformable ? nil : tree(value, attribute.attribute)
    }

    private func tree(_ value: Value, _ attribute: Attribute) -> ExportTree {
        switch value {
        case .null: .value { $0.null() }
        case .integer(let number): .value { $0.integer(number) }
        case .boolean(let flag): .value { $0.boolean(flag) }
        case .string(let text), .uuid(let text), .uri(let text): .value { $0.string(text) }
        case .decimal(let text), .json(let text):
            // An app's transformer may make up any text, and so may another writer of the file.
            ExportTree(json: Array(text.utf8)) ?? .value { $0.string(text) }
        case .binary(let bytes): Self.tree(bytes, attribute.encoding)
        case .date(let seconds): tree(date: seconds)
        case .double(let number): .value { $0.double(number) }
        }
    }

    private static func tree(_ bytes: [UInt8], _ encoding: Attribute.BinaryEncoding) -> ExportTree {
        switch encoding {
        case .json: ExportTree(json: bytes) ?? tree(bytes, .base64)
        case .base64: .value { $0.string(Data(bytes).base64EncodedString()) }
        }
    }

    // MARK: Dates

    private func tree(date seconds: Double) -> ExportTree {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            return .value { $0.null() }
        }
        let zone = options.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let format = options.dateFormat ?? .iso8601(.whenNeeded)
        return .value { format.write(moment, offset: zone, into: &$0) }
    }
}
