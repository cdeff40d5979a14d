import Foundation
import Testing
import TidemarkSync

@testable import TidemarkCLI

/// The progress lines of a pull at a terminal.
struct PullProgressTests {
    private let names = ResourceNames(["films/": "Film", "people/": "Person", "species/": "Film"])

    private func part(
        _ done: Int,
        _ expected: Int?,
        isEnded: Bool = false
    ) -> SyncProgress.Part {
        var part = SyncProgress.Part()
        part.done = done
        part.expected = expected
        part.isEnded = isEnded
        return part
    }

    @Test func `each running resource has a line, with the expected count if it is known`() {
        let parts = [
            "people/": part(41, 82), "films/": part(7, nil), "vehicles/": part(9, 3),
            "species/": part(0, 0), "later/": part(0, nil), "planets/": part(60, 60, isEnded: true),
        ]
        #expect(
            PullProgress.lines(parts, names: names, isColored: false) == [
                "░░░░░░░░░░░░░░░░░░░░░░░░ Film (films/)    7 objects",
                "████████████░░░░░░░░░░░░ Person           41 of 82 objects",
                "████████████████████████ Film (species/)  0 of 0 objects",
                "████████████████████████ vehicles/        9 of 9 objects",
                "1 of 6 resources are done",
            ]
        )
    }

    @Test func `eight resources have a line, and the others are counted`() {
        let parts = Dictionary(uniqueKeysWithValues: (10..<40).map { ("r\($0)/", part(1, 2)) })
        let lines = PullProgress.lines(parts, names: names, isColored: false)
        #expect(lines.count == 9)
        #expect(lines.last == "22 more in progress")
        #expect(PullProgress.lines([:], names: names, isColored: false) == [])
    }

    @Test func `a line has at most 79 characters and no control characters`() {
        let name = "a/\u{1B}[2J\u{7}\n/" + String(repeating: "long/", count: 50)
        for (done, expected) in [(1, nil), (Int.max, Int.max), (3, 7), (-1, -7)] as [(Int, Int?)] {
            let lines = PullProgress.lines(
                [name: part(done, expected)],
                names: names,
                isColored: false
            )
            #expect(lines.count == 1)
            for line in lines {
                #expect(line.count <= 79)
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }

    @Test func `only the bar is colored`() {
        let line = ProgressBar.line(1, of: 2, label: "words", isColored: true)
        #expect(line.hasSuffix("\u{1B}[0m words"))
        let plain = ProgressBar.line(1, of: 2, label: "words", isColored: false)
        #expect(line.replacing(/\u{1B}\[\d+m/, with: "") == plain)
    }

    @Test func `erasing removes as many lines as are displayed`() {
        #expect(ProgressBar.erasure(0) == "\r\u{1B}[J")
        #expect(ProgressBar.erasure(1) == "\r\u{1B}[J")
        #expect(ProgressBar.erasure(3) == "\r\u{1B}[2A\u{1B}[J")
    }
}
