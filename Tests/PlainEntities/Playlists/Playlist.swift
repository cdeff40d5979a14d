// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Playlist: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Playlist>.unsaved
    package var id: Int
    package var title: String
    package var tracks: Many<Track>
    package var owner: One<Listener>

    package static let entityName = "Playlist"
    package static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64, isOptional: false)
        Attribute("title", .string, isOptional: false, defaultValue: .string(""))
        Relationship(
            "tracks",
            to: Track.entityName,
            isToMany: true,
            isOrdered: true,
            inverse: "playlists",
            minimumCount: 1,
            maximumCount: 100
        )
        Relationship("owner", to: Listener.entityName, isOptional: false, inverse: "playlists")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Playlist
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Playlist> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var title: AttributeExpression<String> { path.attribute("title") }
        package var tracks: ToManyExpression<Playlist, Track> { path.many("tracks", \.tracks) }
        package var owner: ToOneExpression<Playlist, Listener> { path.one("owner", \.owner) }
    }

    package init(
        id: Int,
        title: String = "",
        tracks: Many<Track> = .unloaded,
        owner: One<Listener> = nil
    ) {
        self.id = id
        self.title = title
        self.tracks = tracks
        self.owner = owner
    }

    package init(from row: EntityRow) throws {
        self.id = try row[0, "id"]
        self.title = row[1, "title", default: ""]
        self.owner = row.one(2, "owner")
        self.tracks = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("title", self.title)
        row.set("owner", self.owner)
    }
}
