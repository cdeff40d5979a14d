import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore

extension Store {
    /// Exports a row, such as `User:6`, or all rows of an entity, and returns the JSON text.
    func export(
        _ subject: String,
        _ options: ExportOptions = ExportOptions(),
        only properties: Set<String>? = nil,
        where predicate: String? = nil,
        transformers: [String: AttributeTransformer] = [:],
        limits: Limits = Limits()
    ) throws -> String {
        let exporter = Exporter(
            self,
            options: options,
            transformers: transformers,
            limits: limits
        )
        var json = JSONWriter()
        try writer.read { db in
            if subject.contains(":") || subject.contains("#") {
                try exporter.write(db, RecordLocator(subject), only: properties, into: &json)
            } else {
                let request = RecordRequest(
                    subject,
                    where: try predicate.map { try RecordPredicate($0) }
                )
                try exporter.write(db, request, only: properties, into: &json)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
