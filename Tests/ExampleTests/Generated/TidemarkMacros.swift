// The examples in the documentation comments of TidemarkMacros, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkMacros/Attribute.swift
private enum Attribute_1 {
    @Entity struct Order {
        let id: Int
        @Attribute(.integer16, validation: .init(minimum: 1)) var count = 1
        @Attribute(dateFormat: "yyyy-MM-dd") var shippedOn: Date?
    }
}

// Sources/TidemarkMacros/Attribute.swift
private enum Attribute_2 {
    @Entity struct User {
        let id: Int
        @RemoteKey("profile.full_name") var name: String
    }
}

// Sources/TidemarkMacros/Attribute.swift
private enum Attribute_3 {
    struct Address: Codable, Sendable { var city: String }

    @Entity struct User {
        let id: Int
        @JSON var address: Address?
    }
}

// Sources/TidemarkMacros/Attribute.swift
private enum Attribute_4 {
    @Entity struct User {
        let id: Int
        @Transient var isSelected = false
    }
}

// Sources/TidemarkMacros/Entity.swift
private enum Entity_1 {
    @Entity struct User {
        let id: Int
        var name: String
        var bornAt: Date?
        var age = 0
        @Relationship(inverse: "user") var notes: Many<Note>
    }
    @Entity struct Note {
        var remoteID: Int?
        var text: String
        @Relationship(inverse: "notes") var user: One<User>
    }
}

// Sources/TidemarkMacros/PrimaryKey.swift
private enum PrimaryKey_1 {
    @Entity struct Company {
        @PrimaryKey var code: String
        var name: String
    }
}

// Sources/TidemarkMacros/PrimaryKey.swift
private enum PrimaryKey_2 {
    @Entity struct User {
        let id: Int
        @Unique var email: String
    }
}

// Sources/TidemarkMacros/PrimaryKey.swift
private enum PrimaryKey_3 {
    @Entity struct User {
        let id: Int
        @Indexed var lastName: String
    }
}

// Sources/TidemarkMacros/Relationship.swift
private enum Relationship_1 {
    @Entity struct User {
        let id: Int
        @Relationship(isOrdered: true, inverse: "user", deleteRule: .cascade) var notes: Many<Note>
    }
    @Entity struct Note {
        let id: Int
        @Relationship(inverse: "notes") var user: One<User>
    }
}
