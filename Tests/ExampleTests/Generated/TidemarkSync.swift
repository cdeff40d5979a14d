// The examples in the documentation comments of TidemarkSync, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkSync/Assets/Assets+Download.swift
private func Assets_Download_1() async throws {
    let report = try await engine.assets.download("photo", of: "Note")
    for (url, error) in report.failures { print(url, error) }
}

// Sources/TidemarkSync/Assets/Assets+Download.swift
private func Assets_Download_2() async throws {
    _ = try await engine.sync()
    _ = try await engine.assets.download("photo", of: "Note")
}

// Sources/TidemarkSync/Assets/Assets+Prune.swift
private func Assets_Prune_1() async throws {
    try await engine.assets.prune(keeping: 200 << 20)    // 200 MiB
}

// Sources/TidemarkSync/Assets/Assets.swift
private func Assets_1() async throws {
    let photo = try await engine.assets.put(Data(body), type: "image/png")
    try await store.write { writer in
        _ = try writer.insert("Note", values: ["photo": .uri(photo.absoluteString)])
    }
    _ = try await engine.sync()    // uploads the photo, then the note with its URL
    let file = try await engine.assets.file(for: photo)
}

// Sources/TidemarkSync/Assets/Assets.swift
private func Assets_2() async throws {
    let note = try await store.read { try $0.record(RecordLocator("Note:7")) }
    if case .uri(let address) = note["photo"], let url = URL(string: address) {
        let file = try await engine.assets.file(for: url)
        print(file.path)
    }
}

// Sources/TidemarkSync/Assets/Assets.swift
private func Assets_3() async throws {
    let recording = try await engine.assets.put(URL(filePath: "memo.m4a"))
}

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_1() async throws {
    var options = PullOptions()
    options.only = ["Article", "Author"]
    options.deletionGuard = DeletionGuard(share: 0.1, rows: 20)
    let report = try await engine.pull(with: options)
}

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_2() async throws {
    var options = PullOptions()
    options.isFull = true
    let report = try await engine.pull(with: options)
    print(report.bytes)
}

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_3() throws {
    var options = PullOptions()
    options.deletionGuard = nil    // delete whatever the service does not list
}

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_4() throws {
    var options = PullOptions()
    options.importing.invalid = .null
}

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_5() async throws {
    let report = try await engine.pull(with: PullOptions(only: ["Article"]))
}

// Sources/TidemarkSync/Engine/SyncEngine+Adopt.swift
private func SyncEngine_Adopt_1() async throws {
    let note = try RecordLocator("Note#3")
    if let left = try await engine.adopt(note, key: 12) {
        print(left.properties)    // what was edited since, and is sent by the next push
    }
}

