import TidemarkImport
import TidemarkModel
import TidemarkRemote

/// The state machine of one resource's pull: a value that takes events and returns the next action.
///
/// It performs no I/O and never waits, so that tests can cover every path. ``ResourcePull``
/// performs the actions and reports their results as events. The machine owns the checkpoint of the
/// list: an action contains what to save.
///
/// ```text
/// ready ─► awaiting ─► applying ─► awaiting … ─► finishing ─► ended
///             │                                      └─► verifyingCount ─► awaiting …
///             └─► (not modified) applying, or ended
/// ```
struct PullStateMachine: Equatable, Sendable {
    /// The resource.
    let resource: RemoteResource

    /// The stored state of the resource when the pull began, and the purpose of the pull.
    let start: Start

    /// The identifier of this pull.
    let run: String

    /// The current state.
    var state = State.ready

    /// The checkpoint of the list that is being read.
    var checkpoint: PullCheckpoint

    /// What this pull has learned so far, from all lists that it has read.
    var findings = Findings()

    /// The number of the attempt to read the list in this pull, from 1.
    ///
    /// It is not saved in the checkpoint. If attempts of interrupted pulls counted, a position that
    /// no longer exists would never be given up: each pull would request it and fail.
    var attempt = 1

    /// The latest change stamp in the response to a request for changes.
    var shownChanges = ShownChanges.unknown

    /// The maximum number of attempts to read a list in one pull.
    static let attempts = 3

    init(_ resource: RemoteResource, from start: Start, run: String) {
        self.resource = resource
        self.start = start
        self.run = run
        checkpoint = PullCheckpoint(.list, run: run)
        findings.latest = start.latest
        findings.unprovenEnd = start.unprovenEnd
    }
}

// MARK: - States, events and actions

extension PullStateMachine {
    /// The state of the pull.
    enum State: Equatable, Sendable {
        /// No action was performed yet.
        case ready
        /// A page was requested.
        case awaiting(Fetch)
        /// A page is being applied.
        case applying(PageMetadata, Fetch)
        /// A list was read to its end, and the rows that it did not name are being deleted.
        case finishing
        /// The service's number of objects was requested.
        case verifyingCount
        /// The pull of the resource has ended.
        case ended(SyncReport.Ending)
    }

    /// An event that changes the state.
    enum Event: Equatable, Sendable {
        /// The pull begins, and the store contains a checkpoint of an interrupted one.
        case started(PullCheckpoint?)
        /// A page was received.
        case received(PageMetadata)
        /// A page was not modified. The value is its cached metadata.
        case notModified(PageMetadata)
        /// A page is in the store.
        case applied(BatchResult)
        /// The page to which suspected evidence leads could not be read: the service has answered
        /// otherwise.
        case notFollowed
        /// Rows that an unmodified page named no longer exist: the page has to be read.
        case rowsMissing
        /// The import session of a list was finished.
        ///
        /// The digest is that of the objects that the list named, if it was required. There are
        /// unlisted rows if objects that other lists embed were inserted while the list was read
        /// for the first time.
        case finished(digest: String?, hasUnlistedRows: Bool)
        /// The import session stays open, because an earlier read did not name the same objects.
        case unconfirmed(digest: String?)
        /// The service reported its number of objects, or nil if it does not support that.
        case counted(Int?, stored: RowCounts)
        /// The action failed.
        case failed(Failure)
    }

    /// An action to perform.
    enum Action: Equatable, Sendable {
        /// Request a page. The checkpoint is saved before that, if there is one.
        case fetch(Fetch, saving: PullCheckpoint?)
        /// Apply the page that was received.
        case apply(PageMetadata, of: PageRequest)
        /// Record that an unmodified page was read.
        case mark(PageMetadata, of: PageRequest)
        /// Finish the import session of the list.
        case finish(ListEnd)
        /// Request the number of objects.
        case count
        /// End the pull of the resource.
        case end(Conclusion)
    }

    /// A request for a page.
    struct Fetch: Equatable, Sendable {
        /// The request.
        var request: PageRequest
        /// Which cached metadata makes it conditional.
        var revalidation: Revalidation
        /// Whether it is the page at which an interrupted pull resumes.
        var isResumed = false
        /// The suspected evidence that leads to the page; nil if the page is known to follow.
        var suspected: SuspectedPage?
    }

    /// Which cached page metadata makes a request conditional.
    enum Revalidation: Equatable, Sendable {
        /// None: the page is transferred in any case.
        case none
        /// That of pages which this read of the list has received itself. Whatever was wrong
        /// before, these pages are right.
        case ownPages
        /// That of all pages.
        case allPages
    }

