// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity struct Listener: Hashable {
    var id: Int
    @Relationship(isOrdered: true, inverse: "owner", deleteRule: .cascade)
    var playlists: Many<Playlist>
    @Relationship(inverse: "friends") var friends: Many<Listener>
}
