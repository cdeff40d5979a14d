// Written by “tidemark model generate”: change the model instead.
import Foundation
import Tidemark
import TidemarkMacros

@Entity struct Person: Hashable {
    var birthYear: String?
    @RemoteKey("mass") @Attribute(nullValues: ["unknown"]) var mass: Double?
    var name: String?
    @PrimaryKey var url: URL
    @Relationship(inverse: "characters") var films: Many<Film>
}
