import TidemarkRemote

/// A service that may run for tests, and what is particular about it.
enum RealService: String, CaseIterable, Sendable {
    case kinto
    case djangoNumbers, djangoOffsets, djangoCursors
    case rails

    /// Those that run.
    static let running = allCases.filter { RealMirror.address($0.name) != nil }

    /// Those that run and tell no deletions: what a list does not name is gone.
    static let swept = running.filter { $0 != .kinto }

    /// Those that run and can be asked for changes.
    static let changing = running.filter { $0 != .djangoCursors }

    /// What its address is called.
    private var name: String {
        switch self {
        case .kinto: "KINTO"
        case .djangoNumbers, .djangoOffsets, .djangoCursors: "DRF"
        case .rails: "RAILS"
        }
    }

    /// How many rows a page has.
    var page: Int { self == .kinto ? 5 : 3 }

    /// A list of its own, and an empty store.
    func mirror() async throws -> RealMirror {
        switch self {
        case .kinto: try await .kinto()
        case .djangoNumbers: try await .django(.numbers)
        case .djangoOffsets: try await .django(.offsets)
        case .djangoCursors: try await .django(.cursors)
        case .rails: try await .rails()
        }
    }

    /// The same, to be asked for what has changed, and how many rows there are.
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

    /// What an unchanged list of three pages is asked.
    var unchanged: [String] {
        self == .kinto ? ["GET 304"] : ["GET 304", "GET 304", "GET 304"]
    }

    /// What such a list is asked once a row in its middle has changed; nil where the row has moved
    /// then.
    var changedInTheMiddle: [String]? {
        switch self {
        case .kinto: ["GET 200", "HEAD 200"]
        case .djangoNumbers, .djangoOffsets, .rails: ["GET 304", "GET 200", "GET 304"]
        case .djangoCursors: nil
        }
    }

    /// What a list is asked for one change.
    var change: [String] {
        switch self {
        case .kinto, .rails: ["GET 200", "HEAD 200"]
        case .djangoNumbers, .djangoOffsets, .djangoCursors: ["GET 200", "GET 200"]
        }
    }
}
