import HTTPTypes
import TidemarkModel

import struct Foundation.URL

extension Remote {
    /// Asks how many objects a resource has; nil where the service does not tell.
    ///
    /// - Throws: ``RemoteError``; `CancellationError` untouched.
    public func count(of resource: Resource) async throws -> Int? {
        switch resource.style.count {
        case .none:
            return nil
        case .head(let name):
            let url = try service.address(of: resource)
            let response = try await transport.send(try request(.head, url), body: nil)
            try await expectSuccess(response)
            return Total.header(name).number(nil, response.head.headerFields)
        case .query(let items):
            guard var query = PageQuery(try service.address(of: resource)) else { return nil }
            query.set(items)
            guard let url = query.url else { return nil }
            let response = try await transport.send(try request(.get, url), body: nil)
            try await expectSuccess(response)
            let bytes = try await response.collect(upTo: limits.bodyInMemory)
            try checkJSON(response, bytes)
            let body = try document(bytes, of: AnswerHead(response))
            return resource.style.total.number(BodyFacts(body), response.head.headerFields)
        }
    }

    /// The URL of a page as it may be kept: that by which the page is known.
    package func location(of request: PageRequest) throws -> String {
        service.withoutSecrets(try address(of: request)).absoluteString
    }
}
