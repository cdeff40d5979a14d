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
