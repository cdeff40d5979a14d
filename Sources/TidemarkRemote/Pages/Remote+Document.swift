import HTTPTypes
import TidemarkJSON
import TidemarkModel

extension Remote {
    // MARK: Checks

    /// Checks that the status is 2xx and the response is complete.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isPage: Whether it may be a part of a list, of which it names the rest.
    /// - Throws: ``RemoteError`` with the message of the service, read from the first 64 KiB of the
    ///   body.
    func expectSuccess(_ response: TransportResponse, isPage: Bool = false) async throws {
        guard response.head.status.kind == .successful else {
            let message = ServiceMessage.inBody(
                try await response.beginning(64 << 10),
                hiding: service.secrets(of: response.request)
            )
            throw RemoteError.status(
                response,
                message: message,
                environment: environment,
                limits: limits
            )
        }
        let isRange = response.head.headerFields[.contentRange] != nil
        guard response.head.status != .partialContent || isPage && isRange else {
            throw RemoteError.partial(response.request)
        }
    }

    /// Checks that a body is JSON, by its media type or else by its first byte.
    ///
    /// An empty body is not an empty list: rows would be deleted without proof.
    func expectJSON(_ response: TransportResponse, beginningWith bytes: [UInt8]) throws {
        guard let first = bytes.first(where: { !Self.whitespace.contains($0) }) else {
            throw notJSON(response, but: "nothing")
        }
        // RFC 9110, 8.3: a recipient may examine the content only if the type is missing.
        guard let type = response.mediaType else {
            guard Self.firstBytes.contains(first) else {
                throw notJSON(response, but: "something that is not JSON")
            }
            return
        }
        guard Self.isJSON(type) else {
            let secrets = service.secrets(of: response.request)
            let shown = response.mediaType(hiding: secrets) ?? type
            throw notJSON(response, but: type == "text/html" ? "a web page (HTML)" : shown)
        }
    }

    private func notJSON(_ response: TransportResponse, but content: String) -> RemoteError {
        let status = response.head.status.code
        let shown = ServiceMessage.oneLine(content, limit: 100)
        return RemoteError(
            .notJSON,
            "\(response.request.label) returned \(status) with \(shown), not with JSON.",
            hint: response.head.status == .noContent
                ? "If the service has no objects, write `empty: 204` for this list."
                : "Check the service's URL and the path; the response may be a sign-in page.",
            status: status
        )
    }

    /// Returns whether a media type is JSON.
    static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    static let whitespace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let firstBytes = Set("{[\"-0123456789tfn\u{FEFF}".utf8)

    // MARK: Documents

    /// Reads the document of a successful response into memory.
    func document(
        of response: TransportResponse,
        in context: ResponseContext,
        limit: Int
    ) async throws -> JSONDocument {
        try await expectSuccess(response)
        let bytes = try await response.collect(upTo: limit)
        try expectJSON(response, beginningWith: bytes)
        return try document(bytes, in: context)
    }

    private func document(_ bytes: [UInt8], in context: ResponseContext) throws -> JSONDocument {
        do {
            return try JSONDocument(bytes, limits: limits.json)
        } catch {
            throw context.invalidJSON(error)
        }
    }

    /// Returns a page without objects, for a response whose status alone means an empty list.
    func emptyPage(for request: PageRequest, in context: ResponseContext) throws -> Page {
        let document = try document(Array("[]".utf8), in: context)
        var reader = MetadataReader(
            self,
            of: request,
            in: context,
            members: DocumentMembers(document),
            items: ItemSummary(of: request.resource.style, in: context.headers)
        )
        return Page(
            request: request,
            document: document,
            metadata: try reader.metadata(),
            envelope: [],
            limits: limits,
            context: context
        )
    }

    /// Reads a page whose body is in memory.
    func page(
        for request: PageRequest,
        from bytes: [UInt8],
        in context: ResponseContext
    ) throws -> Page {
        let document = try document(bytes, in: context)
        let members = DocumentMembers(document)
        let envelope = request.resource.style.path(in: members)
        if let name = members.repeatedMember(around: envelope) {
            throw context.noList("“\(name)” occurs twice; which of the two is meant is unknown")
        }
        var items = ItemSummary(of: request.resource.style, in: context.headers)
        items.add(listAt: envelope, in: document)
        var reader = MetadataReader(self, of: request, in: context, members: members, items: items)
        return Page(
            request: request,
            document: document,
            metadata: try reader.metadata(),
            envelope: envelope,
            limits: limits,
            context: context
        )
    }

