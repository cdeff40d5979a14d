import TidemarkModel
import TidemarkRemote

/// The transitions at the end of a list.
extension PullStateMachine {
    /// Decides whether a list that was read to its end is whole.
    mutating func finishList() -> Action? {
        guard !isUnproven else { return finish(deletingUnlistedRows: false) }
        // If the service counts its objects, the count shows whether the newest object was deleted.
        guard areChangesWhole || resource.style.count != .none else { return distrustChanges() }
        if lacksObjects, checkpoint.pageNumber == 1 || attempt == Self.attempts {
            // The total of such a response may be that of all objects.
            guard checkpoint.mode.cursor == nil else { return distrustChanges() }
            if checkpoint.pageNumber == 1 || isSteady {
                // The next pull must not resume at the last page: the list as a whole is
                // incomplete.
                checkpoint.position = .restart
                return fail(because: .incomplete)
            }
        }
        guard !isSteady else {
            return lacksObjects
                ? restart(after: .inconsistent) : finish(deletingUnlistedRows: isProof)
        }
        if !isOldestFirst, let total = checkpoint.total, total != checkpoint.items {
            checkpoint.inconsistencies += 1
        }
        let hasPages = checkpoint.pageNumber > 1
        if checkpoint.inconsistencies > 0, isProof || hasPages {
            return restart(after: .inconsistent)
        }
        // The total does not change if one object is deleted while another is inserted.
        let needsConfirmation = hasPages || checkpoint.total == nil && isProof
        return finish(deletingUnlistedRows: isProof, needsConfirmation: needsConfirmation)
    }

    /// Whether the pages contained fewer objects than the total says, although no object moved.
    ///
    /// A single page is consistent in itself. Between several pages objects may move without a
    /// change of the total, so such a list is read again.
    private var lacksObjects: Bool {
        guard checkpoint.inconsistencies == 0, !isOldestFirst, !checkpoint.isRecount,
            let total = checkpoint.total
        else { return false }
        return total > checkpoint.items
    }

    /// Reads the whole list, which shows whether the response to the request for changes was right.
    mutating func distrustChanges() -> Action? {
        findings.changesProblem = .incomplete
        return escalate(to: .list)
    }

    /// Whether the response to a request for changes may be right: it contains the object that the
    /// cursor was taken from, or a later change.
    ///
    /// If it contains neither, that object was deleted, which the whole list will show, or the
    /// parameter does not mean "since".
    var areChangesWhole: Bool {
        guard case .changes = checkpoint.mode, !checkpoint.isRecount,
            case .since = resource.style.delta, case .latest(let latest) = shownChanges,
            let cursor = start.cursor.flatMap({ ChangeStamp($0) })
        else { return true }
        return latest.map { $0 >= cursor } ?? false
    }

    /// Whether no object is missed even if objects are inserted or deleted while the list is read.
    private var isSteady: Bool {
        resource.style.stability == .stable || isOldestFirst && !checkpoint.isPagedByNumber
            || areChangesMarked
    }

    /// Whether changes are requested since a mark of the service, which may name an object twice.
    var areChangesMarked: Bool {
        guard case .changes = checkpoint.mode else { return false }
        switch resource.style.delta {
        case .token, .link: return true
        case .none, .version, .since: return false
        }
    }

    /// Whether changes are sorted in ascending order, so that each page can be requested since the
    /// latest change of the page before.
    var isOldestFirst: Bool {
        guard case .changes = checkpoint.mode, case .since(let since) = resource.style.delta
        else { return false }
        return !since.order.isEmpty
    }

    /// Whether the list may have more objects than were read, so that nothing is deleted.
    var isUnproven: Bool { findings.unprovenEnd?.isSuspected == true }

    /// Whether objects moved while the list was read, so that some may have been missed.
    var isInconsistent: Bool { checkpoint.inconsistencies > 0 && !isSteady }

    /// Whether a list that was read to its end proves which objects were deleted.
    private var isProof: Bool {
        switch (checkpoint.mode, resource.style.deletes) {
        case (.changes, _), (_, .none): false
        case (.list, .sweep), (.list, .marked), (.keys, .sweep), (.keys, .marked): true
        }
    }

    // MARK: The import session

    /// Finishes the import session.
    mutating func finish(
        deletingUnlistedRows isDeleting: Bool,
        needsConfirmation: Bool = false
    ) -> Action? {
        // If the cursor advanced, changes that the read missed would never be requested again.
        checkpoint.cursor.candidate =
            !isUnproven && (isSteady || checkpoint.inconsistencies == 0) ? reachedCursor : nil
        var end = ListEnd(deletesUnlistedRows: isDeleting)
        if needsConfirmation {
            end.confirmation = Confirmation(
                digest: checkpoint.expectedDigest,
                isRequired: isCursorAdvancing
            )
        }
        state = .finishing
        return .finish(end)
    }

    /// The cursor after the list was read to its end.
    ///
    /// A change that was shown before the list was requested is in the list, or a later change of
    /// the same object is. So the cursor may advance to the latest of these changes.
    private var reachedCursor: String? {
        let cursor = checkpoint.cursor
        guard let candidate = cursor.candidate.flatMap({ ChangeStamp($0) }),
            let known = cursor.latestKnown.flatMap({ ChangeStamp($0) }), known > candidate
        else { return cursor.candidate }
        return known.text
    }

