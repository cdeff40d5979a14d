extension MetadataReader {
    /// Returns the page that may follow this one, the first and last of a list, although nothing
    /// that conventions define says so; nil if nothing suggests one.
    ///
    /// - Throws: ``RemoteError`` if the page is beyond the limit for pages.
    func suspectedPage() throws -> SuspectedPage? {
        guard isFirst, style.pagination == .automatic, !members.lacks(list),
            let found = suspectedEvidence
        else { return nil }
        let end: SuspectedPage.Alternative =
            found.indication.map { indication in
                let quoted = ServiceMessage.oneLine(
                    context.secrets.hiding(in: indication),
                    limit: 100
                )
                return .end(quoting: quoted, isDecidable: found.isDecidable)
            } ?? .assumedEnd(objects: items.count)
        guard let pagination = found.pagination else { return SuspectedPage(nil, otherwise: end) }
        var reader = self
        reader.request.paging = recognized(pagination, total: request.total)
        do {
            guard let url = try reader.nextURL(total: nil) else { return nil }
            let next = try reader.follow(url)
            let second = SuspectedPage(next.counted(from: 1), otherwise: end)
            return try reader.firstCountedPage(otherwise: .suspected(second))
                ?? SuspectedPage(next, otherwise: end)
        } catch let error as RemoteError where error.code == .paginationLoop {
            // A link of the page to itself leads nowhere.
            return nil
        } catch let error as RemoteError where error.code == .linkRejected {
            // A link to another service is not followed, and is quoted.
            return SuspectedPage(nil, otherwise: end)
        }
    }

    // MARK: The base of page numbers

    /// Returns page 1 if it is unknown whether that is the first or the second page: it follows
    /// this one if it has other objects.
    ///
    /// - Parameter otherwise: What follows if pages are counted from 1.
    /// - Returns: The page; nil if its place is known.
    /// - Throws: ``RemoteError`` if the page is beyond the limit for pages.
    func firstCountedPage(
        otherwise: SuspectedPage.Alternative
    ) throws -> SuspectedPage? {
        guard isFirst, request.base == nil, case .number(let parameter) = request.pagination,
            !isNumberRequested(parameter), let url = url(with: parameter, "1")
        else { return nil }
        return SuspectedPage(try follow(url).counted(from: 0), otherwise: otherwise)
    }

    /// Returns a recognized pagination with the base that the response shows, or that an earlier
    /// one has shown.
    func recognized(_ pagination: Pagination, total: TotalCount) -> RecognizedPaging {
        let isKnown = request.paging?.pagination == pagination
        return RecognizedPaging(
            pagination: pagination,
            total: total,
            base: shownBase(of: pagination) ?? (isKnown ? request.paging?.base : nil)
        )
    }

    /// The configured pagination with the base that the response shows; nil without one.
    var shownPaging: RecognizedPaging? {
        shownBase(of: style.pagination).map {
            RecognizedPaging(pagination: style.pagination, total: request.total, base: $0)
        }
    }

    /// The number in the response to the first page that says which page, or which object, is the
    /// first; nil without one.
    private func shownBase(of pagination: Pagination) -> Int? {
        guard isFirst, let parameter = pagination.countingParameter,
            !isNumberRequested(parameter)
        else { return nil }
        return evidence.base(of: pagination)
    }

    private func isNumberRequested(_ parameter: String) -> Bool {
        parameters?[parameter: parameter] != nil
    }

    /// Checks that the response to the request for the first page is not of a later one.
    ///
    /// - Throws: ``RemoteError/Code/incompleteList``.
    func expectFirstPage() throws {
        guard isFirst, let parameter = request.pagination.countingParameter,
            !isNumberRequested(parameter), evidence.isLaterPage
        else { return }
        throw RemoteError(
            .incompleteList,
            "\(context.url.shown) is not the first page of its list: it says `first: false`.",
            hint: "Add the number of the first page to the path, as in `things?\(parameter)=0`."
        )
    }

    var suspectedEvidence: SuspectedEvidence? {
        let isWhole = request.mode.isWhole
        let found = evidence.suspected(
            onPageOf: items.count,
            // With changes, a number may be that of the whole list.
            usesTotals: style.total != .none && isWhole,
            requested: context.requestedURL,
            except: style.delta.markPath
        )
        guard found == nil, style.asksForSecondPage, isWhole else { return found }
        return evidence.fullPage(of: items.count, requested: context.requestedURL)
    }
}
