import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// Puts a compressor in a connection's pipeline, where bytes are not yet what a responder sees.
final class Compression: ChannelInboundHandler, RemovableChannelHandler {
    /// What comes passes as it is.
    typealias InboundIn = NIOAny

    /// What a responder says of an answer that must stay as it is.
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
        _ isPossible: Bool
    ) -> HTTPResponseCompressor.CompressionIntent {
        let isException = head.headers.contains(name: exception)
        head.headers.remove(name: exception)
        guard isPossible, !isException else { return .doNotCompress }
        if let tag = head.headers.first(name: "ETag"), !tag.hasPrefix("W/") {
            head.headers.replaceOrAdd(name: "ETag", value: "W/\(tag)")
        }
        head.headers.add(name: "Vary", value: "Accept-Encoding")
        // The head leaves before anybody knows how short the body becomes.
        head.headers.remove(name: "Content-Length")
        return .compressIfPossible
    }
}

extension FakeServer.Coding {
    /// What a connection needs for it.
    var handlers: [any RemovableChannelHandler] {
        switch self {
        case .identity: []
        case .compressed: [Compression()]
        }
    }
}
