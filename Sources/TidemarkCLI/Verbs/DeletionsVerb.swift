import ArgumentParser
import Foundation
import GRDB
import TidemarkHTTPClient
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark deletions`.
struct DeletionsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deletions",
        abstract: "Approve or reject deletions that exceed the limits.",
        discussion: """
            A pull that would delete more than half of an entity's rows and more than 100, or all of ten or \
            more, keeps them until you approve the deletion. A row that the service lists again is \
            withdrawn from it.

            A push that would delete as many objects at the service sends none of these deletions, also if \
            they were made within an hour. Approve or reject them with --at-service.
            """,
        subcommands: [List.self, Approve.self, Reject.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the pending deletions, or the rows of one.",
            discussion: """
                With an entity or a path, each row that would be deleted is listed. Deletions here were \
                found by a pull; deletions at the service are local ones that a push has not sent.
                """
        )

        @Argument(help: "The entity or the path of a list.")
        var list: String?

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            let (importer, outbox) = (Importer(store), Outbox(store))
            let showsRows = list != nil || output.format == .json
            try store.writer.read { db in
                let all = try importer.pendingDeletions(db)
                let atService = try outbox.pendingServiceDeletions(db)
                    .filter { list == nil || $0.entity == list }
                let isNamed = list != nil && (atService.isEmpty || all.isNamed(list ?? ""))
                let chosen = try list.map { isNamed ? [try all.named($0)] : [] } ?? all
                try DeletionPrinter(output).print(
                    chosen.map { pending in
                        let rows = showsRows ? try Self.rows(of: pending, importer, db) : []
                        return ShownDeletion(pending, rows: rows)
                    },
                    atService: atService.map { pending in
                        let rows = showsRows ? try Self.rows(of: pending, outbox, db) : []
                        return ShownServiceDeletion(pending, rows: rows)
                    },
                    names: ResourceNames(of: all),
                    arguments: options.arguments
                )
            }
        }

        private static func rows(
            of pending: PendingServiceDeletion,
            _ outbox: Outbox,
            _ db: Database
        ) throws -> [ShownDeletion.Row] {
            try outbox.pendingServiceDeletions(db, of: pending.entity).map { change in
                ShownDeletion.Row(change.row, key: change.key?.text)
            }
        }

        private static func rows(
            of pending: PendingDeletion,
            _ importer: Importer,
            _ db: Database
        ) throws -> [ShownDeletion.Row] {
            let reader = try StoreReader.prepare(db, in: importer.store)
            return try importer.rowsOfPendingDeletion(db, pending.resource).map { reference in
                let entity = try importer.store.layout.entity(reference.entity)
                let key = try reader.key(of: reference.number, entity)
                return ShownDeletion.Row(reference, key: key?.text)
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the rows of a pending deletion.",
            discussion: """
                The service is checked first: rows that it has are kept. With --offline, or if neither \
                a configuration nor the store names a service, no request is sent; rows that a later \
                pull has received are kept nevertheless. With --at-service, the next push sends the \
                deletions; nothing is requested now.
                """
        )

        @OptionGroup var choice: DeletionChoice

        @OptionGroup var origin: SourceArgument

        @OptionGroup var side: DeletionSide

        @Flag(help: "Send no request to the service.")
        var offline = false

        @Flag(help: "Report what would be deleted, and change nothing.")
        var dryRun = false

        @OptionGroup var changes: ChangeOptions

        func validate() throws {
            try changes.validate(isDryRun: dryRun)
        }

        func run() async throws {
            guard !side.atService else { return try approveAtService() }
            try await Interruption.cancelling(consequence: "The store is unchanged.") {
                try await approve()
            }
        }

        private func approveAtService() throws {
            let store = try dryRun ? choice.store.openForReading() : choice.store.open()
            let pending = try DeletionSide.pending(choice.list, in: store)
            if !dryRun {
                // No row changes: they were deleted before.
                try store.write { writer in
                    try Outbox(store).approveDeletions(writer.db, of: pending.entity)
                }
            }
            try choice.output.print([ShownServiceDeletion(pending)]) {
                try Console.line(
                    "The next push \(dryRun ? "would delete" : "deletes") "
                        + "\(pending.count.counted("object")) of \(pending.entity) at the service."
                )
            }
        }

        private func approve() async throws {
            let changes = try changes.open()
            let store = choice.store.store
            guard !offline,
                let source = try ServiceSource.findKnown(
                    origin.source,
                    store: store ?? StoreOptions.inEnvironment,
                    headers: origin.fields()
                )
            else { return try approveOffline(changes) }
            try await AsyncHTTPClientTransport.run(limits: source.limits) { transport in
                let options = PullPlan.Options(
                    store: store,
                    isDryRun: dryRun,
                    mayCreate: false
                )
                let plan = try await PullPlan.prepare(
                    from: source,
                    options: options,
                    over: transport
                )
                let pending = try await plan.store.writer.read { db in
                    try Importer(plan.store).pendingDeletions(db).named(choice.list)
                }
                try await changes.recording(plan.store, sparing: plan.files) {
                    let report = try await plan.engine(over: transport)
                        .approveDeletion(of: pending.resource)
                    try ReportPrinter(choice.output).print(report.total)
                    if let failure = report.failures.first { throw plan.explained(failure) }
                }
            }
        }

        /// Deletes the pending rows according to the store alone, without a request.
        private func approveOffline(_ changes: ChangeLog) throws {
            let store =
                try dryRun
                ? choice.store.openForReading().temporaryCopy() : choice.store.open()
            let report = try changes.recording(store, sparing: choice.store.files()) {
                try approve(in: store)
            }
            try changes.withReport { try ReportPrinter(choice.output).print(report) }
        }

        private func approve(in store: Store) throws -> ImportReport {
            let importer = Importer(store)
            return try store.writer.write { db in
                let pending = try importer.pendingDeletions(db).named(choice.list)
                return try importer.approveDeletion(db, pending.resource)
            }
        }
    }

    struct Reject: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep the rows of a pending deletion.",
            discussion: """
                They are kept until the service lists them again, or until the deletion of other rows \
                exceeds the limits as well. `deletions approve` still deletes them. With --at-service, the \
                local deletions are discarded: the rows are there again.
                """
        )

        @OptionGroup var choice: DeletionChoice

        @OptionGroup var side: DeletionSide

        func run() throws {
            let store = try choice.store.open()
            guard !side.atService else { return try rejectAtService(store) }
            let importer = Importer(store)
            let kept = try store.writer.write { db in
                let pending = try importer.pendingDeletions(db).named(choice.list)
                try importer.rejectDeletion(db, pending.resource)
                return pending
            }
            try choice.output.print([ShownDeletion(kept)]) {
                try Console.line(
                    "The \(kept.rowCount.counted("row")) of \(kept.entity) will be kept."
                )
            }
        }

        private func rejectAtService(_ store: Store) throws {
            let pending = try DeletionSide.pending(choice.list, in: store)
            let count = try store.write { writer in
                try Outbox(store).rejectDeletions(writer.db, of: pending.entity)
            }
            try choice.output.print([ShownServiceDeletion(pending)]) {
                try Console.line("\(count.counted("row")) of \(pending.entity) are there again.")
            }
        }
    }
}

/// The option for the direction of a deletion.
struct DeletionSide: ParsableArguments {
    @Flag(help: "Decide about local deletions that a push has not sent.")
    var atService = false

    /// Returns the deletions of an entity at the service that await approval.
    ///
    /// - Throws: ``Failure`` if none do.
    static func pending(_ entity: String, in store: Store) throws -> PendingServiceDeletion {
        let all = try store.read { reader in try Outbox(store).pendingServiceDeletions(reader.db) }
        guard let pending = all.first(where: { $0.entity == entity }) else {
            let known = all.map(\.entity).joined(separator: ", ")
            throw Failure(
                .notFound,
                "No deletion of \(entity) at the service is pending. "
                    + (all.isEmpty ? "There are no such deletions." : "Pending: \(known).")
            )
        }
        return pending
    }
}

/// The arguments that select a pending deletion.
struct DeletionChoice: ParsableArguments {
    @Argument(help: "The entity or the path of the list.")
    var list: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions
}

extension [PendingDeletion] {
    /// Returns whether one of the deletions is that of a list.
    fileprivate func isNamed(_ name: String) -> Bool {
        ResourceNames(of: self).path(of: name) != nil
    }

    /// Returns the pending deletion of a list that is specified by its entity or its path.
    ///
    /// - Throws: ``Failure`` if nothing is pending for it, or if several lists have the entity.
    fileprivate func named(_ name: String) throws -> PendingDeletion {
        let names = ResourceNames(of: self)
        if let path = names.path(of: name), let pending = first(where: { $0.resource == path }) {
            return pending
        }
        let known = map { names.name(of: $0.resource) }.joined(separator: ", ")
        throw Failure(
            .notFound,
            "No deletion of \(name) is pending. "
                + (isEmpty ? "There are no pending deletions." : "Pending: \(known).")
        )
    }
}