    /// What finishing an import session deletes, and the confirmation that it requires.
    struct ListEnd: Equatable, Sendable {
        /// Whether the rows that the list did not name are deleted.
        var deletesUnlistedRows: Bool
        /// The confirmation by an earlier read that deleting rows requires; nil without one.
        var confirmation: Confirmation?
    }

    /// The confirmation of a list by an earlier read that named the same objects.
    struct Confirmation: Equatable, Sendable {
        /// The digest of the earlier read; nil if there was none.
        var digest: String?
        /// Whether the import session stays open without confirmation even if no row would be
        /// deleted, because the cursor would advance.
        var isRequired: Bool
    }

    /// The numbers of rows of an entity that have a key.
    struct RowCounts: Equatable, Sendable {
        /// The number of rows.
        var all: Int
        /// How many of them await deletion.
        var pending = 0
        /// How many of them do not await deletion.
        var kept: Int { all - pending }
    }

    /// Why an action failed.
    enum Failure: Equatable, Sendable {
        /// The position in the list does not exist, or no longer exists, at the service or in the
        /// store.
        case positionLost
        /// No object of the list could be stored.
        case nothingStored
        /// Any other reason. ``ResourcePull`` has the error.
        case other
    }

    /// A reason not to accept a list that was received.
    enum ListProblem: Equatable, Sendable {
        /// The pages contained fewer objects than the service reports.
        case incomplete
        /// Several objects have the same key, which was guessed.
        case repeatedKey
    }

    /// How the pull of a resource ends.
    struct Conclusion: Equatable, Sendable {
        /// How it ended.
        var ending: SyncReport.Ending
        /// Why it failed although all requests and transactions succeeded.
        var problem: ListProblem?
        /// What happens to the stored checkpoint.
        var checkpoint: CheckpointUpdate
    }
}

// MARK: - Knowledge

extension PullStateMachine {
    /// The stored state of a resource when a pull begins, and the purpose of the pull.
    struct Start: Equatable, Sendable {
        /// Whether a whole list is in the store.
        var isCompleted = false
        /// The cursor that changes are requested since.
        var cursor: String?
        /// The latest change stamp that any page has ever contained.
        var latest: ChangeStamp?
        /// The count mismatch that reading the whole list did not resolve.
        var mismatch: CountMismatch?
        /// Why it is not proved that the list ends where it was last read to; nil if it is.
        var unprovenEnd: UnprovenEnd?
        /// Whether the deletion of rows of this list is pending.
        var hasPendingDeletion = false
        /// Whether requesting changes has failed so often that it is no longer tried.
        var areChangesBroken = false
        /// Whether the whole list has to be read, because it was last read longer ago than
        /// `ResourceStyle.fullInterval`.
        var isListDue = false
        /// Whether to read everything, regardless of cursors and cached pages.
        var isFull = false
        /// Whether to request the keys or the whole list, even if nothing has changed.
        var isVerification = false
        /// Whether the key is a member that was only different in the objects of the first pages.
        var isKeyGuessed = false
    }

    /// What a pull has learned, over all lists that it has read.
    struct Findings: Equatable, Sendable {
        /// Whether any page was modified.
        var hasChanges = false
        /// The latest change stamp that any page has contained.
        var latest: ChangeStamp?
        /// The service's number of objects, if a mismatch led to reading the keys or the whole
        /// list.
        var serviceCount: Int?
        /// Whether this pull reads, or has read, the whole list.
        var hasReadAll = false
        /// Why it is not proved that the list ends where it was read to; nil if it is.
        var unprovenEnd: UnprovenEnd?
        /// Whether the collection was reset at the service.
        var wasReset = false
        /// Whether the store is unverified, after a count mismatch or an interrupted pull.
        var isUnverified = false
        /// Whether another list was read before this one, in this pull or in the interrupted pull
        /// that it resumes.
        var followsAnotherList = false
        /// Why requesting changes has failed in this pull.
        var changesProblem: ChangesProblem.Kind?
        /// The number of lists that were read again because the read before was not trusted.
        var restarts = 0
    }

    /// The latest change stamp in the pages of a request for changes.
    enum ShownChanges: Equatable, Sendable {
        /// Not known: pages were not modified, or were read by an interrupted pull.
        case unknown
        /// The latest stamp; nil if no object had one.
        case latest(ChangeStamp?)
    }
}
