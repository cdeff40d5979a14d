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

/// Asks the fake service for each request that comes over a socket.
struct FakeResponder: HTTPResponder {
    let service: FakeService
    let coding: FakeServer.Coding

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
        switch answer {
        case .response(let answer): return response(answer)
        case .reset(let answer):
            // A socket that does not linger is reset when it is closed with something to send.
            try await (context.channel as? any SocketOptionProvider)?
                .setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            return response(answer)
        case .hangUp, .noResponse:
            try await context.channel.close().get()
            throw Broken()
        }
    }

    /// The answer of the service, or silence that has lasted for as long as it may.
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
                    // A body that stalls stays so until the server stops.
                    await cancelWhenGracefulShutdown { await untilCancelled() }
                    throw error
                }
                try await writer.finish(nil)
            }
        )
    }
}
