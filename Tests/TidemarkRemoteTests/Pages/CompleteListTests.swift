import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkTesting

@testable import TidemarkRemote

/// Lists that are complete although something in their responses looks like pagination.
///
/// The shapes are in `complete-lists.json`, with what follows from those that cannot be
/// distinguished from pages of longer lists.
struct CompleteListTests {
    /// A response, and what is to be recognized from it.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let list: String
        let count: Int
        let fields: HTTPFields
        let text: String

        /// What is suspected; nil if the list is taken for complete.
        let suspected: String?

        /// The query of the request for the next page; nil if none is certain.
        let next: String?

        /// What the error says; nil without one.
        let failure: String?

        var testDescription: String { name }

        init(_ object: [String: Any]) throws {
            name = try #require(object["name"] as? String)
            list = try #require(object["list"] as? String)
            count = try #require(object["count"] as? Int)
            var fields: HTTPFields = [:]
            for (field, value) in try #require(object["headers"] as? [String: String]) {
                fields.append(HTTPField(name: try #require(.init(field)), value: value))
            }
            self.fields = fields
            let body = try JSONSerialization.data(
                withJSONObject: try #require(object["body"]),
                options: [.fragmentsAllowed, .sortedKeys]
            )
            text = String(decoding: body, as: UTF8.self)
            suspected = object["suspected"] as? String
            next = object["next"] as? String
            failure = object["failure"] as? String
        }
    }

    static let shapes: [Shape] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "complete-lists.json")
        do {
            let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            return try #require(json as? [[String: Any]]).map { try Shape($0) }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private func page(_ shape: Shape) async throws -> PageMetadata {
        var fixture = RemoteFixture()
        fixture.limits.http.attempts = 1
        var resource = fixture.service.resource("Thing", path: "things")
        resource.style.envelope = shape.list.isEmpty ? .none : Envelope(option: shape.list)
        resource.style.asksForSecondPage = true
        let transport = StubTransport(shape.text, fields: shape.fields)
        return try await fixture.remote(transport).page(PageRequest(first: resource)).metadata
    }

    @Test(arguments: shapes.filter { $0.failure == nil && $0.suspected == nil })
    func `a complete list is taken for complete`(_ shape: Shape) async throws {
        let page = try await page(shape)
        #expect(page.count == shape.count)
        // Where a service counts pages, an empty one ends the list.
        #expect(page.next?.url?.query() == shape.next)
        #expect(page.suspected == nil)
    }

    @Test(arguments: shapes.filter { $0.suspected != nil })
    func `a list that may be a page is not taken for complete`(_ shape: Shape) async throws {
        let page = try await page(shape)
        #expect(page.next == nil)
        let suspected = try #require(page.suspected)
        guard case .end(let quote, _) = suspected.otherwise else {
            Issue.record("\(suspected.otherwise)")
            return
        }
        #expect(quote == shape.suspected)
    }

    @Test(arguments: shapes.filter { $0.failure != nil })
    func `a list that says that it is a page is an error`(_ shape: Shape) async throws {
        let error = await #expect(throws: RemoteError.self) { try await page(shape) }
        #expect(error?.message.contains(shape.failure ?? "") == true, "\(error?.message ?? "")")
    }

    @Test func `there are at least two hundred shapes`() {
        #expect(Self.shapes.count >= 200)
    }
}
