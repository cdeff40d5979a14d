import TidemarkModel

/// Generates the attributes of one entity tree, with unique names.
struct RandomAttributes {
    private var names: [String]
    private let traits: RandomModel.Traits

    init(_ chance: inout Chance, _ traits: RandomModel.Traits) {
        names = chance.shuffled([
            "title", "fullName", "imageURL", "itemCount", "createdOn", "isActive", "score", "note",
            "pageSize", "secretCode", "weight", "rank2", "payload", "nickName", "level", "colour",
        ])
        self.traits = traits
    }

    /// Returns attributes whose names no other entity of the tree uses.
    mutating func some(_ chance: inout Chance) -> [Attribute] {
        (0..<chance.number(1...4)).compactMap { _ in
            names.popLast().map { attribute($0, &chance) }
        }
    }

    private func attribute(_ name: String, _ chance: inout Chance) -> Attribute {
        let isUnexportable = traits.contains(.unexportable)
        let types = AttributeType.allCases.filter { $0 != .transformable || isUnexportable }
        var result = Attribute(name, chance.pick(types))
        if chance.happens(10) {
            result.json.remoteKey = chance.pick(["x-\(name)", "info.\(name)", "info.deep.\(name)"])
        }
        if isUnexportable, chance.happens(8) { result.json.isExportable = false }
        if isUnexportable, chance.happens(4) { result.isTransient = true }
        if traits.contains(.validations), result.type == .integer64, chance.happens(40) {
            result.validation = Attribute.Validation(minimum: 0, maximum: 50)
        }
        if result.type == .binary, chance.happens(50) { result.json.encoding = .base64 }
        if traits.contains(.dateFormats), result.type == .date, chance.happens(80) {
            result.json.dateFormat = chance.pick(RandomValue.dateFormats)
        }
        if result.type == .string, chance.happens(15) {
            result.json.nullValues = ["n/a", "unknown"]
        }
        if result.type != .transformable, !result.isTransient {
            if chance.happens(20) { result.defaultValue = RandomValue.defaultValue(result.type) }
            if traits.contains(.required), chance.happens(15) { result.isOptional = false }
        }
        return result
    }
}

/// A random primary key of an entity.
///
/// `primaryKey` is empty for an attribute that is the key by convention.
struct RandomKey {
    let primaryKey: [String]
    let attributes: [Attribute]

    static let none = RandomKey(primaryKey: [], attributes: [])

    static func any(_ chance: inout Chance) -> RandomKey {
        chance.pick([
            RandomKey(primaryKey: [], attributes: [Attribute("id", .integer64)]),
            RandomKey(primaryKey: [], attributes: [Attribute("id", .integer64)]),
            RandomKey(primaryKey: [], attributes: [Attribute("remoteID", .integer32)]),
            RandomKey(primaryKey: [], attributes: [Attribute("id", .string)]),
            RandomKey(primaryKey: ["slug"], attributes: [Attribute("slug", .string)]),
            RandomKey(primaryKey: ["serial"], attributes: [Attribute("serial", .uuid)]),
            RandomKey(primaryKey: ["day"], attributes: [Attribute("day", .date)]),
            RandomKey(primaryKey: ["price"], attributes: [Attribute("price", .decimal)]),
            RandomKey(primaryKey: ["link"], attributes: [Attribute("link", .uri)]),
            RandomKey(
                primaryKey: [],
                attributes: [Attribute("id", .integer64, remoteKey: "url")]
            ),
            RandomKey(
                primaryKey: ["number"],
                attributes: [Attribute("number", .integer64, remoteKey: "meta.id")]
            ),
            RandomKey(
                primaryKey: ["storeID", "code"],
                attributes: [Attribute("storeID", .integer32), Attribute("code", .string)]
            ),
        ])
    }
}
