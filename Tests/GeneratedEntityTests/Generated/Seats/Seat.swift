// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity(primaryKey: ["hall", "number"], uniquenessConstraints: [["row", "column", "hall"]])
struct Seat: Hashable {
    var number: Int32
    var row: Int16
    var column: Int16
    @Relationship(inverse: "seats") var hall: One<Hall>
}
