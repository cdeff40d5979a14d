/// The pagination and the total of a list, recognized from its first response.
///
/// The result depends on the response alone: no request is sent, and no state is kept. An
/// indication of further objects is never ignored: if no page leads to them, ``unreachable`` quotes
/// it, and the response must not be taken for the whole list.
package struct PaginationRecognition: Hashable, Sendable {
    /// The pagination of the list; nil if the response shows none.
    package private(set) var pagination: Pagination?

    /// The source of the number of objects in the whole list.
    package let total: TotalCount

    /// The number found at ``total``.
    let totalCount: Int?

    /// The indication of more objects than the response and its next page lead to, such as
    /// `has_more: true`; nil without one.
    package private(set) var unreachable: String?

    /// Whether the response shows how the list continues, or that it is complete.
    ///
    /// If false, that it is complete is only assumed.
    package let isConfirmed: Bool

    /// Recognizes a list from its first response.
    ///
    /// - Parameters:
    ///   - evidence: What the response shows.
    ///   - count: The number of objects in the response.
    ///   - usesTotals: Whether to use the total, which is wrong in some services.
    ///   - isWhole: Whether the response is of the whole list, not of its changes: some services
    ///     report the total of the whole list for the latter too.
    init(
        _ evidence: PaginationEvidence,
        count: Int,
        usesTotals: Bool = true,
        isWhole: Bool = true
    ) {
        let link = evidence.continuation
        let token = evidence.tokenPagination
        let found = usesTotals ? evidence.total(onPageOf: count, isLinked: link.isPresent) : nil
        // A token outranks a null link, as some services have members for both, unless all objects
        // are there.
        let hasAll = link.isNull && found?.number == count
        pagination =
            (link.isNull && !hasAll ? token : nil) ?? link.pagination ?? token
            ?? evidence.countedPagination
        total = found?.source ?? .none
        totalCount = found?.number
        if pagination == nil, found != nil, evidence.pageCountField(above: 1) != nil {
            // Only with a total, which ends the list: some services respond with 400 to a page
            // after the last one.
            pagination = .number(parameter: "page")
        }
        guard pagination == nil || link.isNull && token == nil else {
            isConfirmed = true
            return
        }
        let indication =
            evidence.unreachable ?? (isWhole ? found?.indication(ofMoreThan: count) : nil)
        unreachable = indication
        isConfirmed =
            indication == nil
            // A bare `count` may be that of the page.
            && (link.isNull || evidence.flag != nil
                || totalCount == count && found?.isOfPage != true
                || evidence.pageCount == 1)
    }

    /// Returns the recognition with secrets hidden in the quoted indication, and the latter
    /// truncated.
    func hiding(_ secrets: SecretMask) -> PaginationRecognition {
        var recognition = self
        recognition.unreachable = unreachable.map {
            ServiceMessage.oneLine(secrets.hiding(in: $0), limit: 100)
        }
        return recognition
    }
}
