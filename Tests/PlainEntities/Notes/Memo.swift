// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Memo: EntityRecord, Hashable {
    package var rowID = RowID<Memo>.unsaved
    package var id: Int?
    package var isDone: Bool
    package var photo: Value?
    package var text: String
    package var writer: One<Writer>

    package static let entityName = "Memo"
    package static let entity = EntityDescription(
        entityName,
        fetchIndexes: [FetchIndex("byText", elements: [.init("text", isAscending: false)])]
    ) {
        Attribute("id", .integer64)
        Attribute("isDone", .boolean, isOptional: false, defaultValue: .boolean(false))
        Attribute("photo", .transformable, valueTransformer: "PhotoTransformer")
        Attribute("text", .string, isOptional: false, defaultValue: .string(""))
        Relationship("writer", to: Writer.entityName, inverse: "notes")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Memo
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Memo> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var isDone: AttributeExpression<Bool> { path.attribute("isDone") }
        package var photo: AttributeExpression<Value> { path.attribute("photo") }
        package var text: AttributeExpression<String> { path.attribute("text") }
        package var writer: ToOneExpression<Memo, Writer> { path.one("writer", \.writer) }
    }

    package init(
        id: Int? = nil,
        isDone: Bool = false,
        photo: Value? = nil,
        text: String = "",
        writer: One<Writer> = nil
    ) {
        self.id = id
        self.isDone = isDone
        self.photo = photo
        self.text = text
        self.writer = writer
    }

    package init(from row: EntityRow) throws {
        self.id = row[0, "id"]
        self.isDone = row[1, "isDone", default: false]
        self.photo = row[2, "photo"]
        self.text = row[3, "text", default: ""]
        self.writer = row.one(4, "writer")
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("isDone", self.isDone)
        row.set("photo", self.photo)
        row.set("text", self.text)
        row.set("writer", self.writer)
    }
}
