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
        // A server that shuts down must not wait for latency, nor for a request that is never
        // answered.
        let answer = try await cancelWhenGracefulShutdown {
            try await self.answer(request.head, body: bytes)
        }
        switch answer {
        case .response(let answer): return response(answer)
        case .reset(let answer):
            // With a linger time of 0, closing a socket that has unsent data resets the connection.
            try await (context.channel as? any SocketOptionProvider)?
                .setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            return response(answer)
        case .hangUp, .noResponse:
            try await context.channel.close().get()
            throw Broken()
        }
    }

    /// Returns the answer of the service.
    ///
    /// A request that is never answered waits until it is cancelled.
    private func answer(
        _ request: HTTPRequest,
        body: [UInt8]?
    ) async throws -> FakeService.Answer {
        let answer = try await service.answer(request, body: body)
        if case .noResponse = answer { await untilCancelled() }
        return answer
    }

    private func untilCancelled() async {
        let (never, keeper) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        // Uses the continuation after the loop: if it were released earlier, the stream would end
        // at once.
        keeper.finish()
    }

    private func response(_ answer: TransportResponse) -> Response {
        let length = answer.head.headerFields[.contentLength].flatMap { Int($0) }
        var fields = answer.head.headerFields
        if answer.request.method == .head, let name = HTTPField.Name(Compression.exception) {
            fields[name] = coding == .compressed ? "HEAD" : nil
        }
        return Response(
            status: answer.head.status,
            headers: fields,
            body: Hummingbird.ResponseBody(contentLength: length) { writer in
                do {
                    for try await chunk in answer.body {
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
