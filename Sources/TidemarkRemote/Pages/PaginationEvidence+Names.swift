extension PaginationEvidence {
    /// The names that services use by convention for pagination and totals, the most common first.
    enum Names {
        /// Returns the paths of the objects that may describe a list: those that contain it, and
        /// their members that services use for this purpose.
        static func containers(of list: [String]) -> [[String]] {
            list.indices.flatMap { length -> [[String]] in
                let outer = Array(list.prefix(length))
                return [outer] + inner.map { outer + $0 }
            }
        }

        private static let inner = [
            ["meta"], ["meta", "pagination"], ["meta", "page"], ["metadata"], ["_meta"],
            ["pagination"], ["_pagination"], ["paging"], ["page"], ["page_info"], ["pageInfo"],
            ["info"], ["cursor"], ["properties"], ["links", "pages"], ["response_metadata"],
            ["hydra:view"], ["view"],
            ["additional_data"],
            ["additional_data", "pagination"],
        ]

        /// Returns the paths of all members that may describe a list.
        static func paths(of list: [String]) -> [[String]] {
            // Containers are among them: `page` may be the number of the page too.
            containers(of: list).flatMap { container in all.map { container + [$0] } }
        }

        /// The names of members that describe a list, or that contain such members.
        static let all: Set<String> = {
            var names = Set(next + links + limits + offsets + pageCounts + totals)
            names.formUnion(more + last + otherTokens + tokens.map(\.0) + pageNumbers + ["first"])
            names.formUnion(inner.joined())
            return names
        }()

        static let next = [
            "next", "nextLink", "next_link", "next_page_url", "nextPageUrl", "next_url", "nextUrl",
            "next_page", "nextPage", "next_href", "nextHref", "nextRecordsUrl", "@odata.nextLink",
            "odata.nextLink", "hydra:next", "after_url",
        ]

        static let links = ["links", "_links", "@links", "link"]

        static let tokens = [
            ("nextPageToken", "pageToken"), ("next_page_token", "page_token"),
            ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("after", "after"),
            ("offset", "offset"), ("next_start", "start"), ("nextCursorMark", "cursorMark"),
            ("continue", "continue"),
        ]

        static let limits = [
            "limit", "maxResults", "max_results", "per_page", "perPage", "itemsPerPage",
            "items_per_page",
        ]
        static let offsets = [
            "skip", "offset", "startAt", "start_at", "start", "startIndex", "start_index",
        ]

        /// The names of offsets at services that count from 1.
        ///
        /// Source: RFC 7644 (SCIM), 3.4.2.4.
        static let offsetsFromOne: Set = ["startIndex", "start_index"]

        static let pageNumbers = [
            "page", "current_page", "currentPage", "number", "page_number", "pageNumber",
        ]
        static let pageCounts = [
            "total_pages", "totalPages", "last_page", "lastPage", "pages", "page_count",
            "pageCount", "num_pages", "numPages", "nbPages", "total-pages",
        ]

        static let totals = [
            "total", "total_count", "totalCount", "total_size", "totalSize", "total_results",
            "totalResults", "total_elements", "totalElements", "total_items", "totalItems",
            "total_records", "totalRecords", "total_rows", "totalRows", "total_entries",
            "recordsTotal", "numFound", "hydra:totalItems", "nbHits", "total-results",
            "@odata.count", "count",
        ]

        static let totalFields = [
            "X-Total-Count", "X-Total", "Total-Count", "X-Count-Total", "X-WP-Total",
            "X-Pagination-Total-Count", "Pagination-Total-Count", "X-Total-Results",
            "Content-Range",
        ]

        static let pageFields = [
            "X-Total-Pages", "X-WP-TotalPages", "Total-Pages", "X-Pagination-Page-Count",
            "Pagination-Page-Count", "X-Page-Count",
        ]

        static let more = [
            "has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "more",
            "moreResultsAvailable", "truncated", "isTruncated", "is_truncated", "IsTruncated",
            "hasMoreItems", "has_more_items", "more_items_in_collection", "exceededTransferLimit",
        ]

        static let last = [
            "last", "isLast", "is_last", "isLastPage", "is_last_page", "last_page", "done",
            "end_of_stream", "endOfRecords",
        ]

        /// Tokens of a next page whose query parameter cannot be derived from the name.
        static let otherTokens = [
            "nextToken", "next_token", "next_marker", "nextMarker", "continuation",
            "continuationToken", "continuation_token", "endCursor", "end_cursor", "scroll_id",
            "_scroll_id", "NextToken", "NextMarker", "LastEvaluatedKey",
        ]

        /// Header fields with a token of a next page whose query parameter cannot be derived from
        /// the name.
        static let otherTokenFields = ["X-Next-Page", "X-MS-Continuation", "X-Next-Cursor"]
    }
}
