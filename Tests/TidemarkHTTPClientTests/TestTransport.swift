import Foundation
import Testing
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting
import TidemarkURLSession

/// The transports over which a request is sent to a fake service.
enum TestTransport: String, CaseIterable, CustomTestStringConvertible {
    case inProcess, urlSession, asyncHTTPClient

    var testDescription: String { rawValue }

    static let socketBased: [TestTransport] = [.urlSession, .asyncHTTPClient]

    /// Runs a function with a remote that uses this transport, and the clock of its delays.
    func withRemote<Result: Sendable>(
        _ fake: FakeService,
        at address: URL? = nil,
        limits: Limits = .longTimeout,
        coding: FakeServer.Coding = .identity,
        _ body: (Remote, ManualClock) async throws -> Result
    ) async throws -> Result {
        let clock = ManualClock()
        func remote(_ url: URL, _ transport: some Transport) -> Remote {
            Remote(
                .rest(url: address ?? url),
                over: transport,
                environment: clock.environment,
                limits: limits
            )
        }
        switch self {
        case .inProcess: return try await body(remote(fake.url, fake), clock)
        case .urlSession:
            return try await FakeServer.run(fake, coding: coding) { url in
                try await body(remote(url, URLSessionTransport(limits: limits)), clock)
            }
        case .asyncHTTPClient:
            return try await FakeServer.run(fake, coding: coding) { url in
                try await AsyncHTTPClientTransport.run(limits: limits) { transport in
                    try await body(remote(url, transport), clock)
                }
            }
        }
    }
}

extension Remote {
    func first(_ path: String) async throws -> Page {
        try await page(PageRequest(first: service.resource("Thing", path: path)))
    }

    /// Reads a list, and returns the number of objects on each page.
    func pageCounts(_ path: String) async throws -> [Int] {
        var counts: [Int] = []
        var request: PageRequest? = PageRequest(first: service.resource("Thing", path: path))
        while let current = request {
            let page = try await page(current)
            counts.append(try page.objects().count)
            request = page.next
        }
        return counts
    }

    /// Reads a list, and returns the `RemoteError` that is thrown; nil if none is thrown.
    func failure(_ path: String) async -> RemoteError? {
        do {
            _ = try await pageCounts(path)
            return nil
        } catch {
            return error as? RemoteError
        }
    }
}

extension Page {
    func objects() throws -> [FakeJSON] {
        let document = try document.withRoot { try FakeJSON(parsing: Array($0.source)) }
        return envelope.reduce(Optional(document)) { $0?[$1] }?.elements ?? []
    }
}
