extension ListRecognition {
    /// Where services put what they say about a list: names by convention, the usual ones first.
    enum Places {
        /// The objects that may contain something about a list: those around it, and their members
        /// that services use for it.
        static func containers(of list: [String]) -> [[String]] {
            list.indices.flatMap { length -> [[String]] in
                let outer = Array(list.prefix(length))
                return [outer] + inner.map { outer + $0 }
            }
        }

        private static let inner = [
            ["meta"], ["meta", "pagination"], ["meta", "page"], ["metadata"], ["_meta"],
            ["pagination"], ["_pagination"], ["paging"], ["page"], ["page_info"], ["pageInfo"],
            ["info"], ["response_metadata"],
        ]

        /// The paths of all members that may say something about a list.
        static func all(of list: [String]) -> [[String]] {
            guard !list.isEmpty else { return [] }
            let containers = containers(of: list)
            let paths = containers.flatMap { place in names.map { place + [$0] } }
            // What contains others of these is looked into, and is not one of them.
            return paths.filter { !containers.contains($0) }
        }

        /// The names of members that say something about a list, or contain such members.
        static let names: Set<String> = {
            var names = Set(nextNames + linkNames + limits + offsets + pageCounts + totals)
            names.formUnion(more + last + signs + tokens.map(\.0) + ["page", "current_page"])
            names.formUnion(inner.joined())
            return names
        }()

        /// The members that may hold the address of the next page.
        static func next(in containers: [[String]]) -> [[String]] {
            containers.flatMap { place in
                nextNames.map { place + [$0] } + linkNames.map { place + [$0, "next"] }
            }
        }

        /// The members that may be a list of links, each with its relation.
        static func relations(in containers: [[String]]) -> [[String]] {
            containers.flatMap { place in linkNames.map { place + [$0] } }
        }

        private static let nextNames = [
            "next", "nextLink", "next_link", "next_page_url", "nextPageUrl", "next_url", "nextUrl",
            "next_page", "nextPage", "next_href", "nextHref", "nextRecordsUrl", "@odata.nextLink",
            "odata.nextLink",
        ]

        private static let linkNames = ["links", "_links", "@links", "link"]

        static let tokens = [
            ("nextPageToken", "pageToken"), ("next_page_token", "page_token"),
            ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("after", "after"),
            ("offset", "offset"),
        ]

        static let limits = ["limit", "maxResults", "max_results", "per_page", "perPage"]
        static let offsets = ["skip", "offset", "startAt", "start_at", "start"]
        static let pageCounts = [
            "total_pages", "totalPages", "last_page", "lastPage", "pages", "page_count",
            "pageCount", "num_pages", "numPages",
        ]

        static let totals = [
            "total", "total_count", "totalCount", "total_size", "totalSize", "total_results",
            "totalResults", "total_elements", "totalElements", "total_items", "totalItems",
            "total_records", "totalRecords", "total_rows", "totalRows", "total_entries",
            "recordsTotal",
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
            "hasMoreItems", "has_more_items",
        ]

        static let last = ["last", "isLast", "is_last", "isLastPage", "is_last_page", "done"]

        /// Texts that lead to a next page by a parameter that nothing names.
        static let signs = [
            "nextToken", "next_token", "next_marker", "nextMarker", "continuation",
            "continuationToken", "continuation_token", "endCursor", "end_cursor", "scroll_id",
            "_scroll_id", "NextToken", "NextMarker", "LastEvaluatedKey",
        ]

        /// Header fields that lead to a next page by a parameter that nothing names.
        static let signFields = ["X-Next-Page", "X-MS-Continuation", "X-Next-Cursor"]

        /// The first of some names in some containers that satisfies a condition.
        static func first(
            _ names: [String],
            in containers: [[String]],
            where isIt: ([String]) -> Bool
        ) -> String? {
            for place in containers {
                for name in names where isIt(place + [name]) {
                    return (place + [name]).joined(separator: ".")
                }
            }
            return nil
        }
    }
}
