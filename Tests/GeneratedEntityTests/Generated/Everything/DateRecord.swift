// Written by “tidemark model generate”: change the model instead.
import Foundation
import Tidemark
import TidemarkMacros

@Entity(
    "Date",
    fetchIndexes: [
        FetchIndex("byClass", elements: [.init("class"), .init("text", isAscending: false)])
    ],
    ignoredKeys: ["etag", "links.self"],
    renamingIdentifier: "Day",
    userInfo: ["tidemark.path": "dates.json"]
)
struct DateRecord: Hashable {
    @Attribute(encoding: .base64) var bytes: Data?
    var `class`: String? = "a \"b\"\n"
    @PrimaryKey var code: UUID
    @Attribute(validation: .init(minimum: -5.0, maximum: 5.0)) var count: Int? = -1
    @Attribute(defaultValue: .decimal("0.1")) var decimal: Decimal?
    var `default`: Bool = true
    var document: JSONText? = "{\"a\": [1, 2]}"
    var double: Double = 1.5
    @Attribute(defaultValue: .double(0.10000000149011612)) var float: Float? = 0.10000000149011612
    @Attribute(renamingIdentifier: "inside") var `in`: Int32?
    @Attribute(isExportable: false, isAsset: true) var link: URL
    @Attribute(dateFormat: "yyyy-MM-dd", nullValues: ["", "0000-00-00"]) var moment: Date?
    @Attribute(valueTransformer: "Other") var other: Value?
    @Attribute(isTransient: true, defaultValue: nil) var scratch: String = ""
    @RemoteKey("sizes.small") var small: Int16?
    @Attribute(validation: .init(maximum: 20.0, pattern: "[a-z]+")) var text: String?
}
