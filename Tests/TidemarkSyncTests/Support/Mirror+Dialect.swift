import Foundation
import TidemarkFakeServices
import TidemarkModel
import TidemarkRemote
import TidemarkTesting

extension Mirror {
    /// The dialect of the service.
    enum Dialect: String, CaseIterable, Sendable {
        case kinto, parse, rails, rest, offsets, cursors, jsonAPI
        /// Rails, with requests for the changes since a time.
        case changes
        /// Numbered pages; changes are sorted from the oldest on, and times are whole seconds.
        case ordered
        /// Notes that reference shelves, which another list contains.
        case shelves
        /// Notes that embed their shelves, including those that the list of shelves omits.
        case embedded
        /// Pages are numbered from 0, and nothing in a response says so.
        case zeroBased
        /// The link to the next page has a name that no convention defines.
        case suspected
        /// A flag says which page is the last, and every page links to a next one.
        case flagged
        /// A list of several pages, of which the configuration reads only the first.
        case unfollowed

        /// The dialects whose lists are read to the end, however many pages they have.
        static let followed = allCases.filter { $0 != .unfollowed }

        /// The followed dialects whose service contains only notes.
        static let plain = followed.filter { !$0.hasShelves }

        /// The followed dialects of ordinary services.
        static let standard: [Dialect] = [
            .kinto, .parse, .rails, .rest, .offsets, .cursors, .jsonAPI,
        ]
    }
}

extension Mirror.Dialect {
    /// Whether notes reference shelves.
    var hasShelves: Bool { self == .shelves || self == .embedded }

    /// Whether a pull relies on the service's number of objects instead of reading all objects.
    var dependsOnCount: Bool { self == .kinto || self == .parse || self == .changes }

    /// Whether a pull reads pages although nothing has changed: the latest changes, all pages if
    /// responses have no validators, or a full one of which it is unknown whether it is the last.
    var readsUnchangedLists: Bool {
        // After a wrong number of objects, a page after the last one is requested.
        [.parse, .changes, .ordered, .jsonAPI, .suspected, .zeroBased].contains(self)
    }

    /// The member with the key of an object.
    var key: String { self == .parse ? "objectId" : "id" }

    /// The path of the notes.
    var path: String { path(of: self == .parse ? "Note" : "notes") }

    /// Returns the path of a collection.
    func path(of collection: String) -> String {
        switch self {
        case .kinto: "collections/\(collection)/records"
        case .parse: "classes/\(collection)"
        case .rails, .changes, .jsonAPI: collection
        case .rest, .offsets, .cursors, .ordered, .shelves, .embedded, .zeroBased, .suspected,
            .flagged, .unfollowed:
            "\(collection)/"
        }
    }

    /// A part of the query of every request for a page after the first.
    var laterPage: String {
        switch self {
        case .kinto: "_token="
        case .parse: "gt"
        case .rails, .changes, .rest, .ordered, .shelves, .embedded, .zeroBased, .suspected,
            .flagged, .unfollowed:
            "page="
        case .offsets: "offset="
        case .cursors: "cursor="
        case .jsonAPI: "number"
        }
    }

    /// Whether changes are identified by the times of a clock, which may be set back.
    var dependsOnClock: Bool {
        switch self {
        case .parse, .cursors, .changes, .ordered: true
        case .kinto, .rails, .rest, .offsets, .jsonAPI, .shelves, .embedded, .zeroBased,
            .suspected, .flagged, .unfollowed:
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
        case .zeroBased: .zeroBased(pageSize: page)
        case .suspected: .suspected(pageSize: page)
        case .flagged: .flagged(pageSize: page)
        case .offsets: .rest(pageSize: page) { $0.pagination = .offsets }
        case .cursors:
            .rest(pageSize: page) {
                $0.timestamps.changed = "updated_at"
                $0.pagination = .cursor(by: "updated_at")
            }
        case .ordered:
            .rest(pageSize: page) {
                $0.timestamps.changed = "updated_at"
                $0.timestamps.printed = .seconds
            }
        case .jsonAPI: .jsonAPI { $0.pageSize = page }
        }
    }

    func service(_ url: URL, _ page: Int) -> Service {
        var service: Service
        switch self {
        case .kinto: return .kinto(url: url.appending(path: "buckets/app"))
        case .parse: return .parseServer(url: url)
        case .rails: return .rails(url: url)
        case .rest, .shelves, .embedded, .suspected, .flagged: return .rest(url: url)
        case .zeroBased:
            service = .rest(url: url)
            service.style.pagination = .number(parameter: "page")
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
            service.style.parameters.keys = [QueryItem("fields", "id")]
        case .offsets:
            service = .rest(url: url)
            service.style.pagination = .offset(parameter: "offset")
            service.style.parameters.pageSize = [QueryItem("limit", "\(page)")]
        case .cursors:
            service = .rest(url: url)
            service.style.stability = .stable
            service.style.total = .none
        }
        return service
    }
}
