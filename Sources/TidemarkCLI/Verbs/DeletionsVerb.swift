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
            """,
        subcommands: [List.self, Approve.self, Reject.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the pending deletions, or the rows of one.",
            discussion: "With an entity or a path, each row that would be deleted is listed."
        )

        @Argument(help: "The entity or the path of a list.")
        var list: String?

        @OptionGroup var options: StoreOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let store = try options.openForReading()
            let importer = Importer(store)
            try store.writer.read { db in
                let all = try importer.pendingDeletions(db)
                let chosen = try list.map { [try all.named($0)] } ?? all
                let shown = try chosen.map { pending in
                    ShownDeletion(
                        pending,
                        rows: list == nil && output.format == .text
                            ? [] : try Self.rows(of: pending, importer, db)
                    )
                }
                try DeletionPrinter(output).print(
                    shown,
                    names: ResourceNames(of: all),
                    arguments: options.arguments
                )
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
                pull has received are kept nevertheless.
                """
        )

        @OptionGroup var choice: DeletionChoice

        @OptionGroup var origin: SourceArgument

        @Flag(help: "Send no request to the service.")
        var offline = false

        @Flag(help: "Report what would be deleted, and change nothing.")
        var dryRun = false

        @OptionGroup var changes: ChangeOptions

        func validate() throws {
            try changes.validate(isDryRun: dryRun)
        }

        func run() async throws {
            try await Interruption.cancelling(consequence: "The store is unchanged.") {
                try await approve()
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
                exceeds the limits as well. `deletions approve` still deletes them.
                """
        )

        @OptionGroup var choice: DeletionChoice

        func run() throws {
            let store = try choice.store.open()
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
