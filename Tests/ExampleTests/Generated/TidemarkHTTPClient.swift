// The examples in the documentation comments of TidemarkHTTPClient, written by `make examples`.
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

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
private func AsyncHTTPClientTransport_1() async throws {
    try await AsyncHTTPClientTransport.run { transport in
        let engine = try SyncEngine(
            store: store, service: service, resources: [resource], transport: transport)
        print(try await engine.pull())
    }
}
