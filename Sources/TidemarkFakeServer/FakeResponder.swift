import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import TidemarkRemote
import TidemarkTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// Passes the requests that arrive on a socket to the fake service.
struct FakeResponder: HTTPResponder {
    let service: FakeService
    let coding: FakeServer.Coding

    /// Gives access to the connection, so that the service can close it.
    struct Context: InitializableFromSource {
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            channel = source.channel
        }
    }

    private struct Broken: Error {}

    func respond(to request: Request, context: Context) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 << 20)
        let bytes = body.readableBytes > 0 ? [UInt8](body.readableBytesView) : nil
        // A server that shuts down must not wait for latency, nor for a request that never gets a
        // response.
        let outcome = try await cancelWhenGracefulShutdown {
            try await self.outcome(of: request.head, body: bytes)
        }
        switch outcome {
        case .response(let response): return self.response(response)
        case .reset(let response):
            // With a linger time of 0, closing a socket that has unsent data resets the connection.
            try await (context.channel as? any SocketOptionProvider)?
                .setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            return self.response(response)
        case .connectionClosed, .noResponse:
            try await context.channel.close().get()
            throw Broken()
        }
    }

    /// Returns what the service does with a request.
    ///
    /// A request without a response waits until it is cancelled.
    private func outcome(
        of request: HTTPRequest,
        body: [UInt8]?
    ) async throws -> FakeService.Outcome {
        let outcome = try await service.outcome(of: request, body: body)
        if case .noResponse = outcome { await untilCancelled() }
        return outcome
    }

    private func untilCancelled() async {
        let (never, keeper) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        // Uses the continuation after the loop: if it were released earlier, the stream would end
        // at once.
        keeper.finish()
    }

    private func response(_ delivered: TransportResponse) -> Response {
        let length = delivered.head.headerFields[.contentLength].flatMap { Int($0) }
        var fields = delivered.head.headerFields
        if delivered.request.method == .head, let name = HTTPField.Name(Compression.exception) {
            fields[name] = coding == .compressed ? "HEAD" : nil
        }
        return Response(
            status: delivered.head.status,
            headers: fields,
            body: Hummingbird.ResponseBody(contentLength: length) { writer in
                do {
                    for try await chunk in delivered.body {
                        try await writer.write(ByteBuffer(bytes: chunk))
                    }
                } catch let error as RemoteError where error.code == .timedOut {
                    // A stalled body stays open until the server shuts down.
                    await cancelWhenGracefulShutdown { await untilCancelled() }
                    throw error
                }
                try await writer.finish(nil)
            }
        )
    }
}
