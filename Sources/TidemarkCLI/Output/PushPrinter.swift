import GRDB
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkSync

/// Prints what a push has done.
struct PushPrinter {
    private let output: OutputOptions
    private let plan: PullPlan

    init(_ output: OutputOptions, _ plan: PullPlan) {
        self.output = output
        self.plan = plan
    }

    /// Prints the report of a push.
    func print(_ report: PushReport) throws {
        try output.print(PushDocument(report)) {
            guard !output.quiet else { return }
            for line in lines(report) { try Console.line(line) }
        }
        try log(report)
    }

    /// Says on standard error what a user has to know, or to decide about.
    private func log(_ report: PushReport) throws {
        try logRejected()
        logOverruled(report)
        logMessages(report)
        logNotTaken(report)
        UnrecordedText.log(report.localChanges.unrecorded, of: plan.arguments)
    }

    /// Says where the changes are that a policy has given up.
    private func logOverruled(_ report: PushReport) {
        let count = report.total.overruled
        guard count > 0 else { return }
        Console.log(
            "\(count.counted("local change")) gave way to the service's: tidemark conflicts "
                + "list\(plan.arguments.local) shows what both were, and conflicts resolve takes the "
                + "local one."
        )
    }

    /// Quotes what the service has said about changes that it has accepted.
    private func logMessages(_ report: PushReport) {
        for message in report.messages.prefix(Self.mostShown) {
            Console.log(
                "The service has accepted the change of \(message.row), and says: \(message)"
            )
        }
        let rest = report.messages.count - Self.mostShown
        if rest > 0 { Console.log("It says more about \(rest.counted("other change")).") }
    }

    /// Says what the service has accepted without taking it.
    ///
    /// - Parameters:
    ///   - report: The report of a push, or what a pull has decided about earlier ones.
    ///   - isDryRun: Whether nothing was recorded.
    func logNotTaken(_ report: PushReport, isDryRun: Bool = false) {
        let count = report.total.notTaken
        if count > 0 {
            let record =
                isDryRun
                ? "the next pull records that"
                : "tidemark conflicts list\(plan.arguments.local) shows both"
            Console.log(
                "The service has accepted \(count.counted("local change")), and kept its own values: "
                    + "\(record)."
            )
        }
        for row in report.notShown.prefix(Self.mostShown) {
            Console.log(
                "Whether the service has taken the last change of \(row) is not known: three complete "
                    + "lists have not shown the changed properties."
            )
        }
    }

    /// Prints the report of a sync, or of a push between two syncs, which has pulled no list.
    func print(_ report: SyncReport) throws {
        if output.format == .text {
            guard !report.resources.isEmpty else { return try print(report.pushed) }
            if !output.quiet {
                for line in lines(report.pushed) { try Console.line(line) }
            }
        }
        try PullPrinter(output, arguments: plan.arguments)
            .print(report, pushed: PushDocument(report.pushed))
        try log(report.pushed)
    }

    /// Returns what a push has done, a line for each entity, and the local drafts.
    private func lines(_ report: PushReport) -> [String] {
        Self.lines(report)
            + OutboxPrinter.lines(drafts: report.localChanges.drafts, of: plan.arguments)
    }

    /// Returns what a push has done, a line for each entity.
    static func lines(_ report: PushReport) -> [String] {
        let lines = report.entities.sorted { $0.key < $1.key }.compactMap { entity, counts in
            let parts = [
                (counts.created, "created"), (counts.adopted, "adopted"),
                (counts.updated, "updated"), (counts.deleted, "deleted"),
                (counts.rejected, "rejected"),
                (counts.conflicted, "in conflict"), (counts.overruled, "overruled"),
                (counts.notTaken, "not taken"), (counts.uncertain, "uncertain"),
                (counts.postponed, "postponed"),
            ]
            let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            return shown.isEmpty ? nil : "\(entity): \(shown.joined(separator: ", "))"
        }
        return (lines.isEmpty ? ["Nothing was pushed."] : lines)
            + self.lines(unconfirmed: report.localChanges.unconfirmed)
    }

    /// Returns a line for each entity with changes that the service has accepted and not shown.
    static func lines(unconfirmed counts: [String: Int]) -> [String] {
        counts.sorted { $0.key < $1.key }.map { entity, count in
            "\(entity): \(count) unconfirmed: the service has accepted the changes, and the next sync "
                + "shows what it has taken."
        }
    }

    /// The most changes that messages name.
    private static let mostShown = 5

