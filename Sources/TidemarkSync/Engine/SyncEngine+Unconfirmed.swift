import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.Date

/// Changes that the service has accepted, and whose values a pull has to show.
extension SyncEngine {
    /// Decides about acknowledged changes after a pull.
    ///
    /// What lists have shown is confirmed already. Objects that were shown with former values are
    /// read by their keys. Changes of which three complete lists have shown nothing are forgotten.
    ///
    /// - Parameters:
    ///   - report: The report of the pull.
    ///   - start: When the pull has begun.
    ///   - run: The run.
    /// - Throws: `CancellationError`; ``SyncError/Code/leaseLost``; `DatabaseError`.
    func confirmAcknowledged(
        after report: inout SyncReport,
        since start: Date,
        in run: RunContext
    ) async throws {
        guard try await run.store.writer.read(Capture.isInstalled) else { return }
        let lists = readLists(report)
        let notShown = try await run.write { [store = run.store] db in
            let changes = AcknowledgedChanges(db, store.layout)
            return try lists.flatMap { list in
                try changes.forget(shownBy: list.reading, of: list.entities, before: start)
            }
        }
        for row in notShown {
            report.pushed.notShown.append(row)
            run.emit(.notShown(row: row))
        }
        let push = try await outboxPush(with: PushOptions(), in: run)
        try await push.resolveDoubts()
        report.pushed.add(await push.report)
    }

    /// A list that was read to its end, with the entities of its objects.
    private struct ReadList: Sendable {
        let reading: AcknowledgedChanges.Reading
        let entities: Set<String>
    }

    private func readLists(_ report: SyncReport) -> [ReadList] {
        let model = importer.store.model
        return configuration.resources.compactMap { resource in
            guard let read = report.resources[resource.path], read.isComplete,
                let reading = AcknowledgedChanges.Reading(read),
                let entity = model[resource.entity]
            else { return nil }
            let family = model.family(of: entity).map(\.name)
            return ReadList(reading: reading, entities: Set(family))
        }
    }
}

extension AcknowledgedChanges.Reading {
    /// What a list proves that was read to its end; nil if it proves nothing.
    fileprivate init?(_ report: SyncReport.ResourceReport) {
        switch report.reading.extent {
        case .changes: return nil
        case .countedChanges, .keys: self = .keys
        case .whole: self = report.pages > 0 ? .objects : .unmodified
        }
    }
}
