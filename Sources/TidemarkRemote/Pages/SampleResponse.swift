package import HTTPTypes
package import TidemarkJSON
import TidemarkModel

package import struct Foundation.URL

/// The response of a service that is not configured yet.
package struct SampleResponse: Sendable {
    /// The document.
    package let document: JSONDocument

    private let context: ResponseContext

    fileprivate init(_ document: JSONDocument, in context: ResponseContext) {
        self.document = document
        self.context = context
    }

    /// The URL of the response: the last one if redirects were followed.
    package var url: URL { context.url }

    /// The header fields.
    package var headers: HTTPFields { context.headers }

    /// Recognizes the pagination and the total of a list in the document.
    ///
    /// - Parameters:
    ///   - list: The path of the list; empty for the document itself.
    ///   - count: The number of objects in the list.
    /// - Returns: The recognized properties of the list.
    package func recognition(list: [String], count: Int) -> PaginationRecognition {
        let members = DocumentMembers(document)
        let evidence = PaginationEvidence(members, headers: headers, list: list)
        return PaginationRecognition(evidence, count: count).hiding(context.secrets)
    }

    /// Returns what says that the document, an object, is the envelope of another list, which has
    /// further pages.
    ///
    /// An object may link to the next one of its kind. So it is an envelope only if a member
    /// contains the list and the indication, or if it has a list besides the links.
    ///
    /// - Parameter list: The path of the list that was found; empty if the document is an object.
    /// - Returns: The indication; nil without one.
    package func envelopeSign(besides list: [String]) -> String? {
        let members = DocumentMembers(document)
        let (lists, hasList) = document.withRoot { root -> ([String], Bool) in
            let objects = root.members.filter { $0.value.kind == .object }
            let lists = objects.filter { $0.value.members.contains { $0.value.isObjectList } }
            let hasList = root.members.contains { name, value in
                value.isObjectList && !PaginationEvidence.Names.links.contains(name.string)
            }
            return (
                lists.map(\.name.string).filter { name in
                    // An object that describes the list may contain links, too.
                    name != list.first && !PaginationEvidence.Names.all.contains(name)
                }, hasList
            )
        }
        for name in lists {
            let evidence = PaginationEvidence(members, headers: [:], containers: [[name]])
            if let flag = evidence.flag, flag.hasMore { return flag.indication }
            let found = evidence.suspected(
                onPageOf: 0,
                usesTotals: false,
                requested: context.requestedURL
            )
            if let sign = found?.indication {
                return ServiceMessage.oneLine(context.secrets.hiding(in: sign), limit: 100)
            }
        }
        let link = PaginationEvidence.Names.links.first { name in
            if case .url? = members.relation(at: [name]) { true } else { false }
        }
        return hasList && list.isEmpty ? link.map { "\($0): next" } : nil
    }

    /// Returns whether the value at a key path is an object; nil for the document itself.
    package func isObject(at keyPath: String?) -> Bool {
        document.withRoot { root in
            root.node(at: JSONPath(keyPath ?? ""))?.kind == .object
        }
    }

    /// Returns whether the object at a key path has a member with the given string or number.
    package func hasValue(_ text: String, at keyPath: String?) -> Bool {
        document.withRoot { root in
            guard let object = root.node(at: JSONPath(keyPath ?? "")), object.kind == .object else {
                return false
            }
            return object.members.contains { $0.value.text(at: []) == text }
        }
    }

    /// The longest member of the document that is an array of arrays.
    ///
    /// This is a table, whose columns are named elsewhere; the other objects of the document are
    /// not rows.
    package var table: (name: String, rows: Int)? {
        document.withRoot { root in
            var longest: (name: String, rows: Int)?
            for (name, value) in root.members where value.kind == .array {
                let rows = value.elements.count { $0.kind == .array }
                guard rows > longest?.rows ?? 0, value.elements.allSatisfy({ $0.kind == .array })
                else { continue }
                longest = (name.string, rows)
            }
            return longest
        }
    }

    /// Whether the document is the envelope of an empty list.
    ///
    /// It contains nothing but one empty array, scalars and no `id`.
    package var isEmptyList: Bool {
        document.withRoot { root in
            guard root.kind == .object, root.member("id") == nil else { return false }
            let nested = root.members.map(\.value).filter {
                $0.kind == .array || $0.kind == .object
            }
            guard nested.count == 1, let list = nested.first, list.kind == .array else {
                return false
            }
            return list.firstChild == list.next
        }
    }
}

extension Remote {
    /// Requests a URL of the service and returns any JSON document.
    ///
    /// - Throws: ``RemoteError`` if the response is not JSON, or `CancellationError` if the task is
    ///   cancelled.
    package func sample(at url: URL) async throws -> SampleResponse {
        let (response, context) = try await send(.get, to: url)
        let document = try await document(of: response, in: context, limit: limits.json.itemBytes)
        return SampleResponse(document, in: context)
    }
}

extension JSONNode {
    /// Whether the value is an array whose first element is an object.
    fileprivate var isObjectList: Bool {
        kind == .array && elements.first { _ in true }?.kind == .object
    }
}
