// The examples in the documentation comments of TidemarkModel, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkHTTPClient
import TidemarkInference
import TidemarkTesting
import TidemarkYAML
import Yams

// Sources/TidemarkModel/Mapping/AttributeTransformer.swift
private func AttributeTransformer_1() throws {
    let cents = AttributeTransformer(
        reading: { node in
            guard let amount = Double(node.string) else { throw CocoaError(.formatting) }
            return .integer(Int64((amount * 100).rounded()))
        },
        writing: { value in
            guard case .integer(let cents) = value else { return value }
            return .string("\(Double(cents) / 100)")
        }
    )
}

// Sources/TidemarkModel/Mapping/Coercion.swift
private func Coercion_1() throws {
    let coercion = try Coercion(Attribute("age", .integer16))
    let arena = ValueArena()
    switch coercion.coerce(node, into: arena) {
    case .value(let stored): print(stored)
    case .failure(let failure): print(failure.sentence())
    case .ignored: break
    }
}

// Sources/TidemarkModel/Mapping/CoercionFailure.swift
private func CoercionFailure_1() throws {
    CoercionFailure.notANumber.sentence()        // "The value is not a number."
    CoercionFailure.notANumber.sentence("n/a")   // "`n/a` is not a number."
}

// Sources/TidemarkModel/Mapping/DateFormat.swift
private func DateFormat_1() throws {
    DateFormat.automatic.microseconds(from: "2016-01-09T12:40:08.123+02:00")
    try DateFormat("dd.MM.yyyy HH:mm").string(from: 0)   // "01.01.1970 00:00"
}

// Sources/TidemarkModel/Mapping/EntityMapping.swift
private func EntityMapping_1() throws {
    let user = model.entities[0]
    let mapping = EntityMapping(entity: user, in: model)
    mapping.target(for: "first_name")?.attribute   // the index of `firstName`
}

// Sources/TidemarkModel/Mapping/Inflection.swift
private func Inflection_1() throws {
    let inflection = Inflection.default
        .adding(singular: "campus", plural: "campuses")
        .adding(uncountable: "feedback")
}

// Sources/TidemarkModel/Mapping/NamingConvention.swift
private func NamingConvention_1() throws {
    var naming = NamingConvention.default
    naming.acronyms.insert("html")
    naming.inflection = naming.inflection.adding(uncountable: "feedback")
}

// Sources/TidemarkModel/Schema/Difference/Model+Difference.swift
private func Model_Difference_1() throws {
    let (old, new) = (model, model)
    for change in old.changes(to: new) { print(change) }   // add User.email …
}

// Sources/TidemarkModel/Schema/KeyPart.swift
private func KeyPart_1() throws {
    let comment = model.entities[0]
    // Comment has primaryKey: ["post", "id"], and `post` leads to Post, whose key is `id`.
    model.keyParts(of: comment).map(\.name)   // ["post_id", "id"]
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_1() throws {
    let model = Model {
        EntityDescription("User") {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
            Relationship("notes", to: "Note", isToMany: true, inverse: "user")
        }
        EntityDescription("Note") {
            Attribute("id", .integer64)
            Relationship("user", to: "User", inverse: "notes")
        }
    }
}

// Sources/TidemarkModel/Schema/Model+Codable.swift
private func Model_Codable_1() throws {
    let text = ""
    let model = try Model.decoding { try YAMLDecoder().decode(Model.self, from: text) }
}

// Sources/TidemarkModel/Schema/Model+Validation.swift
private func Model_Validation_1() throws {
    for warning in try model.validate() { print(warning) }
    // User: It has no primary key, …
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_1() throws {
    let model = Model {
        EntityDescription("Film") {
            Attribute("id", .integer64, remoteKey: "url")
            Attribute("title", .string)
        }
    }
}
