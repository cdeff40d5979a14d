package import HTTPTypes
import TidemarkJSON
import TidemarkModel

package import struct Foundation.URL

/// The head of a response, in the form that readers of its body need.
package struct ResponseContext: Sendable {
    private let request: HTTPRequest

    /// The method and URL of the request, for messages.
    package var label: String { request.label }

    /// The status code.
    let status: Int

    /// The header fields.
    package let headers: HTTPFields

    /// The requested URL, whose parameters select the page.
    let requestedURL: URL

    /// The URL of the response, against which links are resolved: the last one if redirects were
    /// followed.
    package let url: URL

    /// The secrets of the request, which links and messages in the response may repeat.
    let secrets: SecretMask

    init(_ response: TransportResponse, requested url: URL, from service: Service) {
        request = response.request
        status = response.head.status.code
        headers = response.head.headerFields
        requestedURL = url
        self.url = response.request.url ?? url
        secrets = service.secrets(of: response.request)
    }

    /// The time of the response, by the service's clock.
    var date: HTTPDate? { HTTPDate(headers) }

    /// Returns the error for a body that is not valid JSON.
    func invalidJSON(_ error: JSONError) -> RemoteError {
        RemoteError(
            .notJSON,
            "\(label) returned invalid JSON: \(error).",
            hint: "Try again; if the error persists, contact the operator of the service.",
            status: status,
            underlying: error
        )
    }

    /// Returns the error for a document without a list, which must not be taken for an empty list.
    func noList(_ reason: String, underlying: (any Error)? = nil) -> RemoteError {
        RemoteError(
            .noList,
            "\(label) returned no list: \(reason).",
            hint: "Check the resource's path, and its envelope: the key path of the list.",
            underlying: underlying
        )
    }
}
