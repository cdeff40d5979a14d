import HTTPTypes
import TidemarkModel

/// What a response shows about the pagination and the length of its list, under the names that
/// services use by convention.
struct PaginationEvidence {
    let members: DocumentMembers
    let headers: HTTPFields

    /// The paths of the objects that may describe the list.
    let containers: [[String]]

    /// Creates the evidence of a response.
    ///
    /// - Parameters:
    ///   - members: The document.
    ///   - headers: The header fields of the response.
    ///   - list: The path of the list in the document; empty for the document itself.
    init(_ members: DocumentMembers, headers: HTTPFields, list: [String]) {
        self.init(members, headers: headers, containers: Names.containers(of: list))
    }

    /// Creates the evidence in some objects of a response.
    init(_ members: DocumentMembers, headers: HTTPFields, containers: [[String]]) {
        self.members = members
        self.headers = headers
        self.containers = containers
    }

    /// The paths of members with one of the names, those of the outermost object first.
    private func paths(named names: [String]) -> [[String]] {
        containers.flatMap { container in names.map { container + [$0] } }
    }

    // MARK: Next page

    /// The URL of the next page, or the member that would contain it.
    struct Continuation {
        var pagination: Pagination?
        var isPresent = false

        /// Whether the member is present and indicates that there is no next page.
        var isNull: Bool { pagination != nil && !isPresent }
    }

    /// How the response links to the next page.
    var continuation: Continuation {
        // Header fields first: their meaning is standardized, that of members is a convention.
        if LinkField.target(of: "next", in: headers) != nil {
            return Continuation(pagination: .linkHeader, isPresent: true)
        }
        if headers[named: "Next-Page"]?.isURLReference == true {
            return Continuation(pagination: .nextHeader("Next-Page"), isPresent: true)
        }
        for path in paths(named: Names.links) {
            guard case .url(let text)? = members.relation(at: path), text.isURLReference else {
                continue
            }
            return Continuation(pagination: .nextInBody(path), isPresent: true)
        }
        var null: [String]?
        for path in nextPaths {
            switch members.link(at: path) {
            case .url(let text) where text.isURLReference:
                return Continuation(pagination: .nextInBody(path), isPresent: true)
            case .none where null == nil && members.has(path): null = path
            case .none, .url, .unknown: break
            }
        }
        return Continuation(pagination: null.map(Pagination.nextInBody))
    }

    /// The paths of members that may contain the URL of the next page.
    private var nextPaths: [[String]] {
        containers.flatMap { container in
            Names.next.map { container + [$0] } + Names.links.map { container + [$0, "next"] }
        }
    }

    /// The pagination by a page token, whose parameter follows from the name of the member.
    ///
    /// Source: Google AIP-158 for page tokens; cursors by convention.
    var tokenPagination: Pagination? {
        // A wrong parameter is detected: the service would return the same page and the same token
        // again.
        for (name, parameter) in Names.tokens {
            for path in paths(named: [name]) where members.isToken(at: path) {
                return .token(path, parameter: parameter)
            }
        }
        return nil
    }

    /// The pagination by page number or offset, if the response contains that number.
    var countedPagination: Pagination? {
        if headers[named: "X-Next-Page"] == "2" { return .number(parameter: "page") }
        for container in containers {
            func number(_ names: [String]) -> (name: String, value: Int)? {
                for name in names {
                    if let value = members.integer(at: container + [name]) { return (name, value) }
                }
                return nil
            }
            // Only counts that start at the first page or object.
            if let limit = number(Names.limits), limit.value > 0,
                let offset = number(Names.offsets),
                offset.value == (Names.offsetsFromOne.contains(offset.name) ? 1 : 0)
            {
                return .offset(parameter: offset.name)
            }
            let isCounted =
                (number(Names.pageCounts)?.value ?? 0) > 1
                || number(["next_page", "nextPage"])?.value == 2
            if isCounted, let page = number(Names.pageNumbers), (0...1).contains(page.value) {
                return .number(parameter: "page")
            }
        }
        return nil
    }

    /// Returns the number of the first page or object in its response; nil if the response has
    /// none that is 0 or 1.
    func base(of pagination: Pagination) -> Int? {
        let names: [String]
        switch pagination {
        case .number(let parameter): names = [parameter] + Names.pageNumbers
        // `start` beside `offset` may be the number of the first object that is shown.
        case .offset(let parameter): names = [parameter]
        default: return nil
        }
        let numbers = paths(named: names).lazy.compactMap { members.integer(at: $0) }
        return numbers.first { (0...1).contains($0) }
    }

    /// Whether the response says that there are pages before it.
    var isLaterPage: Bool {
        paths(named: ["first"]).lazy.compactMap { members.boolean(at: $0) }.first == false
    }

    // MARK: Length

    /// A number of objects in the whole list.
    struct Total {
        let source: TotalCount
        let name: String
        let number: Int

        /// Whether it may be the number of objects on the page.
        var isOfPage: Bool { name == "count" || name.hasSuffix(".count") }

        /// Returns the total as an indication of more objects than a number; nil if it is not
        /// larger.
        func indication(ofMoreThan count: Int) -> String? {
            number > count ? "\(name): \(number)" : nil
        }
    }

