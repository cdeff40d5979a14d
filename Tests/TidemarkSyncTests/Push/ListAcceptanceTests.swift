import Testing

@testable import TidemarkSync

struct ListAcceptanceTests {
    @Test(arguments: [(changes: 1, requests: 4), (10, 2), (25, 1), (100, 1)])
    func `a list of which nothing is known gets no more changes at a time than it may reject`(
        changes: Int,
        requests: Int
    ) {
        #expect(ListAcceptance(limit: 25).allowance(by: changes, atMost: 4) == requests)
    }
}
