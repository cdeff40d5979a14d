import Foundation
import Testing
import TidemarkCoreData
import TidemarkModel

@testable import TidemarkCoreData

/// One model in three forms, which must be equal.
struct WholeModelTests {
    private let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Base" isAbstract="YES" syncable="YES">
                <attribute name="createdAt" optional="YES" attributeType="Date" indexed="YES"/>
            </entity>
            <entity name="Note" representedClassName="Note" parentEntity="Base" elementID="Memo">
                <attribute name="draft" optional="YES" transient="YES" attributeType="Boolean"/>
                <attribute name="id" attributeType="Integer 64" defaultValueString="0"/>
                <attribute name="mood" optional="YES" attributeType="Transformable" \
        valueTransformerName="Mood" customClassName="Mood"/>
                <attribute name="stars" optional="YES" attributeType="Integer 16" \
        minValueString="1" maxValueString="5"/>
                <attribute name="title" optional="YES" attributeType="String" elementID="name" \
        regularExpressionString="[a-z]+"><userInfo><entry key="sync.remoteKey" value="meta.title"/>
                </userInfo></attribute>
                <relationship name="tags" optional="YES" toMany="YES" minCount="0" maxCount="9" \
        deletionRule="Nullify" ordered="YES" destinationEntity="Tag" inverseName="notes" \
        inverseEntity="Tag"/>
                <relationship name="user" maxCount="1" deletionRule="Deny" \
        destinationEntity="User" inverseName="notes" inverseEntity="User"><userInfo>
                <entry key="tidemark.referenceKey" value="author"/></userInfo></relationship>
                <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" \
        order="ascending"/>
                <fetchIndexElement property="createdAt" type="Binary" order="descending"/>
                </fetchIndex>
                <fetchIndex name="byLength"><fetchIndexElement expression="length:(title)" \
        expressionType="String" type="Binary" order="ascending"/></fetchIndex>
                <fetchedProperty name="recent" optional="YES"><fetchRequest name="x" entity="Note"/>
                <userInfo><entry key="sync.remoteKey" value="nothing"/></userInfo></fetchedProperty>
                <uniquenessConstraints><uniquenessConstraint><constraint value="title"/>
                <constraint value="user"/></uniquenessConstraint></uniquenessConstraints>
                <userInfo><entry key="tidemark.path" value="memos"/></userInfo>
            </entity>
            <entity name="Tag" parentEntity="Base">
                <attribute name="id" optional="YES" attributeType="UUID"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="No Action" \
        destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
            </entity>
            <entity name="User">
                <attribute name="id" optional="YES" attributeType="String"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Note" inverseName="user" inverseEntity="Note"/>
            </entity>
            <fetchRequest name="all" entity="Note"/>
            <configuration name="C"><memberEntity name="Note"/></configuration>
            <elements><element name="Note" positionX="0" width="128" height="90"/></elements>
        </model>
        """

    private let json = """
        {"entities": {
          "Base": {"abstract": true, "attributes": {"createdAt": "date"}, "indexes": ["createdAt"]},
          "User": {"attributes": {"id": "string"}, "relationships": {
            "notes": {"to": "Note", "toMany": true, "inverse": "user", "deleteRule": "cascade"}}},
          "Tag": {"parent": "Base", "attributes": {"id": "uuid"}, "relationships": {
            "notes": {"to": "Note", "toMany": true, "inverse": "tags", "deleteRule": "noAction"}}},
          "Note": {"parent": "Base", "renamedFrom": "Memo",
            "attributes": {
              "title": {"type": "string", "remoteKey": "meta.title", "regex": "[a-z]+",
                "renamedFrom": "name"},
              "id": {"type": "integer64", "optional": false, "default": 0},
              "draft": {"type": "boolean", "transient": true},
              "mood": {"type": "transformable", "valueTransformer": "Mood"},
              "stars": {"type": "integer16", "min": 1, "max": 5}},
            "relationships": {
              "tags": {"to": "Tag", "toMany": true, "ordered": true, "inverse": "notes", "max": 9},
              "user": {"to": "User", "optional": false, "inverse": "notes", "deleteRule": "deny",
                "referenceKey": "author"}},
            "indexes": [{"name": "byTitle", "on": ["title", "-createdAt"]}],
            "unique": [["title", "user"]],
            "userInfo": {"tidemark.path": "memos"}}}}
        """

    private let swift = Model(entities: [
        EntityDescription(
            "Base",
            isAbstract: true,
            attributes: [Attribute("createdAt", .date)],
            fetchIndexes: [FetchIndex("createdAt", elements: [.init("createdAt")])]
        ),
        EntityDescription(
            "Note",
            parent: "Base",
            attributes: [
                Attribute("draft", .boolean, isTransient: true),
                Attribute("id", .integer64, isOptional: false, defaultValue: .integer(0)),
                Attribute("mood", .transformable, valueTransformer: "Mood"),
                Attribute("stars", .integer16, validation: .init(minimum: 1, maximum: 5)),
                Attribute(
                    "title",
                    .string,
                    validation: .init(pattern: "[a-z]+"),
                    remoteKey: "meta.title",
                    renamingIdentifier: "name"
                ),
            ],
            relationships: [
                Relationship(
                    "tags",
                    to: "Tag",
                    isToMany: true,
                    isOrdered: true,
                    inverse: "notes",
                    maximumCount: 9
                ),
                Relationship(
                    "user",
                    to: "User",
                    isOptional: false,
                    inverse: "notes",
                    deleteRule: .deny,
                    referenceKeys: ["author"]
                ),
            ],
            uniquenessConstraints: [["title", "user"]],
            fetchIndexes: [
                FetchIndex(
                    "byTitle",
                    elements: [.init("title"), .init("createdAt", isAscending: false)]
                )
            ],
            renamingIdentifier: "Memo",
            userInfo: ["tidemark.path": "memos"]
        ),
        EntityDescription(
            "Tag",
            parent: "Base",
            attributes: [Attribute("id", .uuid)],
            relationships: [
                Relationship(
                    "notes",
                    to: "Note",
                    isToMany: true,
                    inverse: "tags",
                    deleteRule: .noAction
                )
            ]
        ),
        EntityDescription(
            "User",
            attributes: [Attribute("id", .string)],
            relationships: [
                Relationship(
                    "notes",
                    to: "Note",
                    isToMany: true,
                    inverse: "user",
                    deleteRule: .cascade
                )
            ]
        ),
    ])

    @Test func `is the same value from XML, JSON and Swift`() throws {
        #expect(try ModelParser.model(from: Data(xml.utf8), named: "contents") == swift)
        #expect(try JSONDecoder().decode(Model.self, from: Data(json.utf8)) == swift)
        #expect(swift.findings() == [])
    }

    @Test func `is the same value after it was written and read again`() throws {
        let data = try JSONEncoder().encode(swift)
        #expect(try JSONDecoder().decode(Model.self, from: data) == swift)
    }
}
