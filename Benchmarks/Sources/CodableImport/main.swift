import Foundation
import GRDB

// CodableImport DOCUMENT STORE: decodes the document, finds each row by its key, updates rows that
// differ and deletes unlisted rows, as an app would with Codable and GRDB.

guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: CodableImport DOCUMENT STORE\n".utf8))
    exit(64)
}

let decoder = JSONDecoder()
let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
decoder.dateDecodingStrategy = .custom { decoder in
    try dates.parse(try decoder.singleValueContainer().decode(String.self))
}
let bytes = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let users = try decoder.decode([RemoteUser].self, from: bytes)

let pool = try DatabasePool(path: CommandLine.arguments[2])
let counts = try pool.write { db in
    try createTables(db)
    var work = try CodableImport(db)
    try work.run(users)
    return work.counts
}
print(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self))
