package import TidemarkModel

/// Swift source for the entities of a model: one struct for each, in a file of its own.
///
/// `Model(User.self, …)` of the structs equals the model.
package struct EntitySource {
    /// What makes the structs records.
    package enum Form: Sendable {
        /// The macro `@Entity`.
        case macros
        /// The conformance, written out.
        case plain
    }

    /// The access level of the structs and their members.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`
        case package
        case `public`

        /// The modifier before a declaration, with a space; empty for the default.
        var modifier: String { self == .internal ? "" : "\(rawValue) " }
    }

    /// A file and its text.
    package struct File: Hashable, Sendable {
        package let name: String
        package let text: String
    }

    /// The first line of each file, by which a later run recognizes it.
    package static let header = "// Written by “tidemark model generate”: change the model instead."

    let model: Model
    let access: Access
    let types: TypeNames

    private let form: Form

    package init(_ model: Model, form: Form, access: Access) {
        self.model = model
        self.form = form
        self.access = access
        types = TypeNames(model)
    }

    /// Returns a file for each entity, in the order of the model.
    ///
    /// - Throws: ``ModelError`` if a property has a name that a record has itself.
    package func files() throws(ModelError) -> [File] {
        var files: [File] = []
        for entity in model.entities {
            let type = types[entity.name]
            let properties = try properties(of: entity)
            let body =
                form == .macros
                ? withMacros(entity, properties: properties)
                : writtenOut(entity, properties: properties)
            let header = [Self.header, imports(for: properties)].joined(separator: "\n")
            files.append(File(name: "\(type).swift", text: "\(header)\n\n\(body)\n"))
        }
        return files
    }

    private func properties(of entity: EntityDescription) throws(ModelError) -> [PropertySource] {
        let attributes = model.attributes(of: entity).map(PropertySource.init)
        let relationships = model.relationships(of: entity).map {
            PropertySource($0, to: types[$0.destination])
        }
        let properties = attributes + relationships
        if properties.contains(where: { $0.name == "rowID" }) {
            throw ModelError(
                .invalid,
                "\(entity.name).rowID cannot be a property of a record, which has a rowID itself. "
                    + "Rename it, and give it “rowID” as remoteKey."
            )
        }
        return properties
    }

    private func imports(for properties: [PropertySource]) -> String {
        let needsFoundation = properties.contains(where: \.isOfFoundation)
        let modules =
            (needsFoundation ? ["Foundation"] : []) + ["Tidemark"]
            + (form == .macros ? ["TidemarkMacros"] : [])
        return modules.map { "\(access.modifier)import \($0)" }.joined(separator: "\n")
    }
}

/// The names of the structs, which differ from keywords and from Swift's and Tidemark's types.
struct TypeNames {
    private let names: [String: String]

    private static let taken: Set = [
        // Types of the properties, and what a conformance refers to.
        "Array", "Attribute", "AttributeExpression", "Bool", "Data", "Date", "Decimal",
        "DocumentExpression", "Double", "EncodedRow", "EntityDescription", "EntityProperties",
        "EntityRecord", "EntityRow", "FetchIndex", "Float", "Hashable", "Identifiable", "Int",
        "Int16", "Int32", "JSONText", "Many", "One", "Optional", "Properties", "PropertyPath",
        "Record", "Relationship", "RowExpression", "RowID", "String", "ToManyExpression",
        "ToOneExpression", "URL", "UUID", "Value",
        // Names that no type can have, and those of modules, which a type would hide.
        "Any", "Protocol", "Self", "Type", "Tidemark", "Foundation", "Swift",
    ]

    init(_ model: Model) {
        var used = Self.taken.union(model.entities.map(\.name))
        names = model.entities.reduce(into: [:]) { names, entity in
            var name = entity.name
            if Self.taken.contains(name) || SwiftText.isKeyword(name) {
                name += "Record"
                while !used.insert(name).inserted { name += "Record" }
            }
            names[entity.name] = name
        }
    }

    subscript(entity: String) -> String { names[entity] ?? entity }
}