// Sources/TidemarkSync/Engine/SyncEngine+Deletions.swift
private func SyncEngine_Deletions_1() async throws {
    func isConfirmed<Deletion>(_ pending: Deletion) -> Bool { true }
    for pending in report.pendingDeletions where !pending.isRejected && isConfirmed(pending) {
        let report = try await engine.approveDeletion(of: pending.resource)
        print(report.total.entities[pending.entity]?.deleted ?? 0)
    }
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_1() async throws {
    let engine = try await SyncEngine.prepare(
        store: store,
        service: .rest(url: url),
        entities: User.self, Note.self,
        transport: URLSessionTransport()
    )
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_2() async throws {
    let report = try await engine.pull(User.self)
    print(report[User.self].inserted)
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_3() async throws {
    let report = try await engine.sync(User.self, Note.self)
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_4() throws {
    let resources = [service.resource(of: User.self), service.resource(of: Note.self)]
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_5() throws {
    let latest = service.resource(User.self, path: "users?sort=-created_at")
}

// Sources/TidemarkSync/Engine/SyncEngine+Entities.swift
private func SyncEngine_Entities_6() async throws {
    let report = try await engine.sync()
    print(report[User.self].inserted, report[Note.self].deleted)
}

// Sources/TidemarkSync/Engine/SyncEngine+PlannedRequests.swift
private func SyncEngine_PlannedRequests_1() async throws {
    for request in try await engine.plannedRequests() { print(request) }
}

// Sources/TidemarkSync/Engine/SyncEngine+Prepare.swift
private func SyncEngine_Prepare_1() async throws {
    var service = Service.rails(url: url)
    service.push = .rails
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [
            service.resource("Post", path: "posts"),
            service.resource("Comment", path: "posts/{post}/comments"),
        ],
        transport: URLSessionTransport(),
        account: "ada@example.com",
        conflicts: ConflictPolicies(default: .localWins),
        logger: Logger(label: "sync")
    )
}

// Sources/TidemarkSync/Engine/SyncEngine+Push.swift
private func SyncEngine_Push_1() async throws {
    let pushed = try await engine.push()
    print(pushed.entities["Note"]?.rejected ?? 0, "rejected")
}

// Sources/TidemarkSync/Engine/SyncEngine+Push.swift
private func SyncEngine_Push_2() async throws {
    let report = try await engine.sync()
    print(report.pushed.entities, report.total)
}

// Sources/TidemarkSync/Engine/SyncEngine+Schedule.swift
private func SyncEngine_Schedule_1() async throws {
    let syncing = Task { try await engine.run(.every(.seconds(300))) }
    // When the app goes to the background:
    syncing.cancel()    // the next pull resumes at the page that was reached
}

// Sources/TidemarkSync/Engine/SyncEngine+Schedule.swift
private func SyncEngine_Schedule_2() async throws {
    // The app comes to the front, a push arrives, the network is back:
    await engine.requestSync()
}

// Sources/TidemarkSync/Engine/SyncEngine+Verify.swift
private func SyncEngine_Verify_1() async throws {
    let verification = try await engine.verify()
    for difference in verification.differences.rows {
        print(difference.row, difference.properties)
    }
}

// Sources/TidemarkSync/Engine/SyncEngine+Verify.swift
private func SyncEngine_Verify_2() async throws {
    let report = try await engine.dryRunEngine().pull()
    print(report.total.entities["Article"]?.deleted ?? 0, "rows would be deleted.")
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_1() async throws {
    let service = Service.rest(url: url)
    let engine = try await SyncEngine.prepare(
        store: store, service: service,
        resources: [service.resource("Film", path: "films")],
        transport: URLSessionTransport())
    let report = try await engine.pull()
    print(report)
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_2() async throws {
    let file = try await engine.assets.file(for: url)
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_3() throws {
    for warning in engine.warnings { logger.warning("\(warning)") }
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_4() async throws {
    let observation = Task {
        for await case .failed(let resource, let error) in engine.events() {
            logger.error("\(resource): \(error)")
        }
    }
    try await engine.run(.every(.seconds(600)))
    observation.cancel()
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_5() async throws {
    let report = try await engine.pull(with: PullOptions(only: ["Article"]))
    for failure in report.failures { print(failure) }
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_6() async throws {
    let pull = engine.startPull()
    var progress = SyncProgress()
    for await event in pull.events {
        progress.update(with: event)
        print(progress.fraction)
    }
    let report = try await pull.value
}

// Sources/TidemarkSync/Engine/SyncPull.swift
private func SyncPull_1() async throws {
    let pull = engine.startPull()
    for await event in pull.events {
        if case .retrying(let delay, _) = event, delay > .seconds(20) { pull.cancel() }
    }
    let result = await Task { try await pull.value }.result
}

// Sources/TidemarkSync/Engine/SyncPull.swift
private func SyncPull_2() async throws {
    for await case .pulled(let resource, let counts) in engine.startPull().events {
        print(resource, counts.inserted, counts.updated, counts.deleted)
    }
}

// Sources/TidemarkSync/Engine/SyncPull.swift
private func SyncPull_3() async throws {
    let pull = engine.startPull()
    do {
        print(try await pull.value)
    } catch is CancellationError {
        print("Cancelled: the next pull resumes.")
    }
}

// Sources/TidemarkSync/Engine/SyncPull.swift
private func SyncPull_4() async throws {
    let isOnCellular = true
    let pull = engine.startPull()
    for await case .page(_, _, let expected?) in pull.events where expected > 10_000 {
        if isOnCellular { pull.cancel() }
    }
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_1() async throws {
    var schedule = SyncSchedule.every(.seconds(300))
    schedule.debounce = .seconds(2)
    schedule.pushDebounce = .seconds(10)
    try await engine.run(schedule)    // until the task is cancelled
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_2() async throws {
    var schedule = SyncSchedule.every(.seconds(900))
    schedule.pushDebounce = nil    // 4 syncs an hour, to save energy
    try await engine.run(schedule)
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_3() async throws {
    let syncing = Task { try await engine.run(.manual) }
    await engine.requestSync()
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_4() async throws {
    let syncing = Task { try await engine.run(.every(.seconds(900))) }
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_5() async throws {
    let syncing = Task { try await engine.run(.debounced(by: .seconds(3))) }
    for _ in 1...5 { await engine.requestSync() }    // one pull
}

// Sources/TidemarkSync/Observability/LocalChangeSummary.swift
private func LocalChangeSummary_1() throws {
    let left = try SyncStatus.of(store).localChanges
    print(left.unpushed.map(\.count).reduce(0, +), "changes are not pushed yet")
}

// Sources/TidemarkSync/Observability/LocalChangeSummary.swift
private func LocalChangeSummary_2() async throws {
    let pushed = try await engine.push()
    for pending in pushed.localChanges.pendingServiceDeletions {
        print(pending)    // Note: 300 of 300 objects would be deleted at the service.
    }
}

// Sources/TidemarkSync/Observability/Store+Live.swift
private func Store_Live_1() async throws {
    for try await films in store.live(Film.sorted(by: \.episode)) {
        print(films.map(\.title))
    }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_1() async throws {
    let pull = engine.startPull()
    for await case .page(let resource, let done, let expected) in pull.events {
        print(resource, done, expected ?? done)
    }
    print(try await pull.value)
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_2() async throws {
    let pull = engine.startPull()
    for await case .page(let list, let done, let expected?) in pull.events {
        print("\(list): \(done) of \(expected)")    // films: 60 of 82
    }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_3() async throws {
    func ask(_ question: String) {}
    for await case .deletionPending(let pending) in engine.events() {
        ask("Delete \(pending.rowCount) rows of \(pending.entity)?")
        // then engine.approveDeletion(of: pending.resource)
    }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_4() async throws {
    for await case .adopted(let row, let key) in engine.events() { print(row, key.parts) }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_5() async throws {
    for await case .rejected(let change) in engine.events() {
        print(change.row, change.attempts.reason ?? "", change.attempts.fieldErrors)
    }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_6() async throws {
    func ask(_ question: String) {}
    for await case .serviceDeletionPending(let pending) in engine.events() {
        ask("Delete \(pending.count) of \(pending.known) objects of \(pending.entity)?")
        // then Outbox.approveDeletions or rejectDeletions
    }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_7() async throws {
    for await case .editsUnrecorded(let edits) in engine.events() { print(edits.causes) }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_8() async throws {
    for await case .storeCopied(let creations) in engine.events() { print(creations) }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_9() async throws {
    for await case .versionsFail(let resource) in engine.events() { print(resource) }
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_10() async throws {
    for await case .orderNotSent(let relationship) in engine.events() { print(relationship) }
}

// Sources/TidemarkSync/Observability/SyncFailure.swift
private func SyncFailure_1() async throws {
    do {
        let report = try await engine.pull()
        print(report)
    } catch let failure as SyncFailure {
        // The service is offline, or rejects the credentials.
        for (path, error) in failure.errors { print(path, error) }
    }
}

// Sources/TidemarkSync/Observability/SyncFailure.swift
private func SyncFailure_2() throws {
    func signIn() {}
    let statuses = failure.errors.values.compactMap { ($0 as? RemoteError)?.status }
    if statuses.contains(401) { signIn() }
}

// Sources/TidemarkSync/Observability/SyncProgress.swift
private func SyncProgress_1() async throws {
    var progress = SyncProgress()
    for await event in engine.events() {
        progress.update(with: event)
        print(progress.fraction)    // 0.0 … 1.0
    }
}

// Sources/TidemarkSync/Observability/SyncProgress.swift
private func SyncProgress_2() async throws {
    let pull = engine.startPull()
    var progress = SyncProgress()
    for await event in pull.events {
        progress.update(with: event)
        print("\(Int(progress.fraction * 100)) %")
    }
}

// Sources/TidemarkSync/Observability/SyncReport+Description.swift
private func SyncReport_Description_1() throws {
    print(report)
    // films: complete; 82 objects on 9 pages, 0 unmodified pages; …
    // 9 requests, 61320 bytes, 0.84 seconds
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_1() async throws {
    let report = try await engine.pull().get()
    print(report)
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_2() throws {
    for (path, resource) in report.resources where resource.ending != .unchanged {
        print(path, resource.imported.entities[resource.entity]?.updated ?? 0)
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_3() throws {
    for references in report.unresolvedReferences where !references.isListed {
        logger.warning("\(references)")    // a resource is missing in the configuration
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_4() throws {
    for pending in report.pendingDeletions where !pending.isRejected {
        print("\(pending.resource): \(pending.rowCount) rows are no longer listed.")
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_5() async throws {
    let report = try await engine.sync()
    if report.pushed.hasPushed { print(report.pushed.entities) }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_6() async throws {
    do {
        try await engine.pull().get()
    } catch let failure as SyncFailure {
        print(failure)    // 1 of 3 resources could not be pulled. …
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_7() throws {
    let inconsistent = report.resources.filter { $0.value.ending == .inconsistent }
    print(inconsistent.keys.sorted())    // lists that need a stable order
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_8() async throws {
    let total = try await engine.pull().total
    print(total.entities["Film"]?.inserted ?? 0)
    for diagnostic in total.diagnostics { print(diagnostic) }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_9() throws {
    if let films = report.resources["films"], films.isComplete {
        print("\(films.items) films on \(films.pages) pages in \(films.duration)")
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_10() throws {
    for (path, resource) in report.resources {
        if let end = resource.unprovenEnd { print("\(path): \(end)") }
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_11() throws {
    for (path, resource) in report.resources {
        guard let error = resource.failure as? RemoteError else { continue }
        print(path, error.status ?? 0, error.isTransient ? "try later" : "needs a fix")
    }
}

// Sources/TidemarkSync/Observability/SyncStatus.swift
private func SyncStatus_1() throws {
    let status = try SyncStatus.of(store)
    for resource in status.resources {
        print(resource.path, resource.rows, resource.lastSuccess.map { "\($0)" } ?? "never")
    }
}

// Sources/TidemarkSync/Observability/SyncStatus.swift
private func SyncStatus_2() throws {
    if let pull = try SyncStatus.of(store).running {
        print("Process \(pull.number) on \(pull.host) is syncing.")
    }
}

// Sources/TidemarkSync/Observability/SyncStatus.swift
private func SyncStatus_3() throws {
    let stale = try SyncStatus.of(store).resources.filter { resource in
        resource.lastSuccess.map { $0.timeIntervalSinceNow < -86_400 } ?? true
    }
    print(stale.map(\.path))    // not synced for a day
}

// Sources/TidemarkSync/Observability/SyncStatus.swift
private func SyncStatus_4() throws {
    let store = try Store.openReadOnly(at: path)
    let status = try SyncStatus.of(store)
    print(status.service ?? "not synced yet", status.pendingDeletions.count)
}

// Sources/TidemarkSync/Observability/SyncVerification.swift
private func SyncVerification_1() async throws {
    try await engine.pull().get()
    let verification = try await engine.verify()
    if !verification.matches { print(verification) }
}

// Sources/TidemarkSync/Observability/SyncVerification.swift
private func SyncVerification_2() async throws {
    let verification = try await engine.verify()
    for difference in verification.differences.rows where difference.other == nil {
        print("\(difference.row) is not at the service.")
    }
}

// Sources/TidemarkSync/Observability/SyncVerification.swift
private func SyncVerification_3() async throws {
    let verification = try await engine.verify()
    for row in verification.changedOnBothSides.rows {
        print("\(row.row) was changed on both sides.")
    }
}

// Sources/TidemarkSync/Observability/SyncVerification.swift
private func SyncVerification_4() async throws {
    let verification = try await engine.verify()
    for diagnostic in verification.invalid { print(diagnostic) }
}

// Sources/TidemarkSync/Observability/SyncWarning.swift
private func SyncWarning_1() async throws {
    let report = try await engine.pull()
    for warning in report.resources.values.flatMap(\.warnings) {
        logger.warning("\(warning)")
    }
}

// Sources/TidemarkSync/Observability/SyncWarning.swift
private func SyncWarning_2() throws {
    let rereadAlways = engine.warnings.filter { $0.code == .changesNotUsed }
    print("Read completely by each pull:", rereadAlways.map(\.resource))
}

// Sources/TidemarkSync/Observability/UnconfirmedChange.swift
private func UnconfirmedChange_1() async throws {
    let verification = try await engine.verify()
    for change in verification.unconfirmed where change.outcome == .notTaken {
        print("The service has kept its own \(change.properties) of \(change.row).")
    }
}

// Sources/TidemarkSync/Observability/UnprovenEnd.swift
private func UnprovenEnd_1() throws {
    let end = UnprovenEnd.suspected("cursor: \"b2Zm\"")
    print(end)    // the response contains cursor: "b2Zm"
}

// Sources/TidemarkSync/Observability/UnpushedChanges.swift
private func UnpushedChanges_1() throws {
    for changes in try SyncStatus.of(store).localChanges.unpushed where changes.state == .rejected {
        print("\(changes.count) changes of \(changes.entity) need your attention.")
    }
}

// Sources/TidemarkSync/Observability/UnresolvedReferences.swift
private func UnresolvedReferences_1() throws {
    for references in report.unresolvedReferences where !references.isListed {
        print("No list of \(references.destination) is configured.")
    }
}

// Sources/TidemarkSync/Observability/UnresolvedReferences.swift
private func UnresolvedReferences_2() throws {
    for references in report.unresolvedReferences { print(references) }
    // 2 unresolved references of Article.author to Author: no resource lists Author. …
}

// Sources/TidemarkSync/Outbox/Conflict.swift
private func Conflict_1() throws {
    for conflict in try store.read({ reader in try Conflicts(store).list(reader.db) }) {
        for property in conflict.properties {
            print(conflict.row, property.name, property.local, property.remote)
        }
    }
}

// Sources/TidemarkSync/Outbox/Conflicts.swift
private func Conflicts_1() throws {
    let conflicts = Conflicts(store)
    for conflict in try store.read({ reader in try conflicts.list(reader.db, filter: .open) }) {
        print(conflict.row, conflict.properties)
    }
}

// Sources/TidemarkSync/Outbox/Conflicts.swift
private func Conflicts_2() throws {
    let count = try store.read { reader in
        try Conflicts(store).list(reader.db, filter: .open).count
    }
}

// Sources/TidemarkSync/Outbox/Conflicts.swift
private func Conflicts_3() throws {
    let conflict = try store.read { reader in try Conflicts(store).conflict(reader.db, 4) }
    for property in conflict.properties { print(property.name, property.kept) }
}

// Sources/TidemarkSync/Outbox/Conflicts.swift
private func Conflicts_4() throws {
    let open = try store.read { reader in
        try Conflicts(store).list(reader.db, filter: .open)
    }
    try store.write { writer in
        for conflict in open {
            let resolution = try Conflicts(store)
                .resolve(writer.db, conflict.id, taking: .local)
            if resolution.isStale { print("\(conflict.row) was changed again.") }
        }
    }
}

// Sources/TidemarkSync/Outbox/LocalChange+Details.swift
private func LocalChange_Details_1() throws {
    let changes = try store.read { reader in
        try Outbox(store).details(reader.db, of: RecordLocator("Note:7"))
    }
    for property in changes.flatMap(\.properties) {
        print(property.name, property.base as Any, property.local as Any)
    }
}

// Sources/TidemarkSync/Outbox/LocalChange.swift
private func LocalChange_1() throws {
    func badge(for change: LocalChange) -> String? {
        switch change.state {
        case .pending, .inFlight: nil
        case .uncertain: "The service may have this already."
        case .rejected: change.attempts.reason
        case .conflicted: "Another device has changed this, too."
        }
    }
}

// Sources/TidemarkSync/Outbox/Outbox+Deletions.swift
private func Outbox_Deletions_1() throws {
    let pending = try store.read { reader in
        try Outbox(store).pendingServiceDeletions(reader.db)
    }
    print(pending.map(\.description))
}

// Sources/TidemarkSync/Outbox/Outbox+Deletions.swift
private func Outbox_Deletions_2() throws {
    try store.write { writer in
        let count = try Outbox(store).approveDeletions(writer.db, of: "Note")
        print(count, "notes will be deleted")
    }
}

// Sources/TidemarkSync/Outbox/Outbox+Deletions.swift
private func Outbox_Deletions_3() throws {
    try store.write { writer in
        try Outbox(store).rejectDeletions(writer.db, of: "Note")
    }
}

// Sources/TidemarkSync/Outbox/Outbox+Details.swift
private func Outbox_Details_1() throws {
    let changes = try store.read { reader in
        try Outbox(store).details(reader.db, of: RecordLocator("Note#12"))
    }
    for change in changes { print(change.request?.body ?? "It was not sent yet.") }
}

// Sources/TidemarkSync/Outbox/Outbox.swift
private func Outbox_1() throws {
    let outbox = Outbox(store)
    let rejected = try store.read { reader in try outbox.changes(reader.db, in: .rejected) }
    for change in rejected { print(change.row, change.attempts.reason ?? "") }
}

// Sources/TidemarkSync/Outbox/Outbox.swift
private func Outbox_2() throws {
    let left = try store.read { reader in try Outbox(store).changes(reader.db, of: "Note") }
    print(left.map { "\($0.row) \($0.state)" })
}

// Sources/TidemarkSync/Outbox/Outbox.swift
private func Outbox_3() throws {
    let changes = try store.read { reader in
        try Outbox(store).changes(reader.db, ofRow: RecordLocator("Note:7"))
    }
    let badge = changes.contains { $0.state == .rejected } ? "!" : ""
}

// Sources/TidemarkSync/Outbox/Outbox.swift
private func Outbox_4() throws {
    try store.write { writer in _ = try Outbox(store).retry(writer.db) }
}

// Sources/TidemarkSync/Outbox/Outbox.swift
private func Outbox_5() throws {
    try store.write { writer in
        try Outbox(store).discard(writer.db, RecordLocator("Note:7"))
    }
}

// Sources/TidemarkSync/Push/PendingServiceDeletion.swift
private func PendingServiceDeletion_1() throws {
    for pending in try SyncStatus.of(store).localChanges.pendingServiceDeletions {
        print("Delete \(pending.count) of \(pending.known) objects of \(pending.entity)?")
    }
}

// Sources/TidemarkSync/Push/PlannedRequest.swift
private func PlannedRequest_1() async throws {
    for request in try await engine.plannedRequests() where request.kind == .delete {
        print(request)    // DELETE https://api.example.com/tasks/7  Task#12: delete
    }
}

// Sources/TidemarkSync/Push/PushOptions.swift
private func PushOptions_1() async throws {
    let strict = DeletionGuard(share: 0.1, rows: 20)
    let pushed = try await engine.push(with: PushOptions(deletionGuard: strict))
    for pending in pushed.localChanges.pendingServiceDeletions { print(pending) }
}

// Sources/TidemarkSync/Push/PushOptions.swift
private func PushOptions_2() async throws {
    let options = PushOptions(deletionGuard: nil)    // the user has been asked
    let pushed = try await engine.push(with: options)
}

// Sources/TidemarkSync/Push/PushReport.swift
private func PushReport_1() async throws {
    let pushed = try await engine.push()
    for (entity, counts) in pushed.entities {
        print(entity, counts.created, counts.updated, counts.deleted, counts.rejected)
    }
    for (path, error) in pushed.failures { print(path, error) }
}

// Sources/TidemarkSync/Push/PushReport.swift
private func PushReport_2() async throws {
    for message in try await engine.push().messages { print(message.row, message) }
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_1() async throws {
    do {
        print(try await engine.pull())
    } catch let error as SyncError where error.code == .busy {
        print("Another process is syncing.")  // its rows will be in this store
    } catch let error as SyncError {
        print(error.message, error.hint ?? "")
    }
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_2() throws {
    func isWorthRetrying(_ error: SyncError) -> Bool {
        [.busy, .leaseLost].contains(error.code)
    }
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_3() throws {
    // A store whose model has the entity "Article":
    let articles = service.resource("Article", path: "articles")    // not "Articles"
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_4() throws {
    var latest = service.resource("Film", path: "films/latest")
    latest.style.deletes = .none    // "films" decides which rows exist
    let resources = [service.resource("Film", path: "films"), latest]
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_5() throws {
    var service = Service.rest(url: url)
    service.push.reconcile = .key    // needs service.push.key = .client
}

// Sources/TidemarkSync/SyncError.swift
private func SyncError_6() throws {
    let userID = "17"
    let store = try Store.open(at: "feed-\(userID).sqlite", model: model)
}

// Sources/TidemarkSync/SystemEnvironment+Live.swift
private func SystemEnvironment_Live_1() throws {
    var environment = SystemEnvironment.live
    environment.random = { 0 }    // retries without jitter
}
