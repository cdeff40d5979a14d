import Foundation
import HTTPTypes
import Testing
import TidemarkRemote
import TidemarkTesting

struct FakeServiceTests {
    private let fake = FakeService(
        collections: [
            "films": [
                ["url": "https://x.example/films/1/", "people": ["https://x.example/people/1/"]],
                ["url": "https://x.example/films/2/", "people": []],
            ],
            "people": [
                ["url": "https://x.example/people/1/", "film": "https://x.example/films/1/"]
            ],
        ],
        linkBase: "https://x.example/"
    )

    private func send(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        of fake: FakeService? = nil
    ) async throws -> (status: Int, text: String) {
        let request = HTTPRequest(method: method, scheme: "http", authority: "h:1", path: path)
        let response = try await (fake ?? self.fake).send(request, body: nil)
        let bytes = try await response.collect(upTo: 1 << 20)
        return (response.head.status.code, String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: [
        ("/api/", 200, #"{"films":"http://h:1/api/films/","people":"http://h:1/api/people/"}"#),
        (
            "/api/people/1/", 200,
            #"{"url":"http://h:1/api/people/1/","film":"http://h:1/api/films/1/"}"#
        ),
        ("/api/people/2/", 404, #"{"detail":"Not found"}"#),
        ("/api/people/?page=2", 404, #"{"detail":"Invalid page."}"#),
        ("/api/people/?page=x", 404, #"{"detail":"Invalid page."}"#),
        ("/api/people", 301, ""),
    ])
    func `responses follow the REST dialect`(
        _ path: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let response = try await send(path)
        #expect(response.status == status)
        #expect(response.text == text)
    }

    @Test(arguments: ["/api/ships/", "/api/ships", "/other/", "/api/people/1/more/"])
    func `an unknown path returns an HTML page`(_ path: String) async throws {
        let response = try await send(path)
        #expect(response.status == 404)
        #expect(response.text.contains("<h1>Not Found</h1>"))
    }

    @Test func `writes are not allowed, and a HEAD response has no body`() async throws {
        #expect(try await send("/api/films/", .post).status == 405)
        let head = try await send("/api/films/", .head)
        #expect(head.status == 200)
        #expect(head.text.isEmpty)
    }

    @Test func `deleting an object removes the links to it`() async throws {
        fake["films/1"] = nil
        #expect(fake["films/1"] == nil)
        #expect(fake["people/1"]?["film"] == .null)
        fake["people/1"] = nil
        #expect(fake["films/2"]?["people"] == [])
        #expect(try await send("/api/films/").text.hasPrefix(#"{"count":1,"next":null"#))
    }

    @Test func `objects are changed and added between requests`() async throws {
        fake["films/2"]?["title"] = "Two"
        fake["films/3"] = ["url": "https://x.example/films/3/"]
        fake.change { $0["ships/1"] = ["id": 1] }
        #expect(try await send("/api/films/2/").text.contains(#""title":"Two""#))
        #expect(try await send("/api/films/3/").text == #"{"url":"http://h:1/api/films/3/"}"#)
        #expect(try await send("/api/ships/1/").text == #"{"id":1}"#)
    }

    @Test func `faults are injected in order, and at their paths`() async throws {
        fake.inject(.status(500), times: 1, at: "films/")
        fake.inject(.status(502), times: 1)
        #expect(try await send("/api/people/").status == 502)
        #expect(try await send("/api/films/").status == 500)
        #expect(try await send("/api/films/").status == 200)
        fake.inject(.html)
        fake.removeFaults()
        #expect(try await send("/api/").text.hasPrefix("{"))
        #expect(
            fake.requests.description == """
                GET /api/people/ 502
                GET /api/films/ 500
                GET /api/films/ 200
                GET /api/ 200
                """
        )
    }

    @Test(
        .enabled(if: SharedData.isAvailable, "There is no shared/data/swapi next to the package."),
        arguments: ["films", "people", "planets", "species", "starships", "vehicles"]
    )
    func `pages equal the recorded responses of SWAPI`(_ list: String) async throws {
        let swapi = FakeService(
            data: try .read(from: SharedData.folder),
            linkBase: "https://swapi.dev/api/"
        )
        for number in 1...9 {
            let file = SharedData.folder.appending(path: "pages/\(list).page\(number).json")
            guard FileManager.default.fileExists(atPath: file.path) else {
                #expect(try await send("/api/\(list)/?page=\(number)", of: swapi).status == 404)
                break
            }
            let recorded = try FakeJSON(parsing: Data(contentsOf: file)).description
            let text = try await send("/api/\(list)/?page=\(number)", of: swapi).text
            #expect(text == recorded.replacing("https://swapi.dev/", with: "http://h:1/"))
        }
    }
}
