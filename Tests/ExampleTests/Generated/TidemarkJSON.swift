// The examples in the documentation comments of TidemarkJSON, written by `make examples`.
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

// Sources/TidemarkJSON/Reading/JSONDocument.swift
private func JSONDocument_1() throws {
    let document = try JSONDocument(Array(#"{"results": [1, 2]}"#.utf8))
    let next = document.withRoot { $0.member("next")?.string }
    var items = try document.items(at: "results")
}

// Sources/TidemarkJSON/Reading/JSONItemReader.swift
private func JSONItemReader_1() throws {
    let file = try FileHandle(forReadingFrom: url)
    var items = JSONItemReader(root: "results") { buffer in
        try file.read(upToCount: buffer.count)?.copyBytes(to: buffer) ?? 0
    }
    while try items.next({ item in print(item.member("title")?.string ?? "") }) {}
}

// Sources/TidemarkJSON/Reading/JSONPath.swift
private func JSONPath_1() throws {
    let city = node.node(at: "profile.address.city")?.string
    let link = node.node(at: ["@odata.nextLink"])   // one name that contains a dot
}

// Sources/TidemarkJSON/Writing/JSONWriter.swift
private func JSONWriter_1() throws {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.key("name")
    writer.string("Rex")
    writer.endObject()
    print(String(decoding: writer.bytes, as: UTF8.self))
}
