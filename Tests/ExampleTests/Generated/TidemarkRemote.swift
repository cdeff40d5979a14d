// The examples in the documentation comments of TidemarkRemote, written by `make examples`.
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

// Sources/TidemarkRemote/Remote.swift
private func Remote_1() async throws {
    let remote = Remote(.rest(url: url), over: URLSessionTransport(), environment: environment)
    var request: PageRequest? = PageRequest(first: remote.service.resource("Film", path: "films"))
    while let next = request {
        guard case .page(let page) = try await remote.answer(to: next) else { break }
        request = page.facts.next
    }
}

// Sources/TidemarkRemote/Resources/ListStyle.swift
private func ListStyle_1() throws {
    var resource = service.resource("Article", path: "articles/3")
    resource.style.makeSingleObject()
}

// Sources/TidemarkRemote/Resources/RemoteResource.swift
private func RemoteResource_1() throws {
    let comments = service.resource("Comment", path: "posts/{post}/comments")
}

// Sources/TidemarkRemote/Transport/Credentials.swift
private func Credentials_1() async throws {
    struct Login { func token(renewing: Bool) async throws -> String { "" } }
    let login = Login()
    let credentials = Credentials { isRenewal in
        let token = try await login.token(renewing: isRenewal)
        return [.authorization: "Bearer \(token)"]
    }
}
