// Written by “tidemark model generate”: change the model instead.
import Tidemark
import TidemarkMacros

@Entity struct Track: Hashable {
    var id: Int
    var title: String?
    @Relationship(inverse: "tracks") var playlists: Many<Playlist>
}
