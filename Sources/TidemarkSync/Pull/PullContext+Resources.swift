import GRDB
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// Pulling one resource, or one list of a resource.
extension PullContext {
    /// Pulls one resource.
    func pullResource(_ resource: RemoteResource) async throws -> SyncReport.ResourceReport {
        let report = try await pullList(resource, basis: basis(of: resource))
        reportEnd(of: resource, report)
        return report
    }

    /// Pulls one list: that of a resource, or that of one parent's children.
    func pullList(
        _ resource: RemoteResource,
        child: ChildList? = nil,
        basis: ResourceState.Basis
    ) async throws -> SyncReport.ResourceReport {
        let (state, checkpoint, pending) = try await run.write { db in
            var (state, checkpoint) = try stored(resource, with: basis, db)
            if let parent = child?.parent {
                state.parent = state.parent ?? .init(resource: parent.session, row: parent.row)
                state.parent?.row = parent.row
            }
            let session = session(of: resource, scope: child.scope, run: "", permitting: .all)
            return (state, checkpoint, try run.importer.pendingRowCount(db, by: session))
        }
        var pull = ResourcePull(
            of: resource,
            child: child,
            from: state,
            hasPendingDeletion: pending > 0,
            in: self
        )
        let attributes = ["resource": resource.path]
        return try await TraceSpan.run("tidemark.resource", attributes: attributes) {
            try await pull.run(resuming: checkpoint)
        }
    }

    /// Returns what the state of a resource depends on.
    func basis(of resource: RemoteResource) throws -> ResourceState.Basis {
        ResourceState.Basis(
            entity: resource.entity,
            generation: run.importer.store.generation,
            fingerprint: try fingerprint(of: resource)
        )
    }

    /// Returns the stored state of a resource and its checkpoint.
    ///
    /// If the resource was last read with another model or configuration, discards its cached pages
    /// and returns a new state.
    func stored(
        _ resource: RemoteResource,
        with basis: ResourceState.Basis,
        _ db: Database
    ) throws -> ResourceState.Stored {
        if let stored = try ResourceState.of(resource.path, db), stored.state.basis == basis {
            return stored
        }
        try PageCacheEntry.forgetAll(db, in: resource.path)
        return (ResourceState(resource.path, with: basis), nil)
    }

    /// Reports the end of a resource's pull.
    func reportEnd(of resource: RemoteResource, _ report: SyncReport.ResourceReport) {
        if let failure = report.failure, report.ending == .failed {
            run.emit(.failed(resource: resource.path, failure))
        } else {
            let counts = report.imported.entities[resource.entity] ?? .init()
            run.emit(.pulled(resource: resource.path, counts: counts))
        }
    }
}
