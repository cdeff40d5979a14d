// The examples in the documentation comments of TidemarkHTTPClient, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkTesting
import TidemarkYAML

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
private func AsyncHTTPClientTransport_1() async throws {
    try await AsyncHTTPClientTransport.run { transport in
        let remote = Remote(service, over: transport, environment: environment)
        print(try await remote.answer(to: PageRequest(first: resource)))
    }
}
