import TidemarkRemote

/// A real service that may be running for tests, and its expected behavior.
enum RealService: String, CaseIterable, Sendable {
    case kinto
    case djangoNumbers, djangoOffsets, djangoCursors
    case rails

    /// The services that are running.
    static let running = allCases.filter { RealMirror.address($0.name) != nil }

    /// The running services that do not report deletions: unlisted rows are deleted.
    static let unlistedDeletions = running.filter { $0 != .kinto }

    /// The running services that support requests for changes.
    static let changing = running.filter { $0 != .djangoCursors }

    /// The suffix of the environment variable that contains its URL.
    private var name: String {
        switch self {
        case .kinto: "KINTO"
        case .djangoNumbers, .djangoOffsets, .djangoCursors: "DRF"
        case .rails: "RAILS"
        }
    }

    /// The number of rows per page.
    var page: Int { self == .kinto ? 5 : 3 }

    /// Creates a list for one test, and an empty store.
    func mirror() async throws -> RealMirror {
        switch self {
        case .kinto: try await .kinto()
        case .djangoNumbers: try await .django(.numbers)
        case .djangoOffsets: try await .django(.offsets)
        case .djangoCursors: try await .django(.cursors)
        case .rails: try await .rails()
        }
    }

    /// Creates the same, configured to request changes and the number of rows.
    func changingMirror() async throws -> RealMirror {
        var mirror = try await mirror()
        switch self {
        case .kinto: break
        case .djangoNumbers, .djangoOffsets, .djangoCursors:
            mirror.resource.style.total = .body(["count"])
            mirror.resource.style.delta = .since(
                ChangeQuery.Since(
                    field: ["updated_at"],
                    condition: .parameter("updated_at__gte"),
                    order: [QueryItem("ordering", "updated_at,id")]
                )
            )
            mirror.resource.style.count = .query([
                QueryItem(self == .djangoOffsets ? "limit" : "page_size", "1")
            ])
        case .rails:
            mirror.resource.style.delta = .railsChanges
            mirror.resource.style.count = .head("X-Total-Count")
        }
        return mirror
    }

    /// The requests and statuses of pulling an unchanged list of three pages.
    var unchanged: [String] {
        self == .kinto ? ["GET 304"] : ["GET 304", "GET 304", "GET 304"]
    }

    /// The requests and statuses of pulling such a list after a row in its middle has changed; nil
    /// if the row then moves.
    var changedInTheMiddle: [String]? {
        switch self {
        case .kinto: ["GET 200", "HEAD 200"]
        case .djangoNumbers, .djangoOffsets, .rails: ["GET 304", "GET 200", "GET 304"]
        case .djangoCursors: nil
        }
    }

    /// The requests and statuses of pulling one change.
    var change: [String] {
        switch self {
        case .kinto, .rails: ["GET 200", "HEAD 200"]
        case .djangoNumbers, .djangoOffsets, .djangoCursors: ["GET 200", "GET 200"]
        }
    }
}
