import TidemarkRemote

extension StoredPaging {
    /// The options that describe how a list continues; nil where no option does.
    init?(_ paging: RecognizedPaging) {
        guard let pagination = paging.pagination.option else { return nil }
        self.init(pagination: pagination, total: paging.total.option)
    }

    /// How the list continues; nil where the options were written by another revision.
    var recognized: RecognizedPaging? {
        Pagination(option: pagination).map {
            RecognizedPaging(pagination: $0, total: TotalCount(option: total))
        }
    }
}
