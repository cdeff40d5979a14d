import HTTPTypes

import struct Foundation.URL

/// A transport that inserts secrets into URLs: the query parameters that every URL of a service
/// has, and the credentials whose placeholders the URL contains.
///
/// It is the last step before a request is sent, so that no URL that is logged, compared or stored
/// contains a secret. An entity tag that repeats a secret is dropped, because tags are stored.
struct SecretInsertingTransport<Wrapped: Transport>: Transport {
    private let wrapped: Wrapped
    private let service: Service

    init(_ wrapped: Wrapped, for service: Service) {
        self.wrapped = wrapped
        self.service = service
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        guard let url = request.url else {
            return try await wrapped.send(request, body: body)
        }
        let secrets = service.secrets(of: request)
        // A redirect may lead to a URL that already contains the secrets.
        let sealed = secrets.sealed(url)
        let opened = secrets.opened(sealed)
        let reported = sealed == url ? request : try request.with(url: sealed)
        let sent = opened == url ? request : try request.with(url: opened)
        do {
            var response = try await wrapped.send(sent, body: body)
            if let tag = response.head.headerFields[.eTag], secrets.occurs(in: tag) {
                response.head.headerFields[.eTag] = nil
            }
            guard sealed != opened else { return response }
            response.request = reported
            response.body = ResponseBody(
                chunks: SealedBody(base: response.body) { $0.naming(reported, insteadOf: sent) }
            )
            return response
        } catch let error as RemoteError where sealed != opened {
            throw error.naming(reported, insteadOf: sent)
        }
    }

    /// A body whose errors name the request without its secrets.
    private struct SealedBody: AsyncSequence, Sendable {
        let base: ResponseBody
        let translate: @Sendable (RemoteError) -> RemoteError

        func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator(), translate: translate)
        }

        struct Iterator: AsyncIteratorProtocol {
            var base: ResponseBody.AsyncIterator
            let translate: @Sendable (RemoteError) -> RemoteError

            mutating func next() async throws -> [UInt8]? {
                do {
                    return try await base.next()
                } catch let error as RemoteError {
                    throw translate(error)
                }
            }
        }
    }
}

extension RemoteError {
    fileprivate func naming(_ reported: HTTPRequest, insteadOf sent: HTTPRequest) -> RemoteError {
        var error = self
        error.message = message.replacing(sent.label, with: reported.label)
        return error
    }
}
