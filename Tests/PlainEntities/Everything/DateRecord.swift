// Written by “tidemark model generate”: change the model instead.
package import Foundation
package import Tidemark

package nonisolated struct DateRecord: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<DateRecord>.unsaved
    package var bytes: Data?
    package var `class`: String?
    package var code: UUID
    package var count: Int?
    package var decimal: Decimal?
    package var `default`: Bool
    package var document: JSONText?
    package var double: Double
    package var float: Float?
    package var `in`: Int32?
    package var link: URL
    package var moment: Date?
    package var other: Value?
    package var scratch: String
    package var small: Int16?
    package var text: String?

    package var id: RowID<DateRecord> { rowID }

    package static let entityName = "Date"
    package static let entity = EntityDescription(
        entityName,
        primaryKey: ["code"],
        fetchIndexes: [
            FetchIndex("byClass", elements: [.init("class"), .init("text", isAscending: false)])
        ],
        ignoredKeys: ["etag", "links.self"],
        renamingIdentifier: "Day",
        userInfo: ["tidemark.path": "dates.json"]
    ) {
        Attribute("bytes", .binary, encoding: .base64)
        Attribute("class", .string, defaultValue: .string("a \"b\"\n"))
        Attribute("code", .uuid, isOptional: false)
        Attribute(
            "count",
            .integer64,
            defaultValue: .integer(-1),
            validation: .init(minimum: -5.0, maximum: 5.0)
        )
        Attribute("decimal", .decimal, defaultValue: .decimal("0.1"))
        Attribute("default", .boolean, isOptional: false, defaultValue: .boolean(true))
        Attribute("document", .json, defaultValue: .json("{\"a\": [1, 2]}"))
        Attribute("double", .double, isOptional: false, defaultValue: .double(1.5))
        Attribute("float", .float, defaultValue: .double(0.10000000149011612))
        Attribute("in", .integer32, renamingIdentifier: "inside")
        Attribute("link", .uri, isOptional: false, isExportable: false, isAsset: true)
        Attribute("moment", .date, dateFormat: "yyyy-MM-dd", nullValues: ["", "0000-00-00"])
        Attribute("other", .transformable, valueTransformer: "Other")
        Attribute("scratch", .string, isOptional: false, isTransient: true)
        Attribute("small", .integer16, remoteKey: "sizes.small")
        Attribute("text", .string, validation: .init(maximum: 20.0, pattern: "[a-z]+"))
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = DateRecord
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<DateRecord> { RowExpression(path) }
        package var bytes: AttributeExpression<Data> { path.attribute("bytes") }
        package var `class`: AttributeExpression<String> { path.attribute("class") }
        package var code: AttributeExpression<UUID> { path.attribute("code") }
        package var count: AttributeExpression<Int> { path.attribute("count") }
        package var decimal: AttributeExpression<Decimal> { path.attribute("decimal") }
        package var `default`: AttributeExpression<Bool> { path.attribute("default") }
        package var document: AttributeExpression<JSONText> { path.attribute("document") }
        package var double: AttributeExpression<Double> { path.attribute("double") }
        package var float: AttributeExpression<Float> { path.attribute("float") }
        package var `in`: AttributeExpression<Int32> { path.attribute("in") }
        package var link: AttributeExpression<URL> { path.attribute("link") }
        package var moment: AttributeExpression<Date> { path.attribute("moment") }
        package var other: AttributeExpression<Value> { path.attribute("other") }
        package var small: AttributeExpression<Int16> { path.attribute("small") }
        package var text: AttributeExpression<String> { path.attribute("text") }
    }

    package init(
        bytes: Data? = nil,
        `class`: String? = "a \"b\"\n",
        code: UUID,
        count: Int? = -1,
        decimal: Decimal? = nil,
        `default`: Bool = true,
        document: JSONText? = "{\"a\": [1, 2]}",
        double: Double = 1.5,
        float: Float? = 0.10000000149011612,
        `in`: Int32? = nil,
        link: URL,
        moment: Date? = nil,
        other: Value? = nil,
        scratch: String = "",
        small: Int16? = nil,
        text: String? = nil
    ) {
        self.bytes = bytes
        self.`class` = `class`
        self.code = code
        self.count = count
        self.decimal = decimal
        self.`default` = `default`
        self.document = document
        self.double = double
        self.float = float
        self.`in` = `in`
        self.link = link
        self.moment = moment
        self.other = other
        self.scratch = scratch
        self.small = small
        self.text = text
    }

    package init(from row: EntityRow) throws {
        self.bytes = row[0, "bytes"]
        self.`class` = row[1, "class"]
        self.code = try row[2, "code"]
        self.count = row[3, "count"]
        self.decimal = row[4, "decimal"]
        self.`default` = row[5, "default", default: true]
        self.document = row[6, "document"]
        self.double = row[7, "double", default: 1.5]
        self.float = row[8, "float"]
        self.`in` = row[9, "in"]
        self.link = try row[10, "link"]
        self.moment = row[11, "moment"]
        self.other = row[12, "other"]
        self.small = row[13, "small"]
        self.text = row[14, "text"]
        self.scratch = ""
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("bytes", self.bytes)
        row.set("class", self.`class`)
        row.set("code", self.code)
        row.set("count", self.count)
        row.set("decimal", self.decimal)
        row.set("default", self.`default`)
        row.set("document", self.document)
        row.set("double", self.double)
        row.set("float", self.float)
        row.set("in", self.`in`)
        row.set("link", self.link)
        row.set("moment", self.moment)
        row.set("other", self.other)
        row.set("small", self.small)
        row.set("text", self.text)
    }
}
