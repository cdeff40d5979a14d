import HTTPTypes

import struct Foundation.URL

/// The URLs of a response, which its links are resolved against.
struct PageTarget: Sendable {
    /// The requested URL.
    let asked: URL

    /// The URL of the response: the last one if redirects were followed.
    let answered: URL

    /// The secrets of the request, which links in the response may repeat.
    let secrets: SecretMask

    init(_ asked: URL, _ response: TransportResponse, of service: Service) {
        self.asked = asked
        answered = response.request.target ?? asked
        secrets = service.secrets(of: response.request)
    }
}

/// The parts of a response head that a reader of the body needs.
struct ResponseContext: Sendable {
    /// The method and URL of the request, for messages.
    let label: String

    /// The status code.
    let status: Int

    /// The header fields.
    let headers: HTTPFields

    init(_ response: TransportResponse) {
        label = response.request.label
        status = response.head.status.code
        headers = response.head.headerFields
    }
}
