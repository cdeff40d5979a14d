import Foundation
import Testing
import TidemarkFakeServer
import TidemarkRemote
import TidemarkTesting

@Suite(.enabled(if: SharedData.isAvailable, "There is no shared/data/swapi next to the package."))
struct SWAPITests {
    @Test(arguments: TestTransport.allCases)
    func `every object of the Star Wars API is read once`(_ transport: TestTransport) async throws {
        let fake = FakeService(
            data: try .read(from: SharedData.folder),
            linkBase: "https://swapi.dev/api/"
        )
        let lists = ["films", "people", "planets", "species", "starships", "vehicles"]
        let pages = try await transport.withRemote(fake) { remote, _ in
            var pages: [[Int]] = []
            for list in lists { pages.append(try await remote.pageCounts("\(list)/")) }
            return pages
        }
        #expect(pages.map { $0.reduce(0, +) } == [6, 82, 60, 37, 36, 39])
        #expect(pages.map(\.count) == [1, 9, 6, 4, 4, 4])
        #expect(fake.requests.count == 28)
    }
}
