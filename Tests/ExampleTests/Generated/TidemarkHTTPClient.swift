// The examples in the documentation comments of TidemarkHTTPClient, written by `make examples`.
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

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
private func AsyncHTTPClientTransport_1() async throws {
    let report = try await AsyncHTTPClientTransport.run { transport in
        try await SyncEngine.prepare(
            store: store, service: service, resources: [resource], transport: transport
        ).pull()
    }
    print(report)
}

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
import AsyncHTTPClient
private func AsyncHTTPClientTransport_2() async throws {

    let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration())
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [resource],
        transport: AsyncHTTPClientTransport(client)
    )
    _ = try await engine.pull()
    try await client.shutdown()
}

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
private func AsyncHTTPClientTransport_3() async throws {
    try await AsyncHTTPClientTransport.run { transport in
        let engine = try await SyncEngine.prepare(
            store: store, service: service, resources: [resource], transport: transport)
        print(try await engine.pull())
    }
}

// Sources/TidemarkHTTPClient/AsyncHTTPClientTransport.swift
import AsyncHTTPClient
private func AsyncHTTPClientTransport_4() throws {

    var configuration = AsyncHTTPClientTransport.configuration()
    configuration.proxy = .server(host: "proxy.example.com", port: 3128)
    let client = HTTPClient(configuration: configuration)
}
