// The examples in the documentation comments of Tidemark, written by `make examples`.
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

// Sources/Tidemark/SyncEngine+URLSession.swift
private func SyncEngine_URLSession_1() async throws {
    let engine = try await SyncEngine.prepare(
        store: store,
        service: .rest(url: url),
        entities: User.self, Note.self
    )
}

// Sources/Tidemark/SyncEngine+URLSession.swift
private func SyncEngine_URLSession_2() async throws {
    let service = Service.rest(url: url)
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [service.resource("User", path: "v2/users")]
    )
}
