// The examples in the documentation comments of TidemarkFakeServer, written by `make examples`.
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

// Sources/TidemarkFakeServer/FakeServer.swift
private func FakeServer_1() async throws {
    try await FakeServer.run(fake) { url in
        let remote = Remote(.rest(url: url), over: transport, environment: environment)
        let films = PageRequest(first: remote.service.resource("Film", path: "films"))
        print(try await remote.response(to: films))
    }
}
