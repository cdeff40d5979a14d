// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity(parent: Vehicle.self) struct Car: Hashable {
    var id: Int?
    var name: String
    @Unique var doors: Int16? = 4
    @Relationship(inverse: "vehicles") var garage: One<Garage>
}
