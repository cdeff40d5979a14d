import Foundation
import TidemarkInference
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkSync

/// Discovers the lists of a service of which only a URL is known, how to read them, and a model for
/// their objects.
struct ServiceDiscovery {
    /// The discovered service.
    private(set) var service: Service

    /// The discovered lists.
    private(set) var lists: [(entity: String, memory: RememberedList)] = []

    /// The messages for the user.
    private(set) var remarks: [String] = []

    private let given: PullAddress
    private let preset: String?
    private let transport: any Transport
    private let limits: Limits
    private let onRequest: (String) -> Void
    private var inference: ModelInference

    /// The entities of objects that were included with objects of other types, by type.
    private var others: [String: String] = [:]

    /// The keys in the linkage of relationships, by type.
    private var linkedKeys: [String: Set<String>] = [:]

    /// Discovers the list at a URL, or all lists to which the document at the URL links.
    ///
    /// - Parameters:
    ///   - given: The URL.
    ///   - preset: The preset of the service; nil to recognize it from the first response.
    ///   - transport: Sends the requests.
    ///   - limits: The limits of responses and of the model.
    ///   - onRequest: Called with each URL before it is requested.
    /// - Returns: The discovered lists.
    /// - Throws: `RemoteError`; ``Failure`` if there is no list, or no list that can be read.
    static func run(
        for given: PullAddress,
        preset: String?,
        over transport: some Transport,
        limits: Limits,
        onRequest: @escaping (String) -> Void
    ) async throws -> ServiceDiscovery {
        var discovery = ServiceDiscovery(
            given,
            preset: preset,
            transport: transport,
            limits: limits,
            onRequest: onRequest
        )
        try await discovery.examineAddress()
        return discovery
    }

    private init(
        _ given: PullAddress,
        preset: String?,
        transport: any Transport,
        limits: Limits,
        onRequest: @escaping (String) -> Void
    ) {
        self.given = given
        self.preset = preset
        self.transport = transport
        self.limits = limits
        self.onRequest = onRequest
        inference = ModelInference()
        service = given.service(at: given.url, preset: preset ?? "rest")
    }

    private mutating func examineAddress() async throws {
        let response = try await sample(given.url)
        if let links = response.links(of: service) {
            try await examine(links)
        } else {
            guard let found = try await examine(response, at: given.url, below: nil) else {
                throw Self.noObjects(given.url)
            }
            service = found
        }
    }

    /// Returns the resources of the discovered lists.
    func resources() throws -> [RemoteResource] {
        try lists.map { try $0.memory.resource($0.entity, of: given) }
    }

    /// Returns the model that was inferred from all samples, with annotations that record how to
    /// read the lists.
    mutating func model() throws -> Model {
        let listed = lists.compactMap { $0.memory.options[.type] }
        let linked = try inference.add(
            linkedKeys: linkedKeys,
            except: Set(listed).union(others.keys)
        )
        others.merge(linked) { first, _ in first }
        let inferred = try inference.result()
        remarks += inferred.notes.filter(\.needsReview).map(\.description)
        return try inferred.model(
            of: lists.map { entity, memory in
                InferredModel.Source(
                    entity: entity,
                    path: memory.path,
                    annotations: memory.annotations
                )
            },
            types: others,
            linked: Set(linked.values)
        )
    }

    // MARK: Discovery

    private func sample(_ url: URL) async throws -> SampleResponse {
        onRequest(url.shown)
        return try await Remote(service, over: transport, environment: .live, limits: limits)
            .sample(at: url)
    }

    private mutating func examine(_ links: [URL]) async throws {
        guard links.count <= InferenceLimits().entities else {
            throw Failure(
                .data,
                "\(given.url.shown) leads to \(links.count) lists, more than a model is inferred from "
                    + "(\(InferenceLimits().entities)). Pull some of them alone."
            )
        }
        for url in links {
            do {
                guard try await examine(sample(url), at: url, below: given.url) == nil else {
                    continue
                }
                remarks.append(
                    "\(url.shown) is left out: it has no objects that tell what they are. Once it "
                        + "has some, pull into a new store."
                )
            } catch let error as RemoteError where error.isLasting {
                remarks.append("\(url.shown) is left out: \(error)")
            } catch let failure as Failure {
                remarks.append("\(url.shown) is left out: \(failure.message)")
            }
        }
        guard !lists.isEmpty else {
            throw Failure(.data, "\(given.url.shown) leads to no list that can be read.")
        }
    }