    // MARK: Streams

    /// Returns a page whose body is too long to be held in memory.
    func streamedPage(
        for request: PageRequest,
        from response: TransportResponse,
        in context: ResponseContext
    ) throws -> StreamedPage {
        // A response that announces too many bytes is rejected before they are transferred.
        if let announced = response.announcedLength, announced > limits.http.bodyBytes {
            throw RemoteError.tooLarge(context.label, limit: limits.http.bodyBytes)
        }
        // Checks the media type alone: the reader validates every byte of a long body.
        try expectJSON(response, beginningWith: Array("[".utf8))
        let first = response.body.beginning.first { !Self.whitespace.contains($0) }
        return StreamedPage(
            request: request,
            body: response.body,
            isList: first == UInt8(ascii: "["),
            context: context
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
    package func metadata(
        of page: StreamedPage,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (metadata: PageMetadata, offset: Int) {
        let style = page.request.resource.style
        var items = JSONItemReader(
            root: JSONPath(page.isList ? style.envelope.pathInArray : style.envelope.path),
            limits: limits.json,
            remembering: style.rememberedPaths.map(JSONPath.init),
            members: style.describingObjects.map(JSONPath.init),
            read: read
        )
        var summary = ItemSummary(of: style, in: page.context.headers)
        do {
            // Which object is the last one is known only after it was read.
            while try items.next({
                summary.add($0)
                summary.end(with: $0)
            }) {}
        } catch let error as JSONError {
            throw page.context.invalidJSON(error)
        } catch let error as JSONItemsError {
            throw page.context.noList("\(error)", underlying: error)
        }
        guard let offset = items.listOffset else { throw page.context.noList("it is one object") }
        var reader = MetadataReader(
            self,
            of: page.request,
            in: page.context,
            members: DocumentMembers(items.remembered),
            items: summary
        )
        return (try reader.metadata(), offset)
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
        var items = JSONItemReader(root: [path], limits: limits.json, read: read)
        var count = 0
        do {
            while try items.next({ _ in count += 1 }) {}
        } catch let error as JSONItemsError {
            guard error.reason == .repeated else { return nil }
            throw page.context.noList("\(error)", underlying: error)
        }
        return items.listOffset.map { ($0, count) }
    }
}

extension TransportResponse {
    /// The media type without its parameters, in lowercase; nil if the response names none.
    var mediaType: String? { head.headerFields.mediaType }

    /// Returns the media type without the secrets of the request, to be shown or stored.
    ///
    /// They are hidden before the letters are changed, which would hide them from the search.
    func mediaType(hiding secrets: SecretMask) -> String? {
        head.headerFields[.contentType].map { HTTPFields.mediaType(in: secrets.hiding(in: $0)) }
    }
}

extension HTTPFields {
    /// The media type without its parameters, in lowercase; nil if the fields name none.
    var mediaType: String? { self[.contentType].map(Self.mediaType) }

    fileprivate static func mediaType(in field: String) -> String {
        field.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
}

extension ResourceStyle {
    /// The paths of the objects whose members may say how a list continues.
    fileprivate var describingObjects: [[String]] {
        pagination == .automatic ? PaginationEvidence.Names.containers(of: envelope.path) : []
    }

    /// The paths of the members, besides the objects, that the reader of a stream must remember.
    fileprivate var rememberedPaths: [[String]] {
        var paths = PaginationEvidence.Names.paths(of: envelope.path)
        switch pagination {
        case .nextInBody(let path), .token(let path, _): paths.append(path)
        case .automatic, .none, .linkHeader, .nextHeader, .headerToken, .number, .offset, .keyset:
            break
        }
        if case .body(let path) = total { paths.append(path) }
        if let path = delta.markPath { paths.append(path) }
        return paths
    }
}
