import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

/// The pagination and the completeness of a list, recognized from its first response.
struct PaginationRecognitionTests {
    /// A response with two objects, and the expected recognition.
    struct Case: Sendable, CustomTestStringConvertible {
        let body: String
        var list = "items"
        var fields: [String: String] = [:]
        var pagination: String?
        var total = "none"
        var unreachable: String?
        var isConfirmed = false
        var testDescription: String { "\(body) \(fields)" }
    }

    private static let two = #"[{"id": 1}, {"id": 2}]"#

    /// Recognizes a response, in which `TWO` is replaced by a list of two objects.
    private func recognize(_ given: Case) async throws -> PaginationRecognition {
        var fields = HTTPFields()
        for (name, value) in given.fields {
            fields[try #require(HTTPField.Name(name))] = value
        }
        let body = given.body.replacing("TWO", with: Self.two)
        let sample = try await RemoteFixture().remote(StubTransport(body, fields: fields))
            .sample(at: #require(URL(string: RemoteFixture.address + "things")))
        let list = given.list.split(separator: ".").map(String.init)
        return sample.recognition(list: list, count: 2)
    }

    @Test func `a quoted indication of more objects does not contain a secret`() async throws {
        var fixture = RemoteFixture()
        fixture.service.headers[.authorization] = "Bearer t0psecret"
        let body = #"{"items": [{"id": 1}], "next_page": "x?t0psecret", "total": 5}"#
        let sample = try await fixture.remote(StubTransport(body))
            .sample(at: #require(URL(string: RemoteFixture.address + "things")))
        let found = sample.recognition(list: ["items"], count: 1)
        #expect(found.unreachable?.contains("t0psecret") != true)
    }

    private func check(_ given: Case) async throws {
        let found = try await recognize(given)
        #expect(found.pagination?.option == given.pagination)
        #expect(found.total.option == given.total)
        #expect(found.unreachable == given.unreachable)
        #expect(found.isConfirmed == given.isConfirmed)
    }

    @Test(arguments: [
        Case(
            body: #"{"items": TWO, "next": "/things?page=2", "count": 2}"#,
            pagination: "next:next",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "links": [{"rel": "next", "href": "?page=2"}]}"#,
            pagination: "next:links",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "link": [{"relation": "next", "url": "?page=2"}]}"#,
            pagination: "next:link",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "@links": {"next": [{"uri": "/things?page=2"}]}}"#,
            pagination: "next:@links.next",
            isConfirmed: true
        ),
        Case(
            body: #"{"data": {"items": TWO, "meta": {"next_page_url": "?page=2", "total": 7}}}"#,
            list: "data.items",
            pagination: "next:data.meta.next_page_url",
            total: "data.meta.total",
            isConfirmed: true
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["Link": "</things?page=2>; rel=\"next\"", "X-Total-Count": "7"],
            pagination: "link",
            total: "header:X-Total-Count",
            isConfirmed: true
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["Next-Page": "/things?page=2"],
            pagination: "header:Next-Page",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "nextPageToken": "a/b="}"#,
            pagination: "token:nextPageToken>pageToken",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "next": null, "next_cursor": 17}"#,
            pagination: "token:next_cursor>cursor",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "offset": "itr1/rec2"}"#,
            pagination: "token:offset>offset",
            isConfirmed: true
        ),
        Case(
            body: #"{"data": {"items": TWO, "after": "t3_2"}}"#,
            list: "data.items",
            pagination: "token:data.after>after",
            isConfirmed: true
        ),
        Case(
            body: #"{"value": TWO, "@odata.nextLink": "/things?$skip=2", "@odata.count": 7}"#,
            list: "value",
            pagination: "next:@odata.nextLink",
            total: #""@odata.count""#,
            isConfirmed: true
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-Next-Page": "2"],
            pagination: "page:page",
            isConfirmed: true
        ),
        // If a page is as long as its limit, `count` may be the number of objects on the page.
        Case(
            body: #"{"items": TWO, "offset": 0, "limit": 2, "count": 2}"#,
            pagination: "offset:offset",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "pagination": {"offset": 0, "limit": 2, "total": 7}}"#,
            pagination: "offset:offset",
            total: "pagination.total",
            isConfirmed: true
        ),
        Case(
            body: #"{"items": TWO, "meta": {"current_page": 1, "next_page": 2}}"#,
            pagination: "page:page",
            isConfirmed: true
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-WP-Total": "7", "X-WP-TotalPages": "4"],
            pagination: "page:page",
            total: "header:X-WP-Total",
            isConfirmed: true
        ),
    ])
    func `the pagination is recognized from the first response`(_ given: Case) async throws {
        try await check(given)
    }

    @Test(arguments: [
        Case(
            body: #"{"items": TWO, "total_size": 7}"#,
            total: "total_size",
            unreachable: "total_size: 7"
        ),
        Case(
            body: #"{"data": {"items": TWO, "total": 7}}"#,
            list: "data.items",
            total: "data.total",
            unreachable: "data.total: 7"
        ),
        Case(body: #"{"items": TWO, "has_more": true}"#, unreachable: "has_more: true"),
        Case(body: #"{"items": TWO, "page": {"last": false}}"#, unreachable: "page.last: false"),
        Case(body: #"{"items": TWO, "next": 3}"#, unreachable: "next"),
        Case(body: #"{"items": TWO, "next": {"page": 2}}"#, unreachable: "next"),
        Case(body: #"{"items": TWO, "next": "abc"}"#, unreachable: "next: abc"),
        Case(
            body: #"{"items": TWO, "total": "7"}"#,
            total: "total",
            unreachable: "total: 7"
        ),
        Case(
            body: #"{"items": TWO, "count": 2, "limit": 2, "hasMoreItems": true}"#,
            unreachable: "hasMoreItems: true"
        ),
        Case(body: #"{"items": TWO, "IsTruncated": true}"#, unreachable: "IsTruncated: true"),
        Case(
            body: #"{"items": TWO, "LastEvaluatedKey": {"id": 2}}"#,
            unreachable: "LastEvaluatedKey"
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-Has-More": "true"],
            unreachable: "X-Has-More: true"
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-MS-Continuation": "a"],
            unreachable: "X-MS-Continuation"
        ),
        Case(body: #"{"items": TWO, "meta": {"pages": 4}}"#, unreachable: "meta.pages"),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-Count-Total": "7"],
            total: "header:X-Count-Total",
            unreachable: "X-Count-Total: 7"
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["Content-Range": "items 0-1/7"],
            total: "header:Content-Range",
            unreachable: "Content-Range: 7"
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-Total-Pages": "4"],
            unreachable: "X-Total-Pages: 4"
        ),
    ])
    func `an indication of more objects without a next page is quoted`(_ given: Case) async throws {
        try await check(given)
    }

    @Test(arguments: [
        Case(
            body: #"{"items": TWO, "next": null}"#,
            pagination: "next:next",
            isConfirmed: true
        ),
        Case(body: #"{"items": TWO, "has_more": false}"#, isConfirmed: true),
        Case(body: #"{"items": TWO, "total_count": 2}"#, total: "total_count", isConfirmed: true),
        Case(
            body: #"{"items": TWO, "total_count": 2, "offset": 0, "limit": 25}"#,
            pagination: "offset:offset",
            total: "total_count",
            isConfirmed: true
        ),
        Case(
            body: "TWO",
            list: "",
            fields: ["X-Total-Count": "2"],
            total: "header:X-Total-Count",
            isConfirmed: true
        ),
    ])
    func `a response that shows its list to be complete is confirmed`(_ given: Case) async throws {
        try await check(given)
    }

    @Test(arguments: [
        Case(body: "TWO", list: ""),
        Case(body: #"{"items": TWO, "link": "/things", "links": [{"url": "/a?b=c"}]}"#),
        Case(body: #"{"items": TWO, "links": {"self": "/things"}, "total": "many", "pages": []}"#),
        Case(body: #"{"items": TWO, "total": 1, "count": 1.5}"#),
        Case(body: #"{"other": {"next": "/x?y=z", "total": 9}, "items": TWO}"#),
        Case(body: "TWO", list: "", fields: ["X-Total-Count": "many", "Next-Page": "2"]),
    ])
    func `other responses leave open whether the list is complete`(_ given: Case) async throws {
        try await check(given)
    }
}