    /// Examines a list whose first response has been received.
    ///
    /// Returns its service, or nil if the list is empty.
    private mutating func examine(
        _ response: SampleResponse,
        at url: URL,
        below root: URL?
    ) async throws -> Service? {
        let recognition = try recognize(response, at: url)
        let bare = given.service(at: url, preset: recognition.preset)
        // The entity gets its name from a path component: `articles` in `articles/3`, where `3` is
        // the key of the object, but the last component in `settings`.
        let isKeyed =
            recognition.isObject && response.hasValue(url.lastPathComponent, at: recognition.list)
        let template = isKeyed ? "{collection}/{key}" : recognition.isObject ? "{name}" : bare.path
        guard let split = url.split(like: template) else { return nil }
        let base = root ?? split.base
        let path = root.map { url.path(below: $0) } ?? split.path
        var memory = RememberedList(
            service: base,
            preset: recognition.preset,
            path: path,
            options: recognition.options,
            headers: given.headers ?? HeaderFields()
        )
        memory.secrets = given.secretNames
        let service = given.service(at: base, preset: recognition.preset)
        // In `collections/films/records`, the second component names the objects.
        let isNamedLast = !isKeyed && split.path.hasPrefix(split.word)
        let source = isNamedLast ? url : split.base.appending(path: split.word)
        let found = try await inference.add(
            pagesOf: memory.resource("", of: given),
            from: Remote(service, over: transport, environment: .live, limits: limits),
            source: source
        )
        guard found.count > 0 else { return nil }
        let entity = found.entity
        memory.options[.type] = found.type
        others.merge(found.others) { first, _ in first }
        linkedKeys.merge(found.linkedKeys) { $0.union($1) }
        guard !lists.contains(where: { $0.entity == entity }) else {
            throw Failure(.data, "another list has objects that are called \(entity), too.")
        }
        lists.append((entity, memory))
        return service
    }

    /// Returns the configuration of the single list in a response.
    private func recognize(_ response: SampleResponse, at url: URL) throws -> RecognizedList {
        if let preset { return RecognizedList(preset: preset) }
        guard !response.isEmptyList else { throw Self.noObjects(url) }
        var inference = ModelInference()
        var found = try inference.add(response.document, from: url.absoluteString)
        if let envelope = given.lists?[.envelope] {
            found.removeAll { ($0.keyPath ?? "none") != envelope }
        }
        guard found.count == 1, let list = found.first else {
            let names = found.compactMap(\.keyPath).joined(separator: ", ")
            throw Failure(
                .data,
                "\(url.shown) has several lists: \(names). Say in a tidemark.yml which is whose."
            )
        }
        if let table = response.table, table.rows > list.count || list.keyPath == nil {
            throw Failure(
                .data,
                "\(url.shown): “\(table.name)” contains arrays (\(table.rows)), and objects are "
                    + "expected. Request them as objects, if the service has a parameter for it."
            )
        }
        if let sign = response.envelopeSign(besides: JSONPath(list.keyPath ?? "").names) {
            throw Failure(
                .data,
                "\(url.shown) says that a list in it has more objects (\(sign)). Write a tidemark.yml "
                    + "with the path of that list as envelope."
            )
        }
        if response.isObject(at: list.keyPath) {
            let model = try inference.result().model
            guard let entity = model[list.entity], !model.primaryKey(of: entity).isEmpty else {
                throw Failure(
                    .data,
                    "\(url.shown) is one object without a member that is certainly its primary key."
                )
            }
        }
        return try RecognizedList(
            response,
            list: list.keyPath,
            count: list.count,
            lists: given.lists
        )
    }

    private static func noObjects(_ url: URL) -> Failure {
        Failure(
            .data,
            "\(url.shown) has no objects: the list is empty, so no model can be inferred. Write a "
                + "model and a tidemark.yml."
        )
    }
}

extension SampleResponse {
    /// Returns the URLs in the document if it is only an index of the service: an object whose
    /// members are all URLs of the same origin.
    ///
    /// Returns nil otherwise.
    fileprivate func links(of service: Service) -> [URL]? {
        document.withRoot { root in
            guard root.kind == .object else { return nil }
            var links: [URL] = []
            for (_, value) in root.members {
                guard value.kind == .string, let link = URL(string: value.string),
                    let origin = Origin(link),
                    origin == Origin(url) || origin == Origin(service.url)
                else { return nil }
                links.append(service.withoutSecrets(link))
            }
            return links.isEmpty ? nil : links
        }
    }
}

extension URL {
    /// Returns the path of the URL relative to a base URL, or the absolute URL if it is outside the
    /// base URL.
    fileprivate func path(below base: URL) -> String {
        var start = base.absoluteString.prefix { $0 != "?" }
        while start.hasSuffix("/") { start = start.dropLast() }
        let whole = absoluteString
        guard whole.hasPrefix(start + "/"), whole.count > start.count + 1 else { return whole }
        return String(whole.dropFirst(start.count + 1))
    }
}

extension RemoteError {
    /// Whether the same request would fail again with the same error.
    ///
    /// A temporary error fails the discovery instead, so that no list is missing from the model by
    /// accident.
    fileprivate var isLasting: Bool {
        [.notFound, .unauthorized, .noList, .notJSON, .clientError].contains(code)
    }
}
