import TidemarkRemote

extension StoredPaging {
    /// Creates the options that describe a recognized pagination; nil if no option describes it.
    init?(_ paging: RecognizedPaging) {
        guard let pagination = paging.pagination.option else { return nil }
        self.init(pagination: pagination, total: paging.total.option, base: paging.base)
    }

    /// The pagination; nil if another revision has written the options.
    var recognized: RecognizedPaging? {
        Pagination(option: pagination).map {
            RecognizedPaging(pagination: $0, total: TotalCount(option: total), base: base)
        }
    }
}