    /// Returns the total, ignoring a number that may be only the count of this page.
    ///
    /// - Parameters:
    ///   - count: The number of objects on the page.
    ///   - isLinked: Whether the response links to a next page, so that the list is longer.
    /// - Returns: The first total in the order of the names; nil without one.
    func total(onPageOf count: Int, isLinked: Bool) -> Total? {
        // If the page is as long as its limit, `count` may be the number of objects on the page.
        let isFull = paths(named: Names.limits).contains { members.integer(at: $0) == count }
        func total(_ source: TotalCount, named name: String, isCertain: Bool) -> Total? {
            guard let number = source.number(in: members, headers: headers),
                number > count || number == count && !isLinked && isCertain
            else { return nil }
            return Total(source: source, name: name, number: number)
        }
        for name in Names.totalFields {
            if let found = total(.header(name), named: name, isCertain: true) { return found }
        }
        for name in Names.totals {
            for path in paths(named: [name]) {
                let isCertain = !isFull || name != "count"
                let text = path.joined(separator: ".")
                if let found = total(.body(path), named: text, isCertain: isCertain) {
                    return found
                }
            }
        }
        return nil
    }

    /// The number of pages that the response reports for its list; nil if it reports none.
    var pageCount: Int? {
        Names.pageFields.lazy.compactMap { headers[named: $0].flatMap { Int($0) } }.first
            ?? paths(named: Names.pageCounts).lazy.compactMap { members.integer(at: $0) }.first
    }

    /// Returns the header field whose page count exceeds a number.
    func pageCountField(above page: Int) -> String? {
        for name in Names.pageFields {
            guard let count = headers[named: name].flatMap({ Int($0) }), count > page else {
                continue
            }
            return "\(name): \(count)"
        }
        return nil
    }

    private func pageCount(above page: Int) -> String? {
        pageCountField(above: page)
            ?? paths(named: Names.pageCounts).first { (members.integer(at: $0) ?? 0) > page }?
            .joined(separator: ".")
    }

    // MARK: More objects

    /// The flag that says whether there are more objects, with its value; nil without one.
    var flag: (indication: String, hasMore: Bool)? {
        for path in paths(named: Names.more + Names.last) {
            guard let value = members.boolean(at: path), let name = path.last else { continue }
            let indication = "\(path.joined(separator: ".")): \(value)"
            return (indication, Names.last.contains(name) ? !value : value)
        }
        return headers[named: "X-Has-More"].flatMap { Bool($0.lowercased()) }
            .map { ("X-Has-More: \($0)", $0) }
    }

    /// Whether the response says that it is the last page, which outranks every link and token:
    /// some services send these with all pages.
    var isLastPage: Bool { flag?.hasMore == false || LinkField.leadsToEmptyPage(in: headers) }

    /// The indication of more objects in a response that leads to none.
    var unreachable: String? { unreachableCount ?? (isLastPage ? nil : unreachablePage) }

    /// The flag that says that there are more objects, or the number of pages, if that is above 1.
    private var unreachableCount: String? {
        if let flag, flag.hasMore { return flag.indication }
        return pageCount(above: 1)
    }

    /// The link to a next page, or the token of one, from which no request follows.
    private var unreachablePage: String? {
        for path in nextPaths {
            let name = path.joined(separator: ".")
            switch members.link(at: path) {
            case .url(let text): return "\(name): \(text)"
            case .unknown: return name
            case .none: break
            }
        }
        return Names.otherTokenFields.first { headers[named: $0]?.isEmpty == false }
            ?? paths(named: Names.otherTokens + Names.tokens.map(\.0))
            .first { members.isToken(at: $0) }?.joined(separator: ".")
    }

    /// Returns the indication on the last page of a list that there are more objects, such as
    /// `Link: rel="next"`; nil without one.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1. The response to the first page shows how the list
    ///     continues; that of a later page may only show its own number.
    ///   - count: The number of objects on the page.
    ///   - usesLinks: Whether links and tokens to a next page count.
    ///   - usesTotals: Whether to use the total.
    /// - Returns: The indication, on one line.
    func unreachable(
        fromLastPage page: Int,
        count: Int,
        usesLinks: Bool,
        usesTotals: Bool
    ) -> String? {
        let link = continuation
        if usesLinks, link.isPresent, let pagination = link.pagination {
            return pagination == .linkHeader ? "Link: rel=\"next\"" : pagination.option
        }
        guard page == 1 else {
            if let flag, flag.hasMore { return flag.indication }
            return pageCount(above: page)
        }
        let total = usesTotals ? total(onPageOf: count, isLinked: false) : nil
        // Beside a null link, all objects are there.
        let isWhole = link.isNull && total?.number == count
        return unreachableCount ?? (usesLinks && !isWhole ? unreachablePage : nil)
            ?? total?.indication(ofMoreThan: count)
    }
}

extension String {
    /// Whether the string has the form of a URL or a relative reference.
    var isURLReference: Bool {
        ["http://", "https://", "/"].contains { lowercased().hasPrefix($0) }
            || contains("?") && contains("=") && !contains(" ")
    }
}
