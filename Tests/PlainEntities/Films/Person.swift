// Written by “tidemark model generate”: change the model instead.
package import Foundation
package import Tidemark

package nonisolated struct Person: EntityRecord, Hashable, Identifiable {
    package var rowID = RowID<Person>.unsaved
    package var birthYear: String?
    package var mass: Double?
    package var name: String?
    package var url: URL
    package var films: Many<Film>

    package var id: RowID<Person> { rowID }

    package static let entityName = "Person"
    package static let entity = EntityDescription(entityName, primaryKey: ["url"]) {
        Attribute("birthYear", .string)
        Attribute("mass", .double, remoteKey: "mass", nullValues: ["unknown"])
        Attribute("name", .string)
        Attribute("url", .uri, isOptional: false)
        Relationship("films", to: Film.entityName, isToMany: true, inverse: "characters")
    }

    package struct Properties: EntityProperties {
        private let path: PropertyPath
        package typealias Record = Person
        package init(_ path: PropertyPath) { self.path = path }
        package var rowID: RowExpression<Person> { RowExpression(path) }
        package var birthYear: AttributeExpression<String> { path.attribute("birthYear") }
        package var mass: AttributeExpression<Double> { path.attribute("mass") }
        package var name: AttributeExpression<String> { path.attribute("name") }
        package var url: AttributeExpression<URL> { path.attribute("url") }
        package var films: ToManyExpression<Person, Film> { path.many("films", \.films) }
    }

    package init(
        birthYear: String? = nil,
        mass: Double? = nil,
        name: String? = nil,
        url: URL,
        films: Many<Film> = .unloaded
    ) {
        self.birthYear = birthYear
        self.mass = mass
        self.name = name
        self.url = url
        self.films = films
    }

    package init(from row: EntityRow) throws {
        self.birthYear = row[0, "birthYear"]
        self.mass = row[1, "mass"]
        self.name = row[2, "name"]
        self.url = try row[3, "url"]
        self.films = .unloaded
    }

    package func encode(to row: inout EncodedRow) throws {
        row.set("birthYear", self.birthYear)
        row.set("mass", self.mass)
        row.set("name", self.name)
        row.set("url", self.url)
    }
}
