// The examples in the documentation comments of TidemarkSync, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkHTTPClient
import TidemarkInference
import TidemarkTesting
import TidemarkYAML
import Yams

// Sources/TidemarkSync/Engine/PullOptions.swift
private func PullOptions_1() throws {
    var options = PullOptions()
    options.importing.invalid = .null
}

// Sources/TidemarkSync/Engine/SyncEngine+Deletions.swift
private func SyncEngine_Deletions_1() async throws {
    func isConfirmed<Deletion>(_ pending: Deletion) -> Bool { true }
    for pending in report.pendingDeletions where !pending.isRejected && isConfirmed(pending) {
        let report = try await engine.approveDeletion(of: pending.resource)
        print(report.total.entities[pending.entity]?.deleted ?? 0)
    }
}

// Sources/TidemarkSync/Engine/SyncEngine+Schedule.swift
private func SyncEngine_Schedule_1() async throws {
    // The app comes to the front, a push arrives, the network is back:
    await engine.requestPull()
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
    let report = try await engine.dryRun().pull()
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_1() async throws {
    let service = Service.rest(url: url)
    let engine = try SyncEngine(
        store: store, service: service,
        resources: [service.resource("Film", path: "films")],
        transport: URLSessionTransport())
    let report = try await engine.pull()
    print(report)
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_2() throws {
    for warning in engine.warnings { logger.warning("\(warning)") }
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_3() async throws {
    let report = try await engine.pull()
    for failure in report.failures { print(failure) }
}

// Sources/TidemarkSync/Engine/SyncEngine.swift
private func SyncEngine_4() async throws {
    let pull = engine.startPull()
    var progress = SyncProgress()
    for await event in pull.events {
        progress.update(with: event)
        print(progress.fraction)
    }
    let report = try await pull.value
}

// Sources/TidemarkSync/Engine/SyncSchedule.swift
private func SyncSchedule_1() async throws {
    var schedule = SyncSchedule.every(.seconds(300))
    schedule.debounce = .seconds(2)
    try await engine.run(schedule)    // until the task is cancelled
}

// Sources/TidemarkSync/Observability/SyncEvent.swift
private func SyncEvent_1() async throws {
    let pull = engine.startPull()
    for await case .page(let resource, let done, let expected) in pull.events {
        print(resource, done, expected ?? done)
    }
    print(try await pull.value)
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

// Sources/TidemarkSync/Observability/SyncProgress.swift
private func SyncProgress_1() async throws {
    var progress = SyncProgress()
    for await event in engine.events() {
        progress.update(with: event)
        print(progress.fraction)
    }
}

// Sources/TidemarkSync/Observability/SyncReport.swift
private func SyncReport_1() async throws {
    let report = try await engine.pull().get()
    print(report)
}

// Sources/TidemarkSync/Observability/UnresolvedReferences.swift
private func UnresolvedReferences_1() throws {
    for references in report.unresolvedReferences where !references.isListed {
        print("No list of \(references.destination) is configured.")
    }
}
