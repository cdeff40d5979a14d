// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity struct Playlist: Hashable {
    var id: Int
    var title: String = ""
    @Relationship(isOrdered: true, inverse: "playlists", minimumCount: 1, maximumCount: 100)
    var tracks: Many<Track>
    @Relationship(isOptional: false, inverse: "playlists") var owner: One<Listener>
}
