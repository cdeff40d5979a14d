import HTTPTypes
import TidemarkModel

import struct Foundation.URL
import struct Foundation.URLComponents

/// What may mean that a list has more objects than its response, although no convention says so: a
/// member or a header field whose name has words such as *cursor* or *total*, or a number of
/// objects that is a usual page size.
struct SuspectedEvidence {
    /// The member or the field, with its value; nil for the number of objects.
    var indication: String?

    /// The pagination by which a next page may be requested; nil if none follows.
    var pagination: Pagination?

    /// Whether there is no next page if the request for it returns no other objects.
    ///
    /// It proves nothing where the parameter of the request was guessed.
    var isDecidable = false
}

/// A page that may follow a list's first one.
///
/// It does if it has objects which the first one does not have.
package struct SuspectedPage: Hashable, Sendable {
    /// The request for the page; nil if none is known.
    package var next: PageRequest?

    /// What follows instead, if it does not.
    package var otherwise: Alternative

    /// What follows a list's first page if the suspected one does not.
    package indirect enum Alternative: Hashable, Sendable {
        /// Another page.
        case page(PageRequest)

        /// Another page that may follow.
        case suspected(SuspectedPage)

        /// Nothing: the list ends. That is proved if `isDecidable` and the suspected page was a
        /// list without other objects; otherwise the response has what is quoted.
        case end(quoting: String, isDecidable: Bool)

        /// Nothing: that the list ends is assumed. It has as many objects as a full page.
        case assumedEnd(objects: Int)
    }

    /// Returns whether a page of a number of objects is as long as full pages usually are.
    package static func isFull(_ count: Int) -> Bool {
        [10, 20, 25, 30, 50, 100, 200, 250, 500, 1000].contains(count)
    }

    /// Creates a page.
    package init(_ next: PageRequest?, otherwise: Alternative) {
        self.next = next
        self.otherwise = otherwise
    }
}

extension PaginationEvidence {
    /// Returns what may mean that the list has more objects.
    ///
    /// It is read if nothing that conventions define says how the list continues or ends.
    ///
    /// - Parameters:
    ///   - count: The number of objects in the response.
    ///   - usesTotals: Whether numbers of objects count.
    ///   - url: The URL of the request.
    ///   - mark: The path of the member that leads to later changes; nil without one.
    /// - Returns: The evidence; nil without any.
    func suspected(
        onPageOf count: Int,
        usesTotals: Bool,
        requested url: URL,
        except mark: [String]? = nil
    ) -> SuspectedEvidence? {
        let scalars = containers.flatMap { container in
            members.scalars(in: container).map { (path: container + [$0.name], value: $0.value) }
        }
        .filter { $0.path != mark }
        for (path, value) in scalars {
            guard let name = path.last.map(PageName.init), value.mayLeadOn,
                name.mayLeadOn || name.mayLinkOn && value.link?.isPage(of: url) == true
            else { continue }
            return suspected(value, at: path, requested: url)
        }
        for field in headers where PageName(field.name.rawName).mayLeadOnInField {
            let value = DocumentMembers.Scalar.text(field.value)
            guard value.mayLeadOn else { continue }
            return suspected(value, inField: field.name.rawName, requested: url)
        }
        guard usesTotals else { return nil }
        for (path, value) in scalars {
            guard let name = path.last, PageName(name).mayCountObjects, let number = value.integer,
                number > count
            else { continue }
            let shown = path.joined(separator: ".")
            return SuspectedEvidence(indication: "\(shown): \(number)")
        }
        for field in headers where PageName(field.name.rawName).mayCountObjectsInField {
            guard let number = Int(field.value), number > count else { continue }
            return SuspectedEvidence(indication: "\(field.name.rawName): \(number)")
        }
        return nil
    }

    private func suspected(
        _ value: DocumentMembers.Scalar,
        at path: [String],
        requested url: URL
    ) -> SuspectedEvidence {
        let name = path.last ?? ""
        var found = SuspectedEvidence(indication: "\(path.joined(separator: ".")): \(value)")
        if case .text(let text) = value, text.isURLReference {
            found.pagination = .nextInBody(path)
            found.isDecidable = true
        } else if let parameter = parameter(for: name, requested: url) {
            found.pagination = .token(path, parameter: parameter)
            found.isDecidable = true
        } else if case .text = value, PageName(name).isCursor {
            found.pagination = .token(path, parameter: name)
        }
        return found
    }

    private func suspected(
        _ value: DocumentMembers.Scalar,
        inField name: String,
        requested url: URL
    ) -> SuspectedEvidence {
        var found = SuspectedEvidence(indication: "\(name): \(value)")
        if case .text(let text) = value, text.isURLReference {
            found.pagination = .nextHeader(name)
            found.isDecidable = true
        } else if let parameter = parameter(for: name, requested: url) {
            found.pagination = .headerToken(name, parameter: parameter)
            found.isDecidable = true
        }
        return found
    }

    /// Returns the parameter of the request, or of a link in the response, that may take the value
    /// of a member or a field.
    private func parameter(for name: String, requested url: URL) -> String? {
        let name = PageName(name)
        return parameters(requested: url).first { name.isTaken(by: PageName($0)) }
    }

    /// The names of the query parameters in the request and in the links of the response.
    private func parameters(requested url: URL) -> [String] {
        let links = containers.flatMap { container in
            members.scalars(in: container).compactMap { $0.value.link }
                + Names.links.flatMap { members.links(in: container + [$0]) }
        }
        let field = headers[named: "Link"].map(LinkField.targets(in:)) ?? []
        return ([url.absoluteString] + links + field).flatMap { link in
            URLComponents(string: link)?.queryItems?.map(\.name) ?? []
        }
    }

    // MARK: Full pages

    /// Returns how a second page is requested of a list whose first page is as long as full pages
    /// usually are; nil if it has another length.
    func fullPage(of count: Int, requested url: URL) -> SuspectedEvidence? {
        guard SuspectedPage.isFull(count) else { return nil }
        let names = parameters(requested: url)
        let parameter = names.first { Self.pageParameters.contains($0.lowercased()) } ?? "page"
        return SuspectedEvidence(
            pagination: Self.offsetParameters.contains(parameter.lowercased())
                ? .offset(parameter: parameter) : .number(parameter: parameter)
        )
    }

    private static let offsetParameters: Set = ["offset", "skip", "start"]
    private static let pageParameters = offsetParameters.union([
        "page", "p", "pagenumber", "page_number", "pageno", "page[number]",
    ])
}

extension String {
    /// Whether the text is a link to the path of a URL: that of a list, in which the query selects
    /// the page.
    fileprivate func isPage(of url: URL) -> Bool {
        guard let link = URL(string: self, relativeTo: url), link.query() != nil else {
            return false
        }
        return link.deletingPathExtension().path() == url.deletingPathExtension().path()
    }
}
