package import HTTPTypes
package import TidemarkModel

package import struct Foundation.URL

/// An answer of a service of which nothing is known yet.
package struct SampleAnswer: Sendable {
    /// The document, as it came.
    package let document: JSONDocument

    /// The URL that answered, the last one where redirects were followed.
    package let url: URL

    /// The header fields.
    package let headers: HTTPFields

    /// Whether the `Link` field leads to a next page.
    package var hasNextLink: Bool { LinkField.target(of: "next", in: headers) != nil }
}

extension Remote {
    /// Asks an address of the service, whatever it answers with.
    ///
    /// - Throws: ``RemoteError`` where there is no JSON; `CancellationError` untouched.
    package func sample(at url: URL) async throws -> SampleAnswer {
        let response = try await transport.send(try request(.get, url), body: nil)
        try await expectSuccess(response)
        let bytes = try await response.collect(upTo: limits.jsonItemBytes)
        try checkJSON(response, bytes)
        return SampleAnswer(
            document: try document(bytes, of: AnswerHead(response)),
            url: PageTarget(url, response).answered,
            headers: response.head.headerFields
        )
    }
}
