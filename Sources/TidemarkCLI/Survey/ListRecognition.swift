import Foundation
import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// How a list has to be read, by what its first answer says for certain.
///
/// It is said in the words of `tidemark.yml`: a preset, and the options in which a list differs.
struct ListRecognition {
    /// The preset that is like the service.
    var preset: String

    /// What differs from it.
    var options = Configuration.ResourceSection()

    /// What somebody should know, where the answer leaves something open.
    var doubt: String?

    /// A list that is as a preset says, whatever its answers look like.
    init(preset: String) {
        self.preset = preset
    }

    /// The preset that is like a service, by its addresses and by how its objects look.
    private static func preset(_ answer: SampleAnswer, _ facts: AnswerFacts) -> String? {
        if facts.isJSONAPI { return "jsonapi" }
        let isKinto = facts.list == "data" && answer.headers[.eTag]?.isStamp == true
        if isKinto, answer.url.isLike(Service.kinto(url: answer.url).path) { return "kinto" }
        let isParse = facts.list == "results" && facts.hasObjectIDs
        if isParse, answer.url.isLike(Service.parse(url: answer.url).path) { return "parse" }
        return nil
    }

    /// Recognizes a list.
    ///
    /// - Parameters:
    ///   - answer: The first answer.
    ///   - list: Where the objects are in it; nil for the document itself.
    ///   - count: How many there are.
    /// - Throws: ``Failure`` where there must be more pages, and nothing says how to ask for them.
    init(_ answer: SampleAnswer, list: String?, count: Int) throws {
        let facts = AnswerFacts(answer, list: list)
        if let preset = Self.preset(answer, facts) {
            self.preset = preset
            return
        }
        preset = list == nil ? "rails" : "rest"
        if let list { options.envelope = list }
        let next = facts.next ?? Self.next(in: answer)
        options.total = facts.total(count: count, hasNext: next != nil) ?? "none"
        options.pagination = next ?? (list == nil ? "link" : "none")
        guard next == nil else { return }
        let total = facts.number(options.total) ?? count
        guard total <= count else {
            throw Failure(
                .data,
                "\(answer.url.shown) has \(total) objects and gives \(count) of them: nothing says how "
                    + "the list goes on. Choose --preset, or say it in a tidemark.yml."
            )
        }
        if options.total == "none", count > 0, count % 5 == 0 {
            doubt =
                "\(answer.url.shown): Nothing says whether these \(count) objects are all; they are "
                + "taken for all there are."
        }
    }

    /// The way that the header fields tell.
    private static func next(in answer: SampleAnswer) -> String? {
        if answer.hasNextLink { return "link" }
        let name = HTTPField.Name("Next-Page")
        return name.flatMap { answer.headers[$0] } == nil ? nil : "header:Next-Page"
    }
}

extension String {
    /// Whether it is an entity tag that is a whole number.
    fileprivate var isStamp: Bool {
        count > 10 && hasPrefix("\"") && hasSuffix("\"")
            && dropFirst().dropLast().allSatisfy(\.isNumber)
    }
}

/// What stands in a document beside the objects, and what these look like.
struct AnswerFacts {
    /// Where the list is.
    let list: String?

    private(set) var isJSONAPI = false
    private(set) var hasObjectIDs = false

    /// How the list goes on, as an option says it.
    private(set) var next: String?

    private var numbers: [String: Int] = [:]

    /// Where services put the address of the next page.
    private static let nextPlaces = [
        "next", "links.next", "_links.next", "paging.next", "pagination.next", "info.next",
        "meta.next", "meta.links.next", "meta.pagination.links.next", "nextLink", "next_link",
        "next_page_url", "nextPageUrl", "next_url", "nextUrl",
    ]

    /// Where services tell how many objects there are.
    private static let totalPlaces = [
        "total", "total_count", "totalCount", "count", "total_results", "totalResults",
        "totalElements", "totalItems", "meta.total", "meta.total_count", "meta.totalCount",
        "meta.count", "meta.pagination.total", "info.count", "info.total", "paging.total",
        "pagination.total", "page.totalElements",
    ]

    init(_ answer: SampleAnswer, list: String?) {
        self.list = list
        let type = answer.headers[.contentType]?.lowercased() ?? ""
        isJSONAPI = type.hasPrefix("application/vnd.api+json") && list == "data"
        for name in ["X-Total-Count", "X-Total", "Total-Count"] {
            let text = HTTPField.Name(name).flatMap { answer.headers[$0] }
            if let number = text.flatMap({ Int($0) }) { numbers["header:\(name)"] = number }
        }
        answer.document.withRoot { root in
            if root.kind == .object { look(beside: root) }
            if let items = list.map({ root.node(at: $0) }) ?? root { look(at: items) }
        }
    }

    private mutating func look(beside root: JSONNode) {
        for place in Self.totalPlaces + ["skip", "offset", "limit", "page", "total_pages"]
            + ["totalPages", "last_page", "pages", "page_count"]
        {
            if let node = root.node(at: place), node.kind == .number, let number = node.integer {
                numbers[place] = Int(number)
            }
        }
        let place =
            Self.nextPlaces.first { root.node(at: $0)?.isLink == true }
            ?? Self.nextPlaces.first { root.node(at: $0)?.kind == .null }
        next = place.map { "next:\($0)" } ?? counted
    }

    /// The way in which pages are counted, where the document says that they are.
    private var counted: String? {
        let limit = numbers["limit"] ?? 0
        if limit > 0, let offset = ["skip", "offset"].first(where: { numbers[$0] == 0 }) {
            return "offset:\(offset)"
        }
        let hasPages = ["total_pages", "totalPages", "last_page", "pages", "page_count"]
            .contains { (numbers[$0] ?? 0) > 0 }
        return hasPages && numbers["page"] == 1 ? "page:page" : nil
    }

    private mutating func look(at items: JSONNode) {
        guard items.kind == .array else { return }
        for item in items.elements {
            guard item.kind == .object else { return }
            hasObjectIDs = item.member("objectId")?.kind == .string
            let isTyped =
                item.member("type")?.kind == .string && item.member("id")?.kind == .string
                && item.member("attributes")?.kind == .object
            isJSONAPI = isJSONAPI || isTyped && list == "data"
            return
        }
    }

    /// Where the number of all objects stands, as an option says it.
    ///
    /// A number that is only this page's does not count.
    func total(count: Int, hasNext: Bool) -> String? {
        let places = numbers.keys.filter { $0.hasPrefix("header:") }.sorted() + Self.totalPlaces
        return places.first { place in
            numbers[place].map { $0 > count || $0 == count && !hasNext } ?? false
        }
    }

    /// The number at a place.
    func number(_ place: String?) -> Int? {
        place.flatMap { numbers[$0] }
    }
}

extension JSONNode {
    /// Whether it is an address, or an object that holds one.
    fileprivate var isLink: Bool {
        switch kind {
        case .string:
            return ["http://", "https://", "/", "?"].contains { string.hasPrefix($0) }
        case .object:
            return member("href")?.isLink ?? false
        case .array, .number, .true, .false, .null:
            return false
        }
    }
}
