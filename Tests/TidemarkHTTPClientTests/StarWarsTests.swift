import Foundation
import Testing
import TidemarkFakeServer
import TidemarkModel
import TidemarkRemote
import TidemarkTestSupport
import TidemarkTesting

struct StarWarsTests {
    private static func links(in json: FakeJSON) -> [String] {
        switch json {
        case .null, .bool, .number: []
        case .string(let text): text.hasPrefix("http") ? [text] : []
        case .array(let elements): elements.flatMap(links)
        case .object(let members): members.flatMap { links(in: $0.value) }
        }
    }

    @Test func `every link except those to planets has an inverse`() throws {
        let objects = try StarWars.data().collections.flatMap(\.objects)
        let outgoing = objects.reduce(into: [String: Set<String>]()) { found, object in
            found[object["url"]?.string ?? ""] = Set(Self.links(in: object))
        }
        #expect(outgoing.count == 220)
        for (url, links) in outgoing {
            for link in links {
                #expect(outgoing[link]?.contains(url) == true || link.contains("planets"), "\(url)")
            }
        }
    }

    @Test func `every object is linked from a film`() throws {
        let data = try StarWars.data()
        let shown = Set((data[objects: "films"] ?? []).flatMap(Self.links))
        let all = data.collections.flatMap(\.objects).compactMap { $0["url"]?.string }
        #expect(Set(all) == shown)
    }

    @Test(arguments: TestTransport.allCases)
    func `links in responses lead to the service`(_ transport: TestTransport) async throws {
        let fake = try StarWars.service()
        try await transport.withRemote(fake) { remote, _ in
            let page = try await remote.first("films/")
            let links = try page.objects().flatMap(Self.links)
            #expect(links.count > 100)
            #expect(links.allSatisfy { $0.hasPrefix(remote.service.url.absoluteString) })
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `lists are read concurrently`(_ transport: TestTransport) async throws {
        let fake = try StarWars.service()
        var limits = Limits.longTimeout
        limits.concurrency = 20
        let objectCount = try await transport.withRemote(fake, limits: limits) { remote, _ in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<limits.concurrency {
                    group.addTask { try await remote.pageCounts("people/").reduce(0, +) }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(objectCount == 20 * 82)
        #expect(fake.requests.count == 20 * 9)
    }
}
