// The examples in the documentation comments of TidemarkInference, written by `make examples`.
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

// Sources/TidemarkInference/ModelInference.swift
private func ModelInference_1() throws {
    let (films, people) = (body, body)
    var inference = ModelInference()
    try inference.add(JSONDocument(films), from: "https://swapi.dev/api/films/")
    try inference.add(JSONDocument(people), from: "https://swapi.dev/api/people/")
    let inferred = try inference.result()
    let store = try Store.open(at: path, model: inferred.model)
}
