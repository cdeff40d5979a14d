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

    /// What may not be repeated of the answer.
    let secrets: SecretMask

    /// How a list of the document continues, and how many objects it has.
    ///
    /// - Parameters:
    ///   - list: The names that lead to the list; none for the document itself.
    ///   - count: The number of objects in it.
    /// - Returns: What the response says about the list.
    package func recognition(list: [String], count: Int) -> ListRecognition {
        ListRecognition(BodyFacts(document), headers, list: list, count: count).hiding(secrets)
    }

    /// Whether one object is at a key path, nil for the document itself.
    package func isObject(at keyPath: String?) -> Bool {
        document.withRoot { root in
            (keyPath.map { root.node(at: $0) } ?? root)?.kind == .object
        }
    }

    /// Whether an object at a key path has a text or a number as a member.
    package func hasValue(_ text: String, at keyPath: String?) -> Bool {
        document.withRoot { root in
            guard let object = keyPath.map({ root.node(at: $0) }) ?? root,
                object.kind == .object
            else { return false }
            return object.members.contains { $0.value.word(at: []) == text }
        }
    }

    /// The longest list of the document whose elements are arrays.
    ///
    /// It is a table, whose columns are named elsewhere; other objects in the document are no rows.
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
    /// Beside one empty array it contains nothing but numbers, texts and the like.
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
    /// Asks an address of the service, whatever it answers with.
    ///
    /// - Throws: ``RemoteError`` where there is no JSON; `CancellationError` untouched.
    package func sample(at url: URL) async throws -> SampleAnswer {
        let response = try await transport.send(try request(.get, url), body: nil)
        try await expectSuccess(response)
        let bytes = try await response.collect(upTo: limits.jsonItemBytes)
        try checkJSON(response, bytes)
        return SampleAnswer(
            document: try document(bytes, of: ResponseContext(response)),
            url: PageTarget(url, response, of: service).answered,
            headers: response.head.headerFields,
            secrets: service.secrets(of: response.request)
        )
    }
}
