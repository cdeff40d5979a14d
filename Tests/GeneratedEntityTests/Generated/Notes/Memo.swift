// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity(fetchIndexes: [FetchIndex("byText", elements: [.init("text", isAscending: false)])])
struct Memo: Hashable {
    @PrimaryKey var id: Int?
    var isDone: Bool = false
    @Attribute(valueTransformer: "PhotoTransformer") var photo: Value?
    var text: String = ""
    @Relationship(inverse: "notes") var writer: One<Writer>
}
