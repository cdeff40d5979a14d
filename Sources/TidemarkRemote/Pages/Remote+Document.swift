import HTTPTypes
import TidemarkJSON
import TidemarkModel

extension Remote {
    /// Checks that the status is 2xx and the response is complete.
    ///
    /// - Throws: ``RemoteError`` with the message of the service, read from the first 64 KiB of the
    ///   body.
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

    /// Checks that a body is JSON, by its media type or else by its first byte.
    ///
    /// An empty body is not an empty list: rows would be deleted without proof.
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
            "\(response.request.label) returned \(status) with \(shown), not with JSON.",
            hint: "Check the service's URL and the path; the response may be a sign-in page.",
            status: status
        )
    }

    private static func mediaType(_ field: String) -> String {
        field.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let bracket = UInt8(ascii: "[")
    private static let beginnings = Set("{[\"-0123456789tfn\u{FEFF}".utf8)

    /// Returns a page whose body is too long to be held in memory.
    func long(
        _ request: PageRequest,
        _ target: PageTarget,
        _ response: TransportResponse
    ) throws -> StreamedPage {
        // A response that announces too many bytes is rejected before they are transferred.
        if let announced = response.announcedLength, announced > limits.bodyBytes {
            throw RemoteError.tooLarge(response.request, limit: limits.bodyBytes)
        }
        // Checks the media type alone: the reader validates every byte of a long body.
        try checkJSON(response, Array("[".utf8))
        return StreamedPage(
            request: request,
            body: response.body,
            head: ResponseContext(response),
            isList: response.body.beginning.first { !Self.blanks.contains($0) } == Self.bracket,
            target: target
        )
    }

    /// Reads the metadata of a streamed page, once all of its bytes were received.
    ///
    /// The whole body is validated before any of it is imported, so that a truncated or invalid
    /// document changes nothing.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - read: Reads the next bytes of the body into a buffer and returns their number, 0 at the
    ///     end.
    /// - Returns: The metadata, and the offset in the body at which the list of objects can be
    ///   read.
    /// - Throws: ``RemoteError`` if the body is not valid JSON or contains no list, and errors of
    ///   `read`.
    public func facts(
        of page: StreamedPage,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (facts: PageMetadata, offset: Int) {
        let style = page.request.resource.style
        var items = JSONItemReader(
            root: page.isList ? nil : style.envelope.root,
            limits: limits.json,
            remembering: style.places,
            read: read
        )
        var trace = ItemTrace(style, page.head.headers)
        do {
            // Which object is the last one is known only after it was read.
            while try items.next({
                trace.add($0)
                trace.end(with: $0)
            }) {}
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

    /// Finds the related objects that a streamed page includes, such as `included` in JSON:API.
    ///
    /// - Parameters:
    ///   - page: The page, which was validated before.
    ///   - read: Reads the next bytes of the body into a buffer and returns their number, 0 at the
    ///     end.
    /// - Returns: The offset in the body at which the objects can be read, and their number; nil if
    ///   the page includes none.
    /// - Throws: ``RemoteError`` if the member occurs twice, and errors of `read`.
    package func companions(
        of page: StreamedPage,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (offset: Int, count: Int)? {
        guard let path = page.request.resource.style.objects.included, !page.isList else {
            return nil
        }
        var items = JSONItemReader(root: path, limits: limits.json, read: read)
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
    /// The path of the list with dots, as `JSONItemReader` expects it; nil for the document itself.
    package var root: String? {
        switch self {
        case .none: nil
        case .keyPath(let path): path.joined(separator: ".")
        }
    }
}

extension ListStyle {
    /// The paths of the members, besides the objects, that a reader must remember.
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
