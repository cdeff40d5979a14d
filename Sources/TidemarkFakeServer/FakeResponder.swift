import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import TidemarkRemote
import TidemarkTesting

/// Asks the fake service for each request that comes over a socket.
struct FakeResponder: HTTPResponder {
    let service: FakeService

    /// The connection, so that the service can hang up.
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
        // A server that stops waits neither for latency nor for silence.
        let answer = try await cancelWhenGracefulShutdown {
            try await self.answer(request.head, body: bytes)
        }
        guard let answer else {
            try await context.channel.close().get()
            throw Broken()
        }
        return response(answer)
    }

    /// The answer of the service; nil where it hangs up.
    private func answer(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse? {
        switch try await service.answer(request, body: body) {
        case .response(let response): return response
        case .hangUp: return nil
        case .silence:
            await untilCancelled()
            return nil
        }
    }

    private func untilCancelled() async {
        let (never, keeper) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        keeper.finish()
    }

    private func response(_ answer: TransportResponse) -> Response {
        let length = answer.head.headerFields[.contentLength].flatMap { Int($0) }
        return Response(
            status: answer.head.status,
            headers: answer.head.headerFields,
            body: Hummingbird.ResponseBody(contentLength: length) { writer in
                for try await chunk in answer.body {
                    try await writer.write(ByteBuffer(bytes: chunk))
                }
                try await writer.finish(nil)
            }
        )
    }
}
