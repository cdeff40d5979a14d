import GRDB
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

extension SyncEngine {
    /// Returns the requests that the next push would send, and sends nothing.
    ///
    /// Use it to look at the configuration of a service before anything is changed there. The store
    /// is copied, and not changed.
    ///
    /// ```swift
    /// for request in try await engine.plannedRequests() { print(request) }
    /// ```
    ///
    /// Objects are not read, so that changes of other clients are not considered. Reads and uploads
    /// of files are not among the requests, and changes that are sent in one request are listed one
    /// by one. Deletions that exceed the guard are marked. Changes that cannot be sent yet, that
    /// were rejected, that await a decision, or whose outcome is unknown are not among them: see
    /// ``Outbox/details(_:of:)``.
    ///
    /// - Parameter options: The options of the push. Defaults to the usual guard of deletions.
    /// - Returns: The requests, in the order in which they would be sent; empty if the store
    ///   records no local changes.
    /// - Throws: `ImportError` if a value cannot be written in a request; `RemoteError` if a path
    ///   leads to another origin; `DatabaseError` if the store cannot be copied.
    public func plannedRequests(
        with options: PushOptions = PushOptions()
    ) async throws -> [PlannedRequest] {
        let copy = try importer.store.temporaryCopy()
        let importer = importer.copy(for: copy)
        // It makes URLs, and sends nothing.
        let remote = Remote(
            configuration.service,
            over: configuration.transport,
            environment: environment,
            limits: limits
        )
        let (resources, environment) = (configuration.resources, environment)
        return try await copy.transaction(durability: .relaxed) { db in
            guard let capture = try Capture.of(db, copy.layout) else { return [] }
            try capture.collect()
            // As the run of a push does, by what the last pull has shown.
            try CaptureInstallation(for: resources, by: importer)?.chooseSides(db)
            try OutboxWriter(db: db, environment: environment).moveFutureTimes()
            let resources = try PushResources(
                resources,
                remote: remote,
                importer: importer,
                names: try importer.observedNames(db),
                links: try LinkRouting.read(db, for: resources, in: importer)
            ) { "«\($0)»" }
            let builder = RequestBuilder(
                reader: try StoreReader.prepare(db, in: copy),
                importer: importer,
                remote: remote,
                resources: resources,
                environment: environment
            )
            let approval = DeletionApproval(
                db: db,
                layout: copy.layout,
                environment: environment
            )
            _ = try approval.check(resources.deletingEntities, by: options.deletionGuard)
            return try builder.plannedRequests(at: environment.now())
        }
    }
}

extension RequestBuilder {
    /// Returns the requests for all changes that may be sent at a time.
    fileprivate func plannedRequests(at time: Date) throws -> [PlannedRequest] {
        let attempts = try StoredAttempts.read(reader.db)
        let changes = try reader.capturedChanges()
        var plan = PushPlan(
            try changes.map { change in
                let isSendable =
                    change.state == .pending && attempts.isOver(change.number, at: time)
                    && resources.resource(of: change.row.entity) != nil
                return try PlannedChange(
                    change,
                    isSendable: isSendable,
                    to: resources,
                    reader: reader
                )
            }
        )
        let numbered = Dictionary(
            changes.map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return try plan.takeAll().joined().compactMap { planned in
            guard let change = numbered[planned.number],
                let resource = resources.resource(of: change.row.entity),
                case .request(let sent) = try build(
                    change,
                    omitting: planned.omitted,
                    knowing: OutboxPush.KnownObject(isAssumed: true)
                )
            else { return nil }
            return PlannedRequest(
                row: change.row,
                kind: change.kind,
                properties: change.kind == .update
                    ? try reader.changedProperties(of: change).sorted() : [],
                method: sent.request.method,
                url: sent.url,
                isReadFirst: try isReadFirst(change, in: resource),
                needsApproval: attempts.awaitsApproval(change.number),
                body: sent.request.body.map { String(decoding: $0, as: UTF8.self) },
                forms: forms(in: sent.request, of: change)
            )
        }
    }

    /// Returns the forms of the values that a request contains.
    private func forms(in request: StoredRequest, of change: CapturedChange) -> [String: String] {
        guard let body = request.body else { return [:] }
        let text = String(decoding: body, as: UTF8.self)
        return resources.names(of: change.row.entity).described.filter { name, _ in
            JSONPath(name).names.allSatisfy { Int($0) != nil || text.contains("\"\($0)\":") }
        }
    }
}
