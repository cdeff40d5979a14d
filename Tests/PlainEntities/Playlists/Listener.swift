// Written by “tidemark model generate”: change the model instead.
package import Tidemark

package nonisolated struct Listener: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Listener>.unsaved
    package var id: Int
    package var playlists: Many<Playlist>
    package var friends: Many<Listener>

    package static let entityName = "Listener"
    package static let entity = EntityDescription(entityName) {
        Attribute("id", .integer64, isOptional: false)
        Relationship(
            "playlists",
            to: Playlist.entityName,
            isToMany: true,
            isOrdered: true,
            inverse: "owner",
            deleteRule: .cascade
        )
        Relationship("friends", to: Listener.entityName, isToMany: true, inverse: "friends")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Listener
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Listener> { RowExpression(path) }
        package var id: AttributeExpression<Int> { path.attribute("id") }
        package var playlists: ToManyExpression<Listener, Playlist> {
            path.many("playlists", \.playlists)
        }
        package var friends: ToManyExpression<Listener, Listener> {
            path.many("friends", \.friends)
        }
    }

    package init(
        id: Int,
        playlists: Many<Playlist> = .unloaded,
        friends: Many<Listener> = .unloaded
    ) {
        self.id = id
        self.playlists = playlists
        self.friends = friends
    }

    package init(from row: EntityRow) throws {
        self.id = try row[0, "id"]
        self.playlists = .unloaded
        self.friends = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("id", self.id)
    }
}
