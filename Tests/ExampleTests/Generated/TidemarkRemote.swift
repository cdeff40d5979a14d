// The examples in the documentation comments of TidemarkRemote, written by `make examples`.
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

// Sources/TidemarkRemote/Remote.swift
private func Remote_1() async throws {
    let remote = Remote(.rest(url: url), over: URLSessionTransport(), environment: environment)
    var next: PageRequest? = PageRequest(first: remote.service.resource("Film", path: "films"))
    while let request = next {
        guard case .page(let page) = try await remote.response(to: request) else { break }
        next = page.next
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
    struct Login { func token() async -> String { "" }; func newToken() async -> String { "" } }
    let login = Login()
    let credentials = Credentials { rejected in
        let token = rejected == nil ? await login.token() : await login.newToken()
        return [.authorization: "Bearer \(token)"]
    }
}
