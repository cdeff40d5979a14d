// Written by “tidemark model generate”: change the model instead.
package import Foundation
package import Tidemark

package nonisolated struct Film: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Film>.unsaved
    package var episodeID: Int?
    package var openingCrawl: String?
    package var releaseDate: Date?
    package var title: String?
    package var url: URL
    package var characters: Many<Person>

    package var id: RowID<Film> { rowID }

    package static let entityName = "Film"
    package static let entity = EntityDescription(entityName, primaryKey: ["url"]) {
        Attribute("episodeID", .integer64)
        Attribute("openingCrawl", .string)
        Attribute("releaseDate", .date)
        Attribute("title", .string)
        Attribute("url", .uri, isOptional: false)
        Relationship("characters", to: Person.entityName, isToMany: true, inverse: "films")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Film
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Film> { RowExpression(path) }
        package var episodeID: AttributeExpression<Int> { path.attribute("episodeID") }
        package var openingCrawl: AttributeExpression<String> { path.attribute("openingCrawl") }
        package var releaseDate: AttributeExpression<Date> { path.attribute("releaseDate") }
        package var title: AttributeExpression<String> { path.attribute("title") }
        package var url: AttributeExpression<URL> { path.attribute("url") }
        package var characters: ToManyExpression<Film, Person> {
            path.many("characters", \.characters)
        }
    }

    package init(
        episodeID: Int? = nil,
        openingCrawl: String? = nil,
        releaseDate: Date? = nil,
        title: String? = nil,
        url: URL,
        characters: Many<Person> = .unloaded
    ) {
        self.episodeID = episodeID
        self.openingCrawl = openingCrawl
        self.releaseDate = releaseDate
        self.title = title
        self.url = url
        self.characters = characters
    }

    package init(from row: EntityRow) throws {
        self.episodeID = row[0, "episodeID"]
        self.openingCrawl = row[1, "openingCrawl"]
        self.releaseDate = row[2, "releaseDate"]
        self.title = row[3, "title"]
        self.url = try row[4, "url"]
        self.characters = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("episodeID", self.episodeID)
        row.set("openingCrawl", self.openingCrawl)
        row.set("releaseDate", self.releaseDate)
        row.set("title", self.title)
        row.set("url", self.url)
    }
}
