import Foundation
import TidemarkModel
import TidemarkRemote

/// One resource's way through a pull, as a value: it is told what has happened, and says what is to
/// be done next.
///
/// It asks nobody and waits for nothing, so that every way can be tried in a table. The engine
/// performs its actions, and tells it what came of them.
///
/// ```text
/// ready ─► asking ─► applying ─► asking … ─► closing ─► ended
///             │                                 └─► counting ─► asking (keys, or all) …
///             └─► (as it was) applying, or ended
/// ```
struct PullStateMachine: Equatable, Sendable {
    /// Where the resource is on its way.
    enum State: Equatable, Sendable {
        /// Nothing was done yet.
        case ready
        /// A page was asked for.
        case asking
        /// A page is being applied.
        case applying
        /// A list was read to its end; what it did not name is being deleted.
        case closing
        /// The service was asked how many objects there are.
        case counting
        /// All is done.
        case ended(Ending)
    }

    /// What has happened.
    enum Event: Equatable, Sendable {
        /// The pull begins.
        case started
        /// A page has come.
        case came(PageMetadata)
        /// A page is as it was; what was known of it then.
        case unchanged(KnownPage)
        /// A page is in the store.
        case applied(AppliedPage)
        /// Rows that an unchanged page named are gone: it has to be read.
        case outdated
        /// A walk was ended.
        case closed(ClosedWalk)
        /// The service reported how many objects there are, if it did; so many rows are stored, and
        /// the deletion of so many of these is pending.
        case counted(Int?, here: Int, pending: Int = 0)
        /// What was to be done failed.
        case failed(Failure)
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        /// A page is to be requested, conditionally where its metadata may be used.
        case ask(PageRequest, Revalidation)
        /// The page that has come is to be applied.
        case apply
        /// The page that is as it was is to be noted as read.
        case mark(KnownPage)
        /// The walk is to be ended.
        case close(Sweep)
        /// The service is to be asked how many objects there are.
        case count
        /// The way is over.
        case end(Ending)
    }

    /// Which stored metadata of pages makes a request conditional.
    enum Revalidation: Equatable, Sendable {
        /// None: the page is read.
        case none
        /// That of pages which this reading of the list has read itself: whatever was wrong before,
        /// it is not in these.
        case ownPages
        /// All.
        case allPages
    }

    /// What is known of a page that was read before.
    struct KnownPage: Equatable, Sendable {
        /// Where the page behind it was, if there was one.
        var next: PageRequest?
        var count = 0
        var total: Int?
        var cursor: String?
        /// Whether the time that the cursor tells is over.
        var isCursorOver = false
    }

    /// What came of applying a page.
    struct AppliedPage: Equatable, Sendable {
        /// How many objects it had, those that had come before left out.
        var items = 0
        /// How many had come before.
        var repeated = 0
        /// How many name no row that is here.
        var unknown = 0
    }

    /// What came of ending a walk.
    struct ClosedWalk: Equatable, Sendable {
        /// Whether rows were kept because another reading did not name the same.
        var isUnproved = false
        /// What this reading has named.
        var digest: String?
        /// Whether the deletion of rows is pending.
        var isPending = false
        /// Whether rows were inserted while the list was read for the first time that it does not
        /// have: other lists embed their objects.
        var hasUnlistedRows = false
    }

    /// What ending a walk deletes.
    enum Sweep: Equatable, Sendable {
        /// Nothing.
        case nothing
        /// What the list did not name.
        case unnamed
        /// What the list did not name, where it has named the same as an earlier reading.
        ///
        /// Where there was none, and something would be deleted, or changes be taken for read, the
        /// walk is not ended.
        case unnamedIfSame(as: String?)
        /// Nothing; and where it has not named the same as an earlier reading, and changes would be
        /// taken for read, the walk is not ended.
        case nothingIfSame(as: String?)
    }

    /// Why something failed.
    enum Failure: Equatable, Sendable {
        /// The place in the list is not there, or not any more, at the service or in the store.
        case noSuchPlace
        /// Anything else; the engine knows what.
        case other
    }

    /// How it came to its end.
    enum Ending: Equatable, Sendable {
        /// Nothing has changed since the last time.
        case unchanged
        /// Everything was read.
        case complete
        /// Everything was read, but objects moved while it was: nothing was deleted.
        case inconsistent
        /// The service says that there are more objects than its pages have given.
        case incomplete(items: Int, total: Int)
        /// It could not be read to its end.
        case failed
    }

    /// The resource.
    let resource: RemoteResource

    /// Where it is on its way.
    private(set) var state = State.ready

    /// What the store knows of it.
    private(set) var memory: Memory

    /// The list that is being read.
    private(set) var walk: PullCheckpoint

    /// What the store knows of a resource when a pull begins.
    struct Memory: Equatable, Sendable {
        /// Whether a whole list is in the store.
        var isCompleted = false
        /// From where changes are asked for.
        var cursor: String?
        /// What the service called the state of the whole list.
        var version: String?
        /// The latest change that any page has ever shown.
        var latest: ChangeStamp?
        /// The list whose reading was interrupted.
        var walk: PullCheckpoint?
        /// Whether everything is to be read, whatever is known.
        var isFull = false
        /// Whether the deletion of rows of this list is pending.
        var hasPendingDeletion = false
        /// Whether the service is asked which rows it has, whatever has changed.
        var isVerification = false
        /// Whether requesting changes has failed so often that it is not tried any more.
        var areChangesBroken = false
        /// The numbers of objects and rows that differed although the list had been read.
        var mismatch: CountMismatch?
        /// Whether the whole list is to be read, because it was last read longer ago than
        /// ``ListStyle/fullInterval``.
        var isListDue = false
    }

    /// The request that was made last.
    var request: PageRequest

    /// What is known of the page that came last.
    var facts: PageMetadata?

    /// Where the page behind the one that is being applied is.
    var next: PageRequest?

    /// Whether any page was other than it was.
    var hasChanges = false

    /// The latest change that any page has shown.
    var latest: ChangeStamp?

    /// How many objects the service has counted, where that led to the keys or the whole list.
    var counted: Int?

    /// Whether the whole list was read in this pull.
    var hasReadAll = false

    /// Whether the service had lost what it knew.
    var wasReset = false

    /// Whether something did not add up, or was interrupted.
    var hasDoubts = false

    /// Whether another list was read before the one that is, in this pull or in that with which it
    /// goes on.
    var isSequel = false

    /// Whether the page that was asked for is the one at which an interrupted pull goes on.
    var isResumed = false

    /// The latest change that the pages of a request for changes have shown.
    var shown = ShownChanges.unknown

    /// Why requesting changes has failed in this pull.
    var changesProblem: ChangesProblem.Kind?

    /// What the pages of a request for changes have shown.
    enum ShownChanges: Equatable, Sendable {
        /// Some pages were read by an interrupted pull.
        case unknown
        /// The latest stamp; nil where no object had one.
        case latest(ChangeStamp?)
    }

    /// What identifies this pull.
    let run: String

    /// How many readings of lists were begun because the one before was not to be trusted.
    var restarts = 0

    /// For which time the list is read in this pull.
    ///
    /// What an interrupted pull had tried does not count: a place that is lost would be asked for
    /// ever after.
    var attempt = 1

    /// How many times a list is begun in one pull before it is given up.
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
