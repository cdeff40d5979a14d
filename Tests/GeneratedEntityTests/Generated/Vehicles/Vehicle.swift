// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity(isAbstract: true, discriminator: "type") struct Vehicle: Hashable {
    @PrimaryKey var id: Int?
    var name: String
    @Relationship(inverse: "vehicles") var garage: One<Garage>
}
