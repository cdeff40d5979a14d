import HTTPTypes
import TidemarkModel

/// The pagination and the total of a list, recognized from its first response.
///
/// The result depends on the response alone: no request is sent, and no state is kept. An
/// indication of further objects is never ignored: if no page leads to them, ``unreachable`` quotes
/// it, and the response must not be taken for the whole list.
package struct ListRecognition: Hashable, Sendable {
    /// The pagination of the list; nil if the response shows none.
    package private(set) var pagination: Pagination?

    /// The source of the number of objects in the whole list.
    package private(set) var total = TotalCount.none

    /// The indication of more objects than the response and its next page lead to, such as
    /// `has_more: true`; nil without one.
    package private(set) var unreachable: String?

    /// Whether the response shows how the list continues, or that it is complete.
    ///
    /// If false, that it is complete is only assumed.
    package private(set) var isConfirmed = false

    /// Recognizes a list from its first response.
    ///
    /// - Parameters:
    ///   - body: The document.
    ///   - headers: The header fields of the response.
    ///   - list: The path of the list in the document; empty for the document itself.
    ///   - count: The number of objects in the response.
    ///   - believingTotals: Whether to use the total, which is wrong in some services.
    ///   - isWhole: Whether the response is of the whole list, not of its changes: some services
    ///     report the total of the whole list for the latter too.
    init(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        list: [String],
        count: Int,
        believingTotals: Bool = true,
        isWhole: Bool = true
    ) {
        let places = list.isEmpty ? [] : Places.containers(of: list)
        let link = Self.link(body, headers, places)
        let token = Self.token(body, places)
        // A token outranks a null link: some services have members for both.
        pagination =
            (link.isNull ? token : nil) ?? link.pagination ?? token
            ?? Self.counted(body, headers, places)
        if believingTotals {
            readTotal(body, headers, places, count: count, isLinked: link.isPresent)
        }
        if pagination == nil, total != .none,
            Self.pageCount(BodyFacts([:]), headers, [], above: 1) != nil
        {
            // Only with a total, which ends the list: some services respond with 400 to a page
            // after the last one.
            pagination = .number(parameter: "page")
        }
        guard pagination == nil || link.isNull && token == nil else {
            isConfirmed = true
            return
        }
        let isMore = Self.flag(body, headers, places)
        unreachable =
            Self.sign(body, headers, places, isMore)
            ?? (isWhole ? largerTotal(than: count) : nil)
        isConfirmed = unreachable == nil && (link.isNull || isMore != nil || totalCount == count)
    }

    /// Returns the recognition with secrets hidden in the quoted indication, and the latter
    /// truncated.
    func hiding(_ secrets: SecretMask) -> ListRecognition {
        var recognition = self
        recognition.unreachable = unreachable.map {
            ServiceMessage.oneLine(secrets.hiding(in: $0), limit: 100)
        }
        return recognition
    }

    /// Returns the indication on the last page of a list that there are more objects, such as
    /// `Link: rel="next"`; nil without one.
    ///
    /// - Parameters:
    ///   - body: The document.
    ///   - headers: The header fields of the response.
    ///   - list: The path of the list in the document; empty for the document itself.
    ///   - count: The number of objects on the page.
    ///   - page: The number of the page, from 1. The response to the first page shows how the list
    ///     continues; that of a later page may only show its own number.
    ///   - believingTotals: Whether to use the total.
    /// - Returns: The indication, on one line.
    static func sign(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        list: [String],
        count: Int,
        page: Int,
        believingTotals: Bool
    ) -> String? {
        let places = list.isEmpty ? [] : Places.containers(of: list)
        let link = link(body, headers, places)
        if link.isPresent, let pagination = link.pagination {
            return pagination == .linkHeader ? "Link: rel=\"next\"" : pagination.option
        }
        let isMore = flag(body, headers, places)
        guard page == 1 else {
            return isMore == true
                ? flagName(body, headers, places) : pageCount(body, headers, places, above: page)
        }
        var recognition = ListRecognition()
        if believingTotals {
            recognition.readTotal(body, headers, places, count: count, isLinked: false)
        }
        return sign(body, headers, places, isMore) ?? recognition.largerTotal(than: count)
    }

    /// Returns the number of pages that a response reports for its list; nil if it reports none.
    static func pages(_ body: BodyFacts, _ headers: HTTPFields, list: [String]) -> Int? {
        for name in Places.pageFields {
            guard let number = HTTPField.Name(name).flatMap({ headers[$0] }).flatMap({ Int($0) })
            else { continue }
            return number
        }
        for place in list.isEmpty ? [] : Places.containers(of: list) {
            for name in Places.pageCounts {
                if let number = body.integer(at: place + [name]) { return number }
            }
        }
        return nil
    }

    private init() {}

    /// Returns the indication that the total exceeds a number of objects; nil if it does not.
    private func largerTotal(than count: Int) -> String? {
        totalCount.flatMap { $0 > count ? "\(totalName): \($0)" : nil }
    }

    /// The number found at ``total``, and the name of its member or field.
    private(set) var totalCount: Int?
    private var totalName: String {
        switch total {
        case .none, .automatic: ""
        case .body(let path): path.joined(separator: ".")
        case .header(let name): name
        }
    }

    // MARK: Next page

    /// The URL of the next page, or the member that would contain it.
    private struct Link {
        var pagination: Pagination?
        var isPresent = false

        /// Whether the member is present and indicates that there is no next page.
        var isNull: Bool { pagination != nil && !isPresent }
    }

    private static func link(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]]
    ) -> Link {
        // Header fields first: their meaning is standardized, that of members is a convention.
        if LinkField.target(of: "next", in: headers) != nil {
            return Link(pagination: .linkHeader, isPresent: true)
        }
        if let name = HTTPField.Name("Next-Page"), headers[name]?.isAddress == true {
            return Link(pagination: .nextHeader("Next-Page"), isPresent: true)
        }
        for place in Places.relations(in: places) {
            guard case .address(let text)? = body.relation(at: place), text.isAddress else {
                continue
            }
            return Link(pagination: .nextInBody(place), isPresent: true)
        }
        var null: [String]?
        for place in Places.next(in: places) {
            switch body.link(at: place) {
            case .address(let text) where text.isAddress:
                return Link(pagination: .nextInBody(place), isPresent: true)
            case .none where null == nil && body.has(place): null = place
            case .none, .address, .unknown: break
            }
        }
        return Link(pagination: null.map(Pagination.nextInBody))
    }

    /// Recognizes a page token whose parameter follows from the name of the member.
    ///
    /// Source: Google AIP-158 for page tokens; cursors by convention. A wrong parameter is
    /// detected: the service would return the same page and the same token again.
    private static func token(_ body: BodyFacts, _ places: [[String]]) -> Pagination? {
        for (name, parameter) in Places.tokens {
            for place in places where body.isToken(at: place + [name]) {
                return .token(place + [name], parameter: parameter)
            }
        }
        return nil
    }

    /// Recognizes pagination by page number or offset, if the response contains that number.
    private static func counted(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]]
    ) -> Pagination? {
        if let name = HTTPField.Name("X-Next-Page"), headers[name] == "2" {
            return .number(parameter: "page")
        }
        for place in places {
            func number(_ names: [String]) -> (name: String, value: Int)? {
                for name in names {
                    if let value = body.integer(at: place + [name]) { return (name, value) }
                }
                return nil
            }
            // Only counts that start at offset 0 or page 1, as the returned pagination does.
            if let limit = number(Places.limits), limit.value > 0,
                let offset = number(Places.offsets), offset.value == 0
            {
                return .offset(parameter: offset.name)
            }
            let isCounted =
                (number(Places.pageCounts)?.value ?? 0) > 0
                || number(["next_page", "nextPage"])?.value == 2
            if isCounted, number(["page", "current_page"])?.value == 1 {
                return .number(parameter: "page")
            }
        }
        return nil
    }

    // MARK: Totals

    /// Finds the total.
    ///
    /// A number that may be only the count of this page is ignored.
    private mutating func readTotal(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]],
        count: Int,
        isLinked: Bool
    ) {
        // If the page is as long as its limit, `count` may be the number of objects on the page.
        let isFull = places.contains { place in
            Places.limits.contains { body.integer(at: place + [$0]) == count }
        }
        func take(_ total: TotalCount, isCertain: Bool = true) -> Bool {
            guard let number = total.number(body, headers),
                number > count || number == count && !isLinked && isCertain
            else { return false }
            self.total = total
            totalCount = number
            return true
        }
        for name in Places.totalFields where take(.header(name)) { return }
        for name in Places.totals {
            for place in places
            where take(.body(place + [name]), isCertain: !isFull || name != "count") {
                return
            }
        }
    }

    // MARK: Signs

    /// Returns whether a flag indicates more objects; nil if there is no flag.
    private static func flag(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]]
    ) -> Bool? {
        for place in places {
            for name in Places.more {
                if let isMore = body.boolean(at: place + [name]) { return isMore }
            }
            for name in Places.last {
                if let isLast = body.boolean(at: place + [name]) { return !isLast }
            }
        }
        return HTTPField.Name("X-Has-More").flatMap { headers[$0] }
            .flatMap { Bool($0.lowercased()) }
    }

    /// Returns the flag that indicates more objects, with its value.
    private static func flagName(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]]
    ) -> String? {
        Places.first(Places.more, in: places) { body.boolean(at: $0) == true }
            .map { "\($0): true" }
            ?? Places.first(Places.last, in: places) { body.boolean(at: $0) == false }
            .map { "\($0): false" }
            ?? "X-Has-More: true"
    }

    /// Returns the indication of more objects in a response that leads to none.
    private static func sign(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]],
        _ isMore: Bool?
    ) -> String? {
        if isMore == true { return flagName(body, headers, places) }
        if let sign = pageCount(body, headers, places, above: 1) { return sign }
        for place in Places.next(in: places) {
            let name = place.joined(separator: ".")
            switch body.link(at: place) {
            case .address(let text): return "\(name): \(text)"
            case .unknown: return name
            case .none: break
            }
        }
        // Some services send a token with the last page too, along with a flag that it is the last.
        guard isMore == nil else { return nil }
        for name in Places.signFields {
            guard let field = HTTPField.Name(name), headers[field]?.isEmpty == false else {
                continue
            }
            return name
        }
        return Places.first(Places.signs + Places.tokens.map(\.0), in: places) {
            body.isToken(at: $0)
        }
    }

    /// Returns the field or member whose page count exceeds a number.
    private static func pageCount(
        _ body: BodyFacts,
        _ headers: HTTPFields,
        _ places: [[String]],
        above page: Int
    ) -> String? {
        for name in Places.pageFields {
            guard let value = HTTPField.Name(name).flatMap({ headers[$0] }),
                let number = Int(value), number > page
            else { continue }
            return "\(name): \(number)"
        }
        return Places.first(Places.pageCounts, in: places) { (body.integer(at: $0) ?? 0) > page }
    }
}

extension String {
    /// Whether the string has the form of a URL or a relative reference.
    fileprivate var isAddress: Bool {
        ["http://", "https://", "/"].contains { lowercased().hasPrefix($0) }
            || contains("?") && contains("=") && !contains(" ")
    }
}
