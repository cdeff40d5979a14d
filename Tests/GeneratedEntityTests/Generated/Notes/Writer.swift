// Written by “tidemark model generate”: change the model instead.
import Foundation
import Tidemark
import TidemarkMacros

@Entity struct Writer: Hashable {
    @Unique var email: String?
    var joinedAt: Date?
    var remoteID: Int?
    @Relationship(inverse: "writer", deleteRule: .cascade) var notes: Many<Memo>
}
