// The examples in the documentation comments of TidemarkFakeServices, written by `make examples`.
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

// Sources/TidemarkFakeServices/JSONAPI/FakeDialect+JSONAPI.swift
private func FakeDialect_JSONAPI_1() throws {
    FakeDialect.jsonAPI { $0.relationships = ["films": ["people": "people"]] }
}
