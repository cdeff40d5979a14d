import Testing

@testable import TidemarkModel

struct EntityMappingTests {
    private func mapping(
        _ entity: EntityDescription,
        _ others: EntityDescription...
    ) -> EntityMapping {
        EntityMapping(entity: entity, in: Model(entities: [entity] + others))
    }

    private func attribute(_ attribute: Attribute, entity: String = "User") -> AttributeMapping {
        mapping(EntityDescription(entity, primaryKey: ["key"], attributes: [attribute])).attributes[
            0
        ]
    }

    @Test(
        arguments: [
            (
                "firstName", nil, ["firstName", "first_name", "first-name"], "first_name",
                "firstName"
            ),
            (
                "first_name", nil, ["first_name", "firstName", "first-name"], "first_name",
                "firstName"
            ),
            ("name", nil, ["name"], "name", "name"),
            (
                "imageURL", nil, ["imageURL", "image_url", "imageUrl", "image-url"], "image_url",
                "imageURL"
            ),
            (
                "imageUrl", nil, ["imageUrl", "image_url", "imageURL", "image-url"], "image_url",
                "imageUrl"
            ),
            ("age", "age_of_person", ["age_of_person", "age"], "age_of_person", "age_of_person"),
            (
                "bornAt", "profile.birth_date",
                ["profile.birth_date", "bornAt", "born_at", "born-at"], "profile.birth_date",
                "profile.birth_date"
            ),
            ("id", nil, ["id", "_id"], "id", "id"),
            (
                "remoteID", nil, ["id", "_id", "remoteID", "remote_id", "remoteId", "remote-id"],
                "id", "id"
            ),
            (
                "remoteID", "_id", ["_id", "remoteID", "remote_id", "remoteId", "remote-id"], "_id",
                "_id"
            ),
            ("userType", nil, ["userType", "user_type", "user-type", "type"], "type", "type"),
            ("user_type", nil, ["user_type", "userType", "user-type", "type"], "type", "type"),
            (
                "userObjectID", nil,
                [
                    "userObjectID", "user_object_id", "userObjectId", "user-object-id", "objectID",
                    "object_id",
                    "objectId",
                ], "object_id", "objectID"
            ),
            ("userName", nil, ["userName", "user_name", "user-name"], "user_name", "userName"),
        ] as [(String, String?, [String], String, String)]
    )
    func `lists the names of an attribute, best first, and its export names`(
        name: String,
        remoteKey: String?,
        keys: [String],
        snake: String,
        camel: String
    ) {
        let mapping = attribute(Attribute(name, .string, remoteKey: remoteKey))
        #expect(mapping.remoteKeys == keys)
        #expect(mapping.exportKeys == ExportKeys(snake: snake, camel: camel))
        #expect(mapping.remoteNames.map(\.rank) == mapping.remoteNames.map(\.rank).sorted())
    }

