import GRDB
import Tidemark

let model = Model {
    EntityDescription("User") {
        Attribute("id", .integer64)
        Attribute("firstName", .string)
        Relationship("notes", to: "Note", isToMany: true, inverse: "user")
    }
    EntityDescription("Note") {
        Attribute("id", .integer64)
        Attribute("text", .string)
        Relationship("user", to: "User", inverse: "notes")
    }
}
let store = try Store.open(at: "notes.sqlite", model: model)
let json = #"[{"id": 1, "first_name": "Ada", "notes": [{"id": 7, "text": "On the engine"}]}]"#
var users = try JSONDocument(Array(json.utf8)).items()
let report = try Importer(store).import(&users, into: "User")
let texts = try store.read { reader in
    try String.fetchAll(reader.db, sql: "SELECT text FROM Note JOIN User ON user = User._id")
}
print(report.entities["User"]?.inserted ?? 0, texts)  // 1 ["On the engine"]
