// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity struct Garage: Hashable {
    var id: String
    @Relationship(inverse: "garage") var vehicles: Many<Vehicle>
}
