import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// Adds a response compressor to a connection's pipeline, between the socket and the HTTP codec.
final class Compression: ChannelInboundHandler, RemovableChannelHandler {
    /// Inbound data passes through unchanged.
    typealias InboundIn = NIOAny

    /// The header field with which a responder marks a response that must not be compressed.
    static let exception = "X-Fake-Uncompressed"

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let compressor = HTTPResponseCompressor(responseCompressionPredicate: Self.intent)
            try pipeline.addHandler(compressor, position: .before(codec))
        } catch {
            context.fireErrorCaught(error)
        }
    }

    private static func intent(
        _ head: inout HTTPResponseHead,
        isPossible: Bool
    ) -> HTTPResponseCompressor.CompressionIntent {
        let isException = head.headers.contains(name: exception)
        head.headers.remove(name: exception)
        guard isPossible, !isException else { return .doNotCompress }
        if let tag = head.headers.first(name: "ETag"), !tag.hasPrefix("W/") {
            head.headers.replaceOrAdd(name: "ETag", value: "W/\(tag)")
        }
        head.headers.add(name: "Vary", value: "Accept-Encoding")
        // The length of the compressed body is not known when the head is sent.
        head.headers.remove(name: "Content-Length")
        return .compressIfPossible
    }
}

extension FakeServer.Coding {
    /// The channel handlers that the content coding requires.
    var handlers: [any RemovableChannelHandler] {
        switch self {
        case .identity: []
        case .compressed: [Compression()]
        }
    }
}
