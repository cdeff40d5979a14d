import Foundation
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The export of attributes and their values.
extension Exporter {
    /// Adds a row's attributes and the name of its entity.
    ///
    /// - Parameters:
    ///   - record: The row.
    ///   - names: The names of its entity.
    ///   - properties: The attributes to add; nil for all.
    ///   - omitted: Attributes that are left out.
    ///   - isOutermost: Whether the row is not embedded.
    ///   - members: Receives the attributes.
    /// - Throws: ``ImportError/Code/unwritableValue``.
    func addAttributes(
        of record: StoredRecord,
        names: ExportNames,
        only properties: Set<String>?,
        omitting omitted: Set<String>,
        isOutermost: Bool,
        to members: inout ExportTree.Members
    ) throws {
        for attribute in names.attributes
        where properties?.contains(attribute.attribute.name) != false
            && !omitted.contains(attribute.attribute.name)
        {
            // The key of a resource is not one of its attributes (JSON:API 1.1, “Fields”).
            if isOutermost, change?.isLinkage == true, names.isKey(attribute) { continue }
            if let change, record[attribute.attribute.name] == .null {
                // A service has defaults of its own for what a new object lacks. Only where the
                // model has one, too, null was chosen.
                let isNew = isOutermost && properties == nil
                let isChosen = !isNew || attribute.attribute.defaultValue != nil
                // Parse has operations on the members of its objects only.
                let isOwn = isOutermost && !attribute.key.isNestedKeyPath
                if isChosen { members.add(change.null(isOwn: isOwn), at: attribute.key) }
            } else if let value = try value(of: attribute, in: record) {
                members.add(value, at: attribute.key)
            }
        }
        if properties == nil {
            addEntity(record.reference.entity, names: names, to: &members)
        }
    }

    /// Returns a value as JSON; nil if only a transformer could convert it.
    func value(
        of attribute: ExportNames.AttributeName,
        in record: StoredRecord
    ) throws -> ExportTree? {
        let value = record[attribute.attribute.name]
        let location = ValueLocation(attribute: attribute, row: record.reference)
        if let name = attribute.attribute.json.valueTransformer,
            let transformer = transformers[name]
        {
            return try tree(value == .null ? value : transformer.writing(value), at: location)
        }
        return attribute.attribute.type == .transformable ? nil : try tree(value, at: location)
    }

    /// The attribute and row of a value, for errors.
    private struct ValueLocation {
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

    private func tree(_ value: Value, at location: ValueLocation) throws -> ExportTree {
        if let written = location.attribute.form?.written(value) { return ExportTree(written) }
        return switch value {
        case .null: .value { $0.null() }
        case .integer(let number): .value { $0.integer(number) }
        case .boolean(let flag): .value { $0.boolean(flag) }
        // The store's UUIDs are in upper case, and services compare keys byte by byte. RFC 9562
        // recommends lower case.
        case .uuid(let text) where change != nil: .string(text.lowercased())
        case .uri(let text)
        where change?.isTyped == true && location.attribute.attribute.json.isAsset:
            file(at: text)
        case .string(let text), .uuid(let text), .uri(let text): .string(text)
        // A transformer may return any text, and another program may have written any text to the
        // file.
        case .decimal(let text):
            ExportTree(json: Array(text.utf8))
                ?? ValueForm.plainDecimal(text).map { ExportTree(WrittenValue.raw($0)) }
                ?? .string(text)
        case .json(let text): ExportTree(json: Array(text.utf8)) ?? .string(text)
        case .binary(let bytes):
            tree(bytes, encoding: location.attribute.attribute.json.encoding)
        case .date(let seconds): try tree(date: seconds, at: location)
        case .double(let number):
            // JSON has no infinity and no NaN (RFC 8259, section 6). Null would be a silent loss.
            if number.isFinite {
                .value { $0.double(number) }
            } else {
                throw location.unwritable("is not a finite number, and JSON has no other")
            }
        }
    }

    private func tree(
        _ bytes: [UInt8],
        encoding: Attribute.BinaryEncoding
    ) -> ExportTree {
        switch encoding {
        // Stored bytes that are not valid JSON are exported as base64 rather than lost.
        case .json: ExportTree(json: bytes) ?? tree(bytes, encoding: .base64)
        case .base64 where change?.isTyped == true:
            .object(["__type": "Bytes", "base64": Data(bytes).base64EncodedString()])
        case .base64: .string(Data(bytes).base64EncodedString())
        }
    }

    /// Returns a file as Parse expects it.
    ///
    /// Its name is the last component of its URL.
    ///
    /// Source: Parse REST API, “Files”.
    private func file(at address: String) -> ExportTree {
        let name = URL(string: address)?.lastPathComponent ?? address
        return .object(["__type": "File", "name": name, "url": address])
    }

    // MARK: Dates

    private func tree(date seconds: Double, at location: ValueLocation) throws -> ExportTree {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            throw location.unwritable("is not a date between the years 0 and 9999")
        }
        if change?.isTyped == true, location.attribute.attribute.json.dateFormat == nil {
            return .object(["__type": "Date", "iso": Self.milliseconds(moment)])
        }
        let format = try options.dateFormat ?? location.attribute.dateFormat?.get()
        // An import reads a date without a time zone as UTC. A format of the options is used as
        // specified.
        let isZoned = options.dateFormat != nil || format?.hasZone != false
        let offset = isZoned ? self.offset(at: seconds) : 0
        return .value { writer in
            (format ?? .iso8601(.whenNeeded)).write(moment, offset: offset, into: &writer)
        }
    }

    /// Returns a date as Parse expects it: with three digits of the second.
    private static func milliseconds(_ moment: Int64) -> String {
        let rounded = (Double(moment) / 1_000).rounded() * 1_000
        return DateFormat.iso8601(.always).string(from: Int64(rounded))
    }

    /// Returns the time zone's offset from UTC at a date, in whole minutes, because date formats
    /// have no seconds in offsets.
    ///
    /// The offset is 0 if the local year would not have four digits.
    private func offset(at seconds: Double) -> Int {
        let offset = options.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let minutes = offset / 60 * 60
        let isWritable = DateFormat.microseconds(fromSeconds: seconds + Double(minutes)) != nil
        return isWritable ? minutes : 0
    }
}
