import HTTPTypes

import struct Foundation.URL

/// Where an answer came from, against which its links are read.
struct PageTarget: Sendable {
    /// The URL that was asked.
    let asked: URL

    /// The URL that answered, the last one where redirects were followed.
    let answered: URL

    /// What its links may repeat of the request.
    let secrets: SecretMask

    init(_ asked: URL, _ response: TransportResponse, of service: Service) {
        self.asked = asked
        answered = response.request.target ?? asked
        secrets = service.secrets(of: response.request)
    }
}

/// The head of an answer, as far as it matters to whoever reads the body.
struct ResponseContext: Sendable {
    /// The request that was answered, for people: its method and URL.
    let label: String

    /// The status.
    let status: Int

    /// The header fields.
    let headers: HTTPFields

    init(_ response: TransportResponse) {
        label = response.request.label
        status = response.head.status.code
        headers = response.head.headerFields
    }
}
