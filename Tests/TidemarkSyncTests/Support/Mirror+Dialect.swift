import Foundation
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

extension Mirror {
    /// How the service speaks.
    enum Dialect: String, CaseIterable, Sendable {
        case kinto, parse, rails, rest, offsets, cursors, jsonAPI
        /// Rails, asked for what has changed since a time.
        case changes
        /// Pages that are counted; changes come from the oldest on, and times are whole seconds.
        case ordered
        /// Notes that stand on shelves, which another list has.
        case shelves
        /// Notes that embed their shelves, also those that the list of shelves leaves out.
        case embedded
        /// A list of several pages, of which the configuration reads the first.
        case unfollowed

        /// Those whose lists are read to their ends, however many pages they have.
        static let followed = allCases.filter { $0 != .unfollowed }

        /// Those of them whose service has notes alone.
        static let plain = followed.filter { !$0.hasShelves }

        /// Those of them whose services are as they come.
        static let usual: [Dialect] = [.kinto, .parse, .rails, .rest, .offsets, .cursors, .jsonAPI]
    }
}

extension Mirror.Dialect {
    /// Whether notes stand on shelves.
    var hasShelves: Bool { self == .shelves || self == .embedded }

    /// Whether a pull relies on the number of objects that the service reports, and does not read
    /// them all.
    var reliesOnCount: Bool { self == .kinto || self == .parse || self == .changes }

    /// Whether a pull reads pages of a quiet service: the latest changes, or all where responses
    /// have no validators.
    var readsWhenQuiet: Bool { [.parse, .changes, .ordered, .jsonAPI].contains(self) }

    /// The member that tells an object's key.
    var key: String { self == .parse ? "objectId" : "id" }

    /// Where the notes stand.
    var path: String { path(of: self == .parse ? "Note" : "notes") }

    /// Where the objects of a collection stand.
    func path(of collection: String) -> String {
        switch self {
        case .kinto: "collections/\(collection)/records"
        case .parse: "classes/\(collection)"
        case .rails, .changes, .jsonAPI: collection
        case .rest, .offsets, .cursors, .ordered, .shelves, .embedded, .unfollowed:
            "\(collection)/"
        }
    }

    /// What a request for a page behind the first has in its query.
    var laterPage: String {
        switch self {
        case .kinto: "_token="
        case .parse: "gt"
        case .rails, .changes, .rest, .ordered, .shelves, .embedded, .unfollowed: "page="
        case .offsets: "offset="
        case .cursors: "cursor="
        case .jsonAPI: "number"
        }
    }

    /// Whether changes are told apart by the times of a clock, which may be set back.
    var trustsClock: Bool {
        switch self {
        case .parse, .cursors, .changes, .ordered: true
        case .kinto, .rails, .rest, .offsets, .jsonAPI, .shelves, .embedded, .unfollowed:
            false
        }
    }

    func fake(_ page: Int) -> FakeDialect {
        switch self {
        case .kinto: .kinto { $0.paginateBy = page }
        case .parse:
            .parse {
                $0.defaultLimit = page
                $0.maxLimit = page
            }
        case .rails, .changes: .rails { $0.perPage = page }
        case .rest, .shelves, .embedded, .unfollowed: .rest(pageSize: page)
        case .offsets: .rest(pageSize: page) { $0.pagination = .offsets }
        case .cursors:
            .rest(pageSize: page) {
                $0.stamps.changed = "updated_at"
                $0.pagination = .cursor(by: "updated_at")
            }
        case .ordered:
            .rest(pageSize: page) {
                $0.stamps.changed = "updated_at"
                $0.stamps.printed = .seconds
            }
        case .jsonAPI: .jsonAPI { $0.pageSize = page }
        }
    }

    func service(_ url: URL, _ page: Int) -> Service {
        var service: Service
        switch self {
        case .kinto: return .kinto(url: url.appending(path: "buckets/app"))
        case .parse: return .parse(url: url)
        case .rails: return .rails(url: url)
        case .rest, .shelves, .embedded: return .rest(url: url)
        case .unfollowed:
            service = .rest(url: url)
            service.style.pagination = .none
        case .jsonAPI: return .jsonAPI(url: url)
        case .changes:
            service = .rails(url: url)
            service.style.delta = .railsChanges
            service.style.count = .head("X-Total-Count")
        case .ordered:
            service = .rest(url: url)
            service.style.delta = .since(
                ChangeQuery.Since(
                    field: ["updated_at"],
                    condition: .parameter("updated_since"),
                    order: [QueryItem("ordering", "updated_at")]
                )
            )
            service.style.keys = [QueryItem("fields", "id")]
        case .offsets:
            service = .rest(url: url)
            service.style.pagination = .offset(parameter: "offset")
            service.style.pageSize = [QueryItem("limit", "\(page)")]
        case .cursors:
            service = .rest(url: url)
            service.style.drift = .none
            service.style.total = .none
        }
        return service
    }
}
