// The examples in the documentation comments of TidemarkCoreData, written by `make examples`.
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

// Sources/TidemarkCoreData/ModelBundle.swift
private func ModelBundle_1() throws {
    let model = try ModelBundle.model(at: "Shop.xcdatamodeld")
}
