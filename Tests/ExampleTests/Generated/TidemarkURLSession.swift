// The examples in the documentation comments of TidemarkURLSession, written by `make examples`.
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

// Sources/TidemarkURLSession/URLSessionTransport.swift
private func URLSessionTransport_1() async throws {
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [resource],
        transport: URLSessionTransport()
    )
    print(try await engine.pull())
}

// Sources/TidemarkURLSession/URLSessionTransport.swift
private func URLSessionTransport_2() throws {
    var limits = Limits()
    limits.concurrency = 8
    limits.http.idleTimeout = .seconds(60)
    let transport = URLSessionTransport(limits: limits)
}

// Sources/TidemarkURLSession/URLSessionTransport.swift
private func URLSessionTransport_3() async throws {
    let request = HTTPRequest(
        method: .get, scheme: "https", authority: "api.example.com", path: "/films/")
    let response = try await transport.send(request, body: nil)
    print(response.head.status.code)   // 200
}