    /// Names changes that a user has to decide about, and the commands for that.
    private func logRejected() throws {
        let rejected = try plan.store.writer.read { db in
            try Outbox(plan.store).changes(db, in: .rejected)
        }
        for change in rejected.prefix(Self.mostShown) {
            let status = change.attempts.status.map { " (\($0))" } ?? ""
            var reason = change.attempts.reason.map { ": \($0)" } ?? ""
            if reason.hasSuffix(".") { reason.removeLast() }
            let subject =
                change.kind == .delete ? "The deletion of \(change.row)" : "\(change.row)"
            Console.log("\(subject) was rejected\(status)\(reason). \(remedy(for: change))")
        }
        if rejected.count > Self.mostShown {
            Console.log("Others were rejected, too: tidemark outbox list\(plan.arguments.local).")
        }
    }

    /// Returns what a user can do about a rejected change, in a sentence.
    private func remedy(for change: LocalChange) -> String {
        func command(_ verb: String, _ value: String = "") -> String {
            "tidemark outbox \(verb) '\(change.row)'\(value)\(plan.arguments.local)"
        }
        let discard = "discard it with \(command("discard"))"
        switch (change.kind, change.attempts.status) {
        case (.delete, _):
            return
                "Send it again with \(command("retry")), or \(discard): the row is restored then."
        case (.create, (200...299)?):
            // The service may have created an object that its response does not show.
            return
                "Name the object that it has created with \(command("adopt", " KEY")), correct the "
                + "row with tidemark update, or \(discard)."
        case (.update, 404?), (.update, 410?):
            // An edit does not help there.
            return
                "Run tidemark sync to see whether it was deleted, check the path of the list, or "
                + "\(discard)."
        case (.create, _), (.update, _):
            return "Correct it with tidemark update, or \(discard)."
        }
    }

    /// Throws a failure for what the service does not have.
    static func throwFailure(of report: PushReport, _ plan: PullPlan) throws {
        if let first = report.failures.min(by: { $0.key < $1.key }) {
            throw plan.explained(first.value)
        }
        var pending = report.localChanges.pendingServiceDeletions.map {
            DeletionPrinter.sentence($0, arguments: plan.arguments)
        }
        let last = pending.popLast()
        for sentence in pending { Console.log(sentence) }
        let left = try plan.store.writer.read { db in try Outbox(plan.store).changes(db) }
        if left.contains(where: { $0.state == .rejected }) {
            if let last { Console.log(last) }
            throw Failure(.data, "The service has rejected changes.")
        }
        if let last { throw Failure(.tryAgain, last) }
        if !left.isEmpty {
            throw Failure(
                .tryAgain,
                "Some changes are not pushed yet: tidemark outbox list\(plan.arguments.local) shows "
                    + "why."
            )
        }
        guard try plan.store.read({ reader in try reader.doubtedEdits }) == nil else {
            throw Failure(
                .tryAgain,
                "Edits may not have been recorded: tidemark sync compares all rows with the service."
            )
        }
    }
}

/// The report of a push in JSON.
struct PushDocument: Encodable {
    private let drafts: [String: Int]
    private let entities: [String: Counts]
    private let unconfirmed: [String: Int]
    private let notShown: [String]
    private let messages: [Message]
    private let failures: [String: String]
    private let unrecorded: UnrecordedText?
    private let pendingDeletions: [ShownServiceDeletion]

    private struct Counts: Encodable {
        let created: Int
        let adopted: Int
        let updated: Int
        let deleted: Int
        let rejected: Int
        let conflicted: Int
        let overruled: Int
        let notTaken: Int
        let uncertain: Int
        let postponed: Int
    }

    private struct Message: Encodable {
        let row: String
        let message: String?
        let fields: [String: [String]]
    }

    init(_ report: PushReport) {
        entities = report.entities.mapValues {
            Counts(
                created: $0.created,
                adopted: $0.adopted,
                updated: $0.updated,
                deleted: $0.deleted,
                rejected: $0.rejected,
                conflicted: $0.conflicted,
                overruled: $0.overruled,
                notTaken: $0.notTaken,
                uncertain: $0.uncertain,
                postponed: $0.postponed
            )
        }
        unconfirmed = report.localChanges.unconfirmed
        notShown = report.notShown.map { "\($0)" }
        messages = report.messages.map {
            Message(row: "\($0.row)", message: $0.text, fields: $0.fields)
        }
        failures = report.failures.mapValues { "\($0)" }
        drafts = report.localChanges.drafts
        unrecorded = report.localChanges.unrecorded.map { UnrecordedText($0) }
        pendingDeletions = report.localChanges.pendingServiceDeletions.map {
            ShownServiceDeletion($0)
        }
    }
}
