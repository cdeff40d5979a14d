import HTTPTypes
import TidemarkModel

extension Remote {
    func expectSuccess(_ response: TransportResponse) async throws {
        guard response.head.status.kind == .successful else {
            let words = ServiceMessage.inBody(
                try await response.beginning(64 << 10),
                hiding: service.secrets(of: response.request)
            )
            throw RemoteError.status(response, words: words, environment: environment)
        }
        guard response.head.status != .partialContent else {
            throw RemoteError.partial(response.request)
        }
    }

    /// Checks that a body is JSON, as far as its beginning and its type tell.
    ///
    /// A blank body is no list, not even an empty one: what is stored would be deleted on no proof.
    func checkJSON(_ response: TransportResponse, _ bytes: [UInt8]) throws {
        guard let first = bytes.first(where: { !Self.blanks.contains($0) }) else {
            throw notJSON(response, "nothing")
        }
        let type = response.head.headerFields[.contentType].map(Self.mediaType)
        guard let type else {
            guard Self.beginnings.contains(first) else {
                throw notJSON(response, "something that is no JSON")
            }
            return
        }
        let isJSON = type == "application/json" || type == "text/json" || type.hasSuffix("+json")
        if !isJSON {
            throw notJSON(response, type == "text/html" ? "a web page (HTML)" : type)
        }
    }

    private func notJSON(_ response: TransportResponse, _ what: String) -> RemoteError {
        let status = response.head.status.code
        let secrets = service.secrets(of: response.request)
        let shown = ServiceMessage.oneLine(secrets.hiding(in: what), limit: 100)
        return RemoteError(
            .notJSON,
            "\(response.request.label) was answered \(status) with \(shown), not with JSON.",
            hint: "Check the service's URL and the path; a sign-in page may stand in between.",
            status: status
        )
    }

    private static func mediaType(_ field: String) -> String {
        field.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let bracket = UInt8(ascii: "[")
    private static let beginnings = Set("{[\"-0123456789tfn\u{FEFF}".utf8)

    /// An answer whose body is longer than memory should hold.
    func long(
        _ request: PageRequest,
        _ target: PageTarget,
        _ response: TransportResponse
    ) throws -> StreamedPage {
        // What is too long by its own word need not come at all.
        if let announced = response.announcedLength, announced > limits.bodyBytes {
            throw RemoteError.tooLarge(response.request, limit: limits.bodyBytes)
        }
        try checkJSON(response, Array("[".utf8))
        return StreamedPage(
            request: request,
            body: response.body,
            head: ResponseContext(response),
            isList: response.body.beginning.first { !Self.blanks.contains($0) } == Self.bracket,
            target: target
        )
    }

    /// What a long page tells beside its objects, read from its bytes once they have all come.
    ///
    /// Everything is looked at before anything is imported: a body that is no JSON to its end is
    /// none at all.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - read: Reads its bytes, as `JSONItemReader` asks for them.
    /// - Returns: What it tells, and where in its bytes the first object may begin.
    /// - Throws: ``RemoteError`` where it is no JSON or holds no list, and what `read` throws.
    public func facts(
        of page: StreamedPage,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (facts: PageMetadata, offset: Int) {
        let style = page.request.resource.style
        var items = JSONItemReader(
            root: page.isList ? nil : style.envelope.root,
            limits: limits,
            remembering: style.places,
            read: read
        )
        var trace = ItemTrace(style, page.head.headers)
        do {
            while try items.next({ trace.add($0) }) {}
        } catch let error as JSONError {
            throw RemoteError.broken(page.head.label, page.head.status, error)
        } catch let error as JSONItemsError {
            throw RemoteError.noList(page.head.label, "\(error)", error)
        }
        guard let offset = items.listOffset else {
            throw RemoteError.noList(page.head.label, "it is one object")
        }
        let body = BodyFacts(items.remembered)
        return (try facts(page.request, page.target, page.head.headers, body, trace), offset)
    }

    /// Where the objects of a long page stand that came along because others refer to them; nil
    /// where there are none.
    ///
    /// - Parameters:
    ///   - page: The page, which was looked over.
    ///   - read: Reads its bytes, as `JSONItemReader` asks for them.
    /// - Returns: Where in its bytes the first of them may begin, and how many they are.
    /// - Throws: ``RemoteError`` where they are told twice, and what `read` throws.
    package func companions(
        of page: StreamedPage,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (offset: Int, count: Int)? {
        guard let path = page.request.resource.style.objects.included, !page.isList else {
            return nil
        }
        var items = JSONItemReader(root: path, limits: limits, read: read)
        var count = 0
        do {
            while try items.next({ _ in count += 1 }) {}
        } catch let error as JSONItemsError {
            guard error.reason == .repeated else { return nil }
            throw RemoteError.noList(page.head.label, "\(error)", error)
        }
        return items.listOffset.map { ($0, count) }
    }
}

extension Envelope {
    /// Where the list stands, as a reader of items is told.
    package var root: String? {
        switch self {
        case .none: nil
        case .keyPath(let path): path.joined(separator: ".")
        }
    }
}

extension ListStyle {
    /// Where a document tells something that matters beside its objects.
    fileprivate var places: [[String]] {
        var places = ListRecognition.Places.all(of: envelope.names)
        switch pagination {
        case .automatic: break
        case .nextInBody(let path): places.append(path)
        case .token(let path, _): places.append(path)
        case .none, .linkHeader, .nextHeader, .number, .offset, .keyset: break
        }
        if case .body(let path) = total { places.append(path) }
        return places
    }
}
