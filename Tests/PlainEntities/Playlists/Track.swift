// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Track: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Track>.unsaved
    package var id: Int
    package var title: String?
    package var playlists: Many<Playlist>

    package static let entityName = "Track"
    package static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64, isOptional: false)
        Attribute("title", .string)
        Relationship("playlists", to: Playlist.entityName, isToMany: true, inverse: "tracks")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Track
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Track> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var title: AttributeExpression<String> { path.attribute("title") }
        package var playlists: ToManyExpression<Track, Playlist> {
            path.many("playlists", \.playlists)
        }
    }

    package init(id: Int, title: String? = nil, playlists: Many<Playlist> = .unloaded) {
        self.id = id
        self.title = title
        self.playlists = playlists
    }

    package init(from row: EntityRow) throws {
        self.id = try row[0, "id"]
        self.title = row[1, "title"]
        self.playlists = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
        row.set("title", self.title)
    }
}
