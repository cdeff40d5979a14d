import Foundation
import TidemarkModel

/// Attributes and their values.
extension Exporter {
    func key(_ attribute: AttributeMapping) -> String {
        // Rails deletes a nested record whose `_destroy` is true.
        if options.relationships == .nestedAttributes, attribute.name == "destroy" {
            return "_destroy"
        }
        return spelled(attribute.exportKeys)
    }

    func spelled(_ keys: ExportKeys) -> String {
        switch options.keys {
        case .snake: keys.snake
        case .camel: keys.camel
        }
    }

    /// A value as JSON; nil when only a transformer could write it.
    func value(_ value: Value, _ attribute: Attribute) throws -> ExportTree? {
        if let transformer = attribute.valueTransformer.flatMap({ transformers[$0] }) {
            return tree(value == .null ? value : try transformer.writing(value), attribute)
        }
        return attribute.type == .transformable ? nil : tree(value, attribute)
    }

    private func tree(_ value: Value, _ attribute: Attribute) -> ExportTree {
        .value { writer in
            switch value {
            case .null: writer.null()
            case .integer(let number): writer.integer(number)
            case .double(let number): writer.double(number)
            case .boolean(let flag): writer.boolean(flag)
            case .decimal(let digits): writer.raw(digits)
            case .string(let text), .uuid(let text), .uri(let text): writer.string(text)
            case .date(let seconds): write(date: seconds, attribute, into: &writer)
            case .json(let text): writer.raw(text)
            case .binary(let bytes): Self.write(bytes, attribute, into: &writer)
            }
        }
    }

    private func write(
        date seconds: Double,
        _ attribute: Attribute,
        into writer: inout JSONWriter
    ) {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            return writer.null()
        }
        let zone = options.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let format = options.dateFormat ?? .iso8601(.whenNeeded)
        format.write(moment, offset: zone, into: &writer)
    }

    private static func write(
        _ bytes: [UInt8],
        _ attribute: Attribute,
        into writer: inout JSONWriter
    ) {
        switch attribute.encoding {
        case .json: bytes.withUnsafeBytes { writer.raw($0) }
        case .base64: writer.string(Data(bytes).base64EncodedString())
        }
    }
}
