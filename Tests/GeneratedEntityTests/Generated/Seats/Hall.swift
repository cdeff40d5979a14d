// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity struct Hall: Hashable {
    @PrimaryKey var city: String
    @PrimaryKey var name: String
    @Relationship(inverse: "hall", deleteRule: .cascade) var seats: Many<Seat>
}
