// The examples in the documentation comments of TidemarkJSON, written by `make examples`.
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

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_1() throws {
    let body = Array(#"{"next": "/films?page=2", "results": [{"id": 1}, {"id": 2}]}"#.utf8)
    let document = try JSONDocument(body)
    let next = document.withRoot { $0.member("next")?.string }   // "/films?page=2"
    var films = try document.items(at: "results")
    let report = try importer.import(&films, into: "Film")
}

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_2() throws {
    do {
        _ = try JSONDocument(Array("[1,\n 2,]".utf8))
    } catch {
        print(error)   // line 2, column 4: expected a value
    }
}

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_3() throws {
    let document = try JSONDocument(Array(#"{"total": 3, "names": ["Ada", "Alan"]}"#.utf8))
    let total = document.withRoot { $0.member("total")?.integer }   // 3
    let names = document.withRoot { root in
        root.member("names")?.elements.map(\.string) ?? []   // ["Ada", "Alan"]
    }
}

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_4() throws {
    let users = try JSONDocument(Array(#"[{"id": 1}, {"id": 2}]"#.utf8)).items()
    let envelope = try JSONDocument(Array(#"{"data": {"users": []}}"#.utf8))
    let page = try envelope.items(at: "data.users")
}

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_5() throws {
    var films = try JSONDocument(body).items(at: "results")
    while try films.next({ film in print(film.member("title")?.string ?? "") }) {}
}

// Sources/TidemarkJSON/Reading/JSONError.swift
private func JSONError_1() throws {
    do {
        _ = try JSONDocument(Array(#"{"id": 1,}"#.utf8))
    } catch {
        print(error.line, error.column, error.message)
        // 1 10 expected a name in quotation marks
    }
}

// Sources/TidemarkJSON/Reading/JSONItemReader.swift
private func JSONItemReader_1() throws {
    let file = try FileHandle(forReadingFrom: url)
    var films = JSONItemReader(root: "results") { buffer in
        try file.read(upToCount: buffer.count)?.copyBytes(to: buffer) ?? 0
    }
    let report = try importer.import(&films, into: "Film")
}

// Sources/TidemarkJSON/Reading/JSONItemReader.swift
private func JSONItemReader_2() throws {
    var limits = JSONLimits()
    limits.itemBytes = 1 << 20
    let chunks: [[UInt8]] = [Array("[{\"id\":".utf8), Array("1}]".utf8)]
    var rest = chunks[...]
    var items = JSONItemReader(limits: limits) { buffer in
        guard let chunk = rest.popFirst() else { return 0 }
        buffer.copyBytes(from: chunk)   // A chunk must not be longer than the buffer.
        return chunk.count
    }
}

// Sources/TidemarkJSON/Reading/JSONItemReader.swift
private func JSONItemReader_3() throws {
    var names: [String] = []
    var users = JSONItemReader { buffer in
        FileHandle.standardInput.readData(ofLength: buffer.count).copyBytes(to: buffer)
    }
    while try users.next({ user in names.append(user.member("name")?.string ?? "") }) {}
}

// Sources/TidemarkJSON/Reading/JSONItems.swift
private func JSONItems_1() throws {
    /// The items of another sequence that are published.
    struct PublishedItems<Base: JSONItems>: JSONItems {
        var base: Base

        mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
            var isFound = false
            while !isFound {
                let hasNext = try base.next { item in
                    isFound = item.member("published")?.boolean == true
                    if isFound { try body(item) }
                }
                guard hasNext else { return false }
            }
            return true
        }
    }
}

// Sources/TidemarkJSON/Reading/JSONItemsError.swift
private func JSONItemsError_1() throws {
    let body = Array(#"{"error": "unknown user"}"#.utf8)
    do {
        _ = try JSONDocument(body).items(at: "results")
    } catch {
        print(error)   // there is no list at `results`: `results` is missing
    }
}

// Sources/TidemarkJSON/Reading/JSONKind.swift
private func JSONKind_1() throws {
    switch node.kind {
    case .string: print("a key or a URL: \(node.string)")
    case .object: print("an embedded object")
    case .null: print("no value")
    default: print("not a reference")
    }
}

// Sources/TidemarkJSON/Reading/JSONLimits.swift
private func JSONLimits_1() throws {
    var limits = JSONLimits()
    limits.depth = 32
    limits.itemBytes = 1 << 20   // 1 MiB for one object of a list
    let document = try JSONDocument(body, limits: limits)
}

// Sources/TidemarkJSON/Reading/JSONNode+Access.swift
private func JSONNode_Access_1() throws {
    let document = try JSONDocument(Array("[12.0, 1e3, 1.5]".utf8))
    let numbers = document.withRoot { $0.elements.map(\.integer) }   // [12, 1000, nil]
}

// Sources/TidemarkJSON/Reading/JSONNode+Access.swift
private func JSONNode_Access_2() throws {
    if node.member("archived")?.boolean ?? false { print("archived") }
}

// Sources/TidemarkJSON/Reading/JSONNode+Children.swift
private func JSONNode_Children_1() throws {
    let names = node.member("tags")?.elements.map(\.string) ?? []   // ["a", "b"]
}

// Sources/TidemarkJSON/Reading/JSONNode+Children.swift
private func JSONNode_Children_2() throws {
    for (name, value) in node.members where value.kind != .null {
        print("\(name.string) = \(value.string)")
    }
}

// Sources/TidemarkJSON/Reading/JSONNode+Children.swift
private func JSONNode_Children_3() throws {
    let title = node.member("title")?.string ?? "untitled"
}

// Sources/TidemarkJSON/Reading/JSONNode+Text.swift
private func JSONNode_Text_1() throws {
    let document = try JSONDocument(Array(#"["caf\u00e9", 12.50, true, null]"#.utf8))
    let texts = document.withRoot { $0.elements.map(\.string) }
    // ["café", "12.50", "true", "null"]
}

// Sources/TidemarkJSON/Reading/JSONNode.swift
private func JSONNode_1() throws {
    let body = Array(#"[{"id": 7, "tags": ["a", "b"], "author": {"name": "Ada"}}]"#.utf8)
    var items = try JSONDocument(body).items()
    while try items.next({ item in
        let id = item.member("id")?.integer                        // 7
        let tags = item.member("tags")?.elements.map(\.string)     // ["a", "b"]
        let author = item.node(at: "author.name")?.string          // "Ada"
    }) {}
}

// Sources/TidemarkJSON/Reading/JSONPath.swift
private func JSONPath_1() throws {
    let city = node.node(at: "profile.address.city")?.string
    let first = node.node(at: "rows.0")             // the first element of the array `rows`
    let link = node.node(at: ["@odata.nextLink"])   // one name that contains a dot
}

// Sources/TidemarkJSON/Reading/JSONPath.swift
private func JSONPath_2() throws {
    let meta = ["meta", "page.count"]
    let path = JSONPath(meta)
    print(path.names.count)   // 2
}

// Sources/TidemarkJSON/Reading/JSONPath.swift
private func JSONPath_3() throws {
    let path = JSONPath(CommandLine.arguments[1])   // "data.items" has the names data and items
    let tag = JSONPath("meta.\"@odata.etag\"")      // meta and @odata.etag
}

// Sources/TidemarkJSON/Reading/JSONPath.swift
private func JSONPath_4() throws {
    let document = try JSONDocument(Array(#"{"meta": {"page": {"total": 42}}}"#.utf8))
    let total = document.withRoot { $0.node(at: "meta.page.total")?.integer }   // 42
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_1() throws {
    var json = JSONWriter()
    json.beginObject()
    json.key("name")
    json.string("Ada")
    json.key("born")
    json.integer(1815)
    json.endObject()
    print(String(decoding: json.bytes, as: UTF8.self))   // {"name":"Ada","born":1815}
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_2() throws {
    FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    json.beginArray()
    for number in 1...1_000_000 {
        json.integer(Int64(number))
        if json.bytes.count > 65_536 { try json.drain { try file.write(contentsOf: Data($0)) } }
    }
    json.endArray()
    try json.drain { try file.write(contentsOf: Data($0)) }
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_3() throws {
    json.beginObject()
    json.key("results")
    json.beginArray()
    json.endArray()
    json.endObject()   // {"results":[]}
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_4() throws {
    json.beginArray()
    for tag in ["a", "b"] { json.string(tag) }
    json.endArray()   // ["a","b"]
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_5() throws {
    json.beginArray()
    json.raw("12.20")
    json.raw(#"{"unit":"kg"}"#)
    json.endArray()   // [12.20,{"unit":"kg"}]
}