    /// Whether the cursor would advance because of a list of several pages.
    private var isCursorAdvancing: Bool {
        switch resource.style.delta {
        case .since, .token, .link: break
        case .none, .version: return false
        }
        return checkpoint.cursor.candidate != nil && checkpoint.pageNumber > 1
    }

    /// The checkpoint to save when the import session of the list is finished; nil if nothing
    /// remains to be done after the list.
    ///
    /// If the pull is killed before the next request, the next pull resumes there.
    var checkpointAfterList: PullCheckpoint? {
        if hasUnknownKeys {
            return PullCheckpoint(.list, run: checkpoint.run, at: .firstPage)
        }
        guard resource.style.delta != .none, checkpoint.mode.cursor != nil || isInconsistent else {
            return nil
        }
        return (checkpoint.cursor.candidate ?? start.cursor).map {
            PullCheckpoint(recountSince: $0, run: checkpoint.run)
        }
    }

    /// Whether the keys contained objects without a row, so that the whole list has to be read.
    private var hasUnknownKeys: Bool {
        checkpoint.mode == .keys && checkpoint.itemsWithoutRow > 0 && !findings.hasReadAll
    }

    /// Decides what follows a list whose import session was finished.
    mutating func conclude(_ digest: String?, hasUnlistedRows: Bool) -> Action? {
        // A list that was finished has no position to resume at.
        checkpoint.position = .restart
        if hasUnknownKeys { return escalate(to: .list) }
        if checkpoint.mode == .list {
            resolveChangesProblem()
            if hasUnlistedRows, attempt < Self.attempts {
                // These rows were inserted before the request that follows, so that the list
                // decides about them.
                checkpoint.expectedDigest = digest
                return begin(.list, attempt: attempt + 1, repeating: checkpoint)
            }
        }
        guard !isUnproven else { return end(.unproven) }
        guard !isInconsistent else { return end(.inconsistent) }
        switch checkpoint.mode {
        case .list: return end(success)
        case .changes: return verifyCount()
        case .keys: return end(.complete)
        }
    }

    /// Determines whether the response to the request for changes was incomplete.
    ///
    /// If the whole list does not contain the stamp of the cursor or a later one, the object that
    /// the cursor was taken from was deleted.
    private mutating func resolveChangesProblem() {
        guard findings.changesProblem == .incomplete, case .latest(let latest) = shownChanges else {
            return
        }
        let cursor = start.cursor.flatMap { ChangeStamp($0) }
        if let latest, let cursor, latest >= cursor { return }
        findings.changesProblem = nil
    }

    /// Reads the list again: rows are deleted only if both reads named the same objects.
    mutating func confirm(_ digest: String?) -> Action? {
        guard attempt < Self.attempts else {
            checkpoint.inconsistencies += 1
            return finish(deletingUnlistedRows: false)
        }
        checkpoint.expectedDigest = digest
        return begin(wholeMode, attempt: attempt + 1, repeating: checkpoint)
    }

    // MARK: The end of the pull

    /// How a pull ends that has read everything.
    var success: SyncReport.Ending {
        isUnproven ? .unproven : findings.hasChanges ? .complete : .unchanged
    }

    mutating func end(_ ending: SyncReport.Ending) -> Action? {
        // After an inconsistent list, the checkpoint that was saved with its end stays: the row
        // count is unverified.
        end(Conclusion(ending: ending, checkpoint: ending == .inconsistent ? .keep : .clear))
    }

    /// Ends the pull with a failure.
    mutating func fail(because problem: ListProblem? = nil) -> Action? {
        end(
            Conclusion(
                ending: .failed,
                problem: problem,
                checkpoint: checkpointAfterFailure
            )
        )
    }

    private mutating func end(_ conclusion: Conclusion) -> Action {
        state = .ended(conclusion.ending)
        return .end(conclusion)
    }

    /// The checkpoint after a failure: the position to resume at, or a list to start over with the
    /// store marked as unverified.
    private var checkpointAfterFailure: CheckpointUpdate {
        // The end of the changes was saved together with the count that remains to be verified.
        if state == .verifyingCount { return .keep }
        if checkpoint.pageNumber > 1 { return .save(checkpoint) }
        if findings.hasChanges || findings.isUnverified {
            // Without a position: a list that fails each time must not be requested before the
            // changes.
            return .save(checkpoint.restarted(at: .restart))
        }
        if findings.followsAnotherList { return .save(firstCheckpoint) }
        // Nothing was received that could verify what an interrupted pull has left.
        return start.isFull || start.isVerification ? .keep : .clear
    }
}

extension SuspectedPage {
    /// Why the end of the list is not proved if no suspected page follows; nil if another page
    /// follows in any case.
    var unprovenEnd: UnprovenEnd? {
        switch otherwise {
        case .page: nil
        case .suspected(let other): other.unprovenEnd
        case .end(let indication, _): .suspected(indication)
        case .assumedEnd(let count): .assumed(objects: count)
        }
    }

    /// Whether the list is assumed to be complete if no suspected page follows.
    var isAssumed: Bool { unprovenEnd?.isSuspected == false }
}

extension ResourceStyle {
    /// Whether deletions at the service are noticed without reading the whole list in each pull.
    package var noticesDeletions: Bool {
        switch deletes {
        case .none, .marked: true
        case .sweep: isVerifiable || fullInterval != nil
        }
    }

    /// Whether the service can report its keys, or its number of objects, without the objects.
    var isVerifiable: Bool { count != .none || parameters.keys != nil }
}
