import Foundation
import TidemarkModel
import TidemarkRemote

/// The state machine of one resource's pull: a value that takes events and returns the next action.
///
/// It performs no I/O and never waits, so that tests can cover every path. ``ResourcePull``
/// performs the actions and reports their results as events.
///
/// ```text
/// ready ─► asking ─► applying ─► asking … ─► closing ─► ended
///             │                                 └─► counting ─► asking (keys, or all) …
///             └─► (not modified) applying, or ended
/// ```
struct PullStateMachine: Equatable, Sendable {
    /// The state of the pull.
    enum State: Equatable, Sendable {
        /// No action was performed yet.
        case ready
        /// A page was requested.
        case asking
        /// A page is being applied.
        case applying
        /// A list was read to its end, and the rows that it did not name are being deleted.
        case closing
        /// The service's number of objects was requested.
        case counting
        /// The pull of the resource has ended.
        case ended(Ending)
    }

    /// An event that changes the state.
    enum Event: Equatable, Sendable {
        /// The pull begins.
        case started
        /// A page was received.
        case came(PageMetadata)
        /// A page was not modified. The value is its cached metadata.
        case unchanged(KnownPage)
        /// A page is in the store.
        case applied(AppliedPage)
        /// Rows that an unmodified page named no longer exist: the page has to be read.
        case outdated
        /// The import session of a list was processed.
        case closed(ClosedWalk)
        /// The service reported its number of objects, or nil if it does not support that. `here`
        /// is the number of rows in the store, and `pending` how many of these await deletion.
        case counted(Int?, here: Int, pending: Int = 0)
        /// The action failed.
        case failed(Failure)
    }

    /// An action to perform.
    enum Action: Equatable, Sendable {
        /// Request a page, conditionally if the cached metadata may be used.
        case ask(PageRequest, Revalidation)
        /// Apply the page that was received.
        case apply
        /// Record that an unmodified page was read.
        case mark(KnownPage)
        /// Finish the import session of the list.
        case close(Sweep)
        /// Request the number of objects.
        case count
        /// End the pull of the resource.
        case end(Ending)
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

    /// The cached metadata of a page that was not modified.
    struct KnownPage: Equatable, Sendable {
        /// The request for the following page; nil for the last page.
        var next: PageRequest?
        var count = 0
        var total: Int?
        var cursor: String?
        /// Whether the time of the cursor has passed, so that no later change can have it.
        var isCursorOver = false
    }

    /// The result of applying a page.
    struct AppliedPage: Equatable, Sendable {
        /// The number of objects that earlier pages did not contain.
        var items = 0
        /// The number of objects that earlier pages contained already.
        var repeated = 0
        /// The number of objects without a row: unknown keys, or rejected objects.
        var unknown = 0
    }

    /// The result of processing the import session of a list.
    struct ClosedWalk: Equatable, Sendable {
        /// Whether the session stays open, because another read did not name the same objects.
        var isUnproved = false
        /// The digest of the objects that this read named; nil if none was required.
        var digest: String?
        /// Whether the deletion of rows is pending.
        var isPending = false
        /// Whether rows that the list does not contain were inserted while it was read for the
        /// first time: objects that other lists embed.
        var hasUnlistedRows = false
    }

    /// What finishing an import session deletes.
    enum Sweep: Equatable, Sendable {
        /// Nothing.
        case nothing
        /// The rows that the list did not name.
        case unnamed
        /// The rows that the list did not name, if its digest equals that of an earlier read.
        ///
        /// If it differs, or there was no earlier read, and rows would be deleted or the cursor
        /// would advance, the session stays open.
        case unnamedIfSame(as: String?)
        /// Nothing. The session stays open if its digest differs from that of an earlier read and
        /// the cursor would advance.
        case nothingIfSame(as: String?)
    }

    /// Why an action failed.
    enum Failure: Equatable, Sendable {
        /// The position in the list does not exist, or no longer exists, at the service or in the
        /// store.
        case noSuchPlace
        /// Any other reason. ``ResourcePull`` has the error.
        case other
    }

