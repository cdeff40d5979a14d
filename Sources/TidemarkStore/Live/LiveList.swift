public import Observation
public import TidemarkModel

/// An observable list of the rows of a request, updated after each commit that changes them.
///
/// SwiftUI updates the views that read it; elsewhere, use `withObservationTracking`. Like Core
/// Data's `NSFetchedResultsController` and SwiftData's `@Query`, it follows a request, which may be
/// replaced:
///
/// ```swift
/// @MainActor func search(_ text: String, in list: LiveList<Film>) {
///     list.request = Film.filter { $0.title.contains(text) }.sorted(by: \.title)
/// }
/// ```
///
/// The list is empty and ``isLoading`` until the first rows were read in the background.
@MainActor @Observable
public final class LiveList<Record: EntityRecord> {
    /// The rows after the last commit that changed them.
    public private(set) var rows: LiveSnapshot<Record>

    /// Whether the first rows have not been read yet.
    public private(set) var isLoading = true

    /// The error of the last request, or the one that ended the updates; nil without one.
    ///
    /// After an invalid ``request``, the rows are still those of the previous one, and a valid
    /// request clears the error. An error of reading ends the updates: create another list.
    public private(set) var error: (any Error)?

    /// The request.
    ///
    /// Setting it shows the rows of another one. The differences are those between the rows.
    public var request: EntityRequest<Record> {
        didSet { replace() }
    }

    /// The positions whose records are loaded; nil for all.
    public var window: Range<Int>? {
        didSet { replace() }
    }

    @ObservationIgnored private let store: Store
    @ObservationIgnored private let iteration: LiveIteration<Record>
    @ObservationIgnored private var updates: Task<Void, Never>?

    /// Creates a list, which begins to read its rows in the background.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - store: The store.
    ///   - window: The positions whose records are loaded; the others are only counted. Nil for
    ///     all.
    ///   - environment: The clock for polling commits of other processes, every 250 ms.
    public init(
        _ request: EntityRequest<Record>,
        in store: Store,
        window: Range<Int>? = nil,
        environment: SystemEnvironment
    ) {
        self.request = request
        self.window = window
        self.store = store
        rows = LiveSnapshot(
            rows: ChunkedRows(),
            runs: SectionRuns(single: 0),
            changes: nil,
            total: 0,
            unreadable: []
        )
        let layout = store.layout
        let iteration = LiveIteration<Record>(store, window: window, environment: environment) {
            try LiveSource(request, in: layout)
        }
        self.iteration = iteration
        updates = Task { [weak self] in
            do {
                while let snapshot = try await iteration.next() {
                    guard let self else { return }
                    rows = snapshot
                    isLoading = false
                }
            } catch {
                self?.fail(error)
            }
        }
    }

    deinit { updates?.cancel() }

    private func fail(_ error: any Error) {
        self.error = error
        isLoading = false
    }

    private func replace() {
        do {
            let source = try LiveSource(request, in: store.layout)
            if iteration.replace(source, window: window) { error = nil }
        } catch {
            fail(error)
        }
    }
}