    @Test func `finds reserved words after compound and inherited entity names`() {
        #expect(
            attribute(Attribute("orderedUserType", .string), entity: "OrderedUser").exportKeys.snake
                == "type"
        )
        #expect(
            attribute(Attribute("twoLetterEntityDescription", .string), entity: "TwoLetterEntity")
                .exportKeys.camel == "description"
        )
        let user = EntityDescription("User", attributes: [Attribute("userHash", .string)])
        let admin = EntityDescription(
            "Admin",
            parent: "User",
            attributes: [Attribute("adminClass", .string)]
        )
        let names = mapping(admin, user).attributes.map(\.exportKeys.snake)
        #expect(names == ["hash", "class"])
    }

    @Test func `leaves a reserved word to the attribute of that name`() {
        let mapping = mapping(
            EntityDescription(
                "User",
                attributes: [Attribute("userType", .string), Attribute("type", .string)]
            )
        )
        #expect(mapping.names["type"]?.attribute == 1)
        #expect(mapping.attributes[0].exportKeys.snake == "user_type")
    }

    @Test(
        arguments: [
            ("id", 0), ("_id", 0), ("ID", 0), ("Id", 0), ("first_name", 1), ("First_Name", 1),
            ("FIRST_NAME", 1), ("first-name", 1), ("first name", 1), ("FirstName", 1),
            ("meta.code", 2),
            ("code", 2), ("Code", 2), ("CODE", 2), ("code_list", nil), ("Meta_Code", nil),
            ("", nil),
            ("firstname", nil), ("draft", nil), ("first.name", nil), ("vorname", nil),
        ] as [(String, Int?)]
    )
    func `finds the attribute of a JSON key`(key: String, index: Int?) {
        let mapping = mapping(
            EntityDescription(
                "User",
                attributes: [
                    Attribute("id", .integer64), Attribute("firstName", .string),
                    Attribute("code", .string, remoteKey: "meta.code"),
                    Attribute("list", .string, remoteKey: "codeList"),
                    Attribute("draft", .string, isTransient: true),
                ]
            )
        )
        #expect(mapping.target(at: key)?.attribute == index)
        #expect(mapping.target(for: key)?.attribute == (key.contains(".") ? nil : index))
    }

    @Test func `a name maps to the attribute it fits best, else to the first by bytes`() {
        let mapping = mapping(
            EntityDescription(
                "User",
                attributes: [
                    Attribute("title", .string), Attribute("headline", .string, remoteKey: "title"),
                    Attribute("imageUrl", .string), Attribute("imageURL", .string),
                    Attribute("remoteID", .integer64), Attribute("uid", .string, remoteKey: "id"),
                ]
            )
        )
        #expect(mapping.names["title"]?.attribute == 1)
        #expect(mapping.names["title"]?.attributeRank == .explicit)
        #expect(mapping.names["image_url"]?.attribute == 3)
        #expect(mapping.names["imageUrl"]?.attribute == 2)
        #expect(mapping.names["id"]?.attribute == 5)
    }

    @Test func `finds the primary key`() {
        let flagged = mapping(
            EntityDescription(
                "User",
                primaryKey: ["code"],
                attributes: [Attribute("id", .string), Attribute("code", .uuid)]
            )
        )
        #expect(flagged.primaryKey == [1])
        let both = mapping(
            EntityDescription(
                "User",
                attributes: [Attribute("remoteID", .string), Attribute("id", .string)]
            )
        )
        #expect(both.primaryKey == [1])
        #expect(both.attributes[0].exportKeys.snake == "remote_id")
        #expect(
            mapping(EntityDescription("User", attributes: [Attribute("name", .string)])).primaryKey
                == []
        )
        let composite = mapping(
            EntityDescription(
                "Order",
                primaryKey: ["number", "storeID"],
                attributes: [Attribute("storeID", .integer64), Attribute("number", .string)]
            )
        )
        #expect(composite.primaryKey == [1, 0])
    }

    private let note = EntityDescription("Note", attributes: [Attribute("id", .integer64)])

    private func relationship(
        _ relationship: Relationship,
        _ destination: EntityDescription
    ) -> RelationshipMapping {
        mapping(EntityDescription("User", relationships: [relationship]), destination)
            .relationships[0]
    }

    @Test func `lists the names of references to many objects`() {
        let notes = relationship(Relationship("notes", to: "Note", isToMany: true), note)
        #expect(notes.remoteKeys == ["notes"])
        #expect(
            notes.referenceKeys == [
                [
                    "notes_ids", "note_ids", "notesIds", "noteIds", "notesIDs", "noteIDs",
                    "notes-ids",
                    "note-ids",
                ]
            ]
        )
        #expect(notes.referenceExportKeys == [ExportKeys(snake: "note_ids", camel: "noteIds")])
    }

    @Test func `lists the names of references to one object`() {
        let company = relationship(Relationship("parentNote", to: "Note"), note)
        #expect(company.remoteKeys == ["parentNote", "parent_note", "parent-note"])
        #expect(
            company.referenceKeys
                == [["parent_note_id", "parentNoteId", "parentNoteID", "parent-note-id"]]
        )
        #expect(company.exportKeys == ExportKeys(snake: "parent_note", camel: "parentNote"))
    }

    @Test func `lists the names that the model specifies first`() {
        let mapping = relationship(
            Relationship(
                "notes",
                to: "Note",
                isToMany: true,
                remoteKey: "memos",
                referenceKeys: ["memo_keys"]
            ),
            note
        )
        #expect(mapping.remoteKeys == ["memos", "notes"])
        #expect(mapping.referenceKeys[0].prefix(3) == ["memo_keys", "memos", "notes_ids"])
        #expect(mapping.referenceExportKeys == [ExportKeys(snake: "memo_keys", camel: "memo_keys")])
        #expect(mapping.exportKeys == ExportKeys(snake: "memos", camel: "memos"))
    }

    @Test func `lists the names of each part of a reference to a composite key`() {
        let order = EntityDescription(
            "Order",
            primaryKey: ["storeID", "number"],
            attributes: [Attribute("storeID", .integer64), Attribute("number", .string)]
        )
        let one = relationship(Relationship("order", to: "Order"), order)
        #expect(
            one.referenceKeys == [
                [
                    "order_storeID", "order_store_id", "orderStoreID", "orderStoreId",
                    "order-store-id",
                ],
                ["order_number", "orderNumber", "order-number"],
            ]
        )
        #expect(one.referenceExportKeys.map(\.snake) == ["order_store_id", "order_number"])
        let renamed = relationship(
            Relationship("order", to: "Order", referenceKeys: ["s", "n"]),
            order
        )
        #expect(renamed.referenceKeys.map(\.first) == ["s", "n"])
        #expect(renamed.referenceExportKeys.map(\.camel) == ["s", "n"])
        let many = relationship(Relationship("orders", to: "Order", isToMany: true), order)
        #expect(many.referenceKeys == [[], []])
        let mapping = mapping(
            EntityDescription("User", relationships: [Relationship("order", to: "Order")]),
            order
        )
        #expect(mapping.target(for: "order_number")?.keyPart == 1)
        #expect(mapping.target(for: "order")?.relationship == 0)
        #expect(mapping.target(for: "order")?.keyPart == nil)
    }

    @Test func `an entity without a key has no reference names`() {
        #expect(
            relationship(Relationship("spot", to: "Spot"), EntityDescription("Spot")).referenceKeys
                == []
        )
    }

    @Test func `one JSON key may set an attribute and link a relationship`() {
        let target = mapping(
            EntityDescription(
                "User",
                attributes: [Attribute("noteID", .integer64)],
                relationships: [Relationship("note", to: "Note")]
            ),
            note
        ).target(for: "note_id")
        #expect(target?.attribute == 0)
        #expect(target?.relationship == 0)
        #expect(target?.keyPart == 0)
    }
}