    /// How the pull of the resource ended.
    enum Ending: Equatable, Sendable {
        /// Nothing has changed since the last pull.
        case unchanged
        /// Everything was read.
        case complete
        /// Everything was read, but objects moved between pages meanwhile: nothing was deleted.
        case inconsistent
        /// The service reports more objects than its pages contained.
        case incomplete(items: Int, total: Int)
        /// The list could not be read to its end.
        case failed
    }

    /// The resource.
    let resource: RemoteResource

    /// The current state.
    private(set) var state = State.ready

    /// The stored state of the resource.
    private(set) var memory: Memory

    /// The checkpoint of the list that is being read.
    private(set) var walk: PullCheckpoint

    /// The stored state of a resource when a pull begins.
    struct Memory: Equatable, Sendable {
        /// Whether a whole list is in the store.
        var isCompleted = false
        /// The cursor that changes are requested since.
        var cursor: String?
        /// The version of the whole list, as the service reported it.
        var version: String?
        /// The latest change stamp that any page has ever contained.
        var latest: ChangeStamp?
        /// The checkpoint of a list whose reading was interrupted.
        var walk: PullCheckpoint?
        /// Whether to read everything, regardless of cursors and cached pages.
        var isFull = false
        /// Whether the deletion of rows of this list is pending.
        var hasPendingDeletion = false
        /// Whether to request the keys or the whole list, even if nothing has changed.
        var isVerification = false
        /// Whether requesting changes has failed so often that it is no longer tried.
        var areChangesBroken = false
        /// The count mismatch that reading the whole list did not resolve.
        var mismatch: CountMismatch?
        /// Whether the whole list has to be read, because it was last read longer ago than
        /// ``ListStyle/fullInterval``.
        var isListDue = false
    }

    /// The most recent request.
    var request: PageRequest

    /// The metadata of the page that was received last.
    var facts: PageMetadata?

    /// The request for the page after the one that is being applied.
    var next: PageRequest?

    /// Whether any page was modified.
    var hasChanges = false

    /// The latest change stamp that any page has contained.
    var latest: ChangeStamp?

    /// The service's number of objects, if a mismatch led to reading the keys or the whole list.
    var counted: Int?

    /// Whether this pull reads, or has read, the whole list.
    var hasReadAll = false

    /// Whether the collection was reset at the service.
    var wasReset = false

    /// Whether the store is unverified, after a count mismatch or an interrupted pull.
    var hasDoubts = false

    /// Whether another list was read before this one, in this pull or in the interrupted pull that
    /// it resumes.
    var isSequel = false

    /// Whether the requested page is the one at which an interrupted pull resumes.
    var isResumed = false

    /// The latest change stamp in the response to a request for changes.
    var shown = ShownChanges.unknown

    /// Why requesting changes has failed in this pull.
    var changesProblem: ChangesProblem.Kind?

    /// The latest change stamp in the pages of a request for changes.
    enum ShownChanges: Equatable, Sendable {
        /// Not known: pages were not modified, or were read by an interrupted pull.
        case unknown
        /// The latest stamp; nil if no object had one.
        case latest(ChangeStamp?)
    }

    /// The identifier of this pull.
    let run: String

    /// The number of lists that were read again because the read before was not trusted.
    var restarts = 0

    /// The number of the attempt to read the list in this pull, from 1.
    ///
    /// It is not saved in the checkpoint. If attempts of interrupted pulls counted, a position that
    /// no longer exists would never be given up: each pull would request it and fail.
    var attempt = 1

    /// The maximum number of attempts to read a list in one pull.
    static let attempts = 3

    init(_ resource: RemoteResource, _ memory: Memory, run: String) {
        self.resource = resource
        self.memory = memory
        self.run = run
        walk = PullCheckpoint(.list, run: run)
        request = PageRequest(first: resource)
        latest = memory.latest
    }

    mutating func setState(_ state: State) { self.state = state }
    mutating func setWalk(_ walk: PullCheckpoint) { self.walk = walk }
}
