import AsyncHTTPClient
import Foundation
import NIOCore

// PushFloor REQUESTS CONCURRENCY
//
// Sends prepared requests, several at a time, and reads the responses: the least that a push does.

struct Failure: Error {
    let status: UInt
}

@Sendable func send(_ request: HTTPClientRequest, by client: HTTPClient) async throws {
    let response = try await client.execute(request, timeout: .seconds(60))
    _ = try await response.body.collect(upTo: 1 << 24)
    guard 200..<300 ~= response.status.code else { throw Failure(status: response.status.code) }
}

guard CommandLine.arguments.count == 3, let concurrency = Int(CommandLine.arguments[2]) else {
    FileHandle.standardError.write(Data("usage: PushFloor REQUESTS CONCURRENCY\n".utf8))
    exit(64)
}
let requests = try PreparedRequest.read(CommandLine.arguments[1])
let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.any())
do {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, request) in requests.enumerated() {
            if index >= concurrency { try await group.next() }
            group.addTask { try await send(request, by: client) }
        }
        try await group.waitForAll()
    }
} catch {
    try await client.shutdown()
    throw error
}
try await client.shutdown()
print(requests.count)
