import HTTPTypes
import TidemarkModel

import struct Foundation.URL

extension Remote {
    func page(
        _ request: PageRequest,
        at url: URL,
        bytes: [UInt8],
        of response: TransportResponse
    ) throws -> Page {
        let document = try document(bytes, of: response)
        let facts = BodyFacts(document)
        let link = link(in: facts, response, request.resource.pagination)
        return Page(
            request: request,
            document: document,
            headers: response.head.headerFields,
            envelope: envelope(of: request.resource, facts),
            total: request.resource.total.flatMap { facts.integer(at: $0) },
            next: try link.map { try next($0, after: request, at: url, response) },
            label: response.request.label
        )
    }

    private func document(
        _ bytes: [UInt8],
        of response: TransportResponse
    ) throws -> JSONDocument {
        do {
            return try JSONDocument(bytes, limits: limits)
        } catch {
            throw RemoteError(
                .notJSON,
                "\(response.request.label) was answered with broken JSON: \(error).",
                hint: "Try again; if it stays, ask whoever runs the service.",
                status: response.head.status.code,
                underlying: error
            )
        }
    }

    private func envelope(of resource: Resource, _ facts: BodyFacts) -> [String] {
        switch resource.envelope {
        case .none: []
        case .keyPath(let path): facts.isArray == true ? [] : path
        }
    }

    private func link(
        in facts: BodyFacts,
        _ response: TransportResponse,
        _ pagination: Pagination
    ) -> String? {
        let link: String? =
            switch pagination {
            case .none: nil
            case .nextInBody(let path):
                facts.string(at: path) ?? facts.string(at: path + ["href"])
            case .linkHeader:
                LinkField.target(of: "next", in: response.head.headerFields)
            }
        return link.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func next(
        _ link: String,
        after request: PageRequest,
        at url: URL,
        _ response: TransportResponse
    ) throws -> PageRequest {
        let base = response.request.target ?? url
        let next = try service.admit(link, from: base, code: .linkRefused)
        let seen = request.seen.union([url.absoluteString, base.absoluteString])
        guard !seen.contains(next.absoluteString) else {
            throw RemoteError(
                .paginationLoop,
                "\(base.shown) names \(next.shown) as its next page, read before.",
                hint: "The service pages in circles; ask whoever runs it."
            )
        }
        guard request.number < limits.pages else {
            throw RemoteError(
                .pageLimit,
                "\(base.shown) has a next page, beyond the limit of \(limits.pages).",
                hint: "Raise the limit if the list is that long."
            )
        }
        return PageRequest(
            resource: request.resource,
            url: next,
            number: request.number + 1,
            seen: seen
        )
    }
}
