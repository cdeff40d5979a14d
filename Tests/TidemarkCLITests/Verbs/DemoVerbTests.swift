import Testing

/// `tidemark demo`, which pulls a fake service into a store.
@Suite(.timeLimit(.minutes(40)))
struct DemoVerbTests {
    @Test func `the demo fills a store, and a second run changes nothing`() async throws {
        let folder = try Folder()
        let first = try await folder.done("demo")
        #expect(try folder.names() == ["starwars.sqlite"])
        #expect(first.stderr == "")
        #expect(first.stdout.contains("Person        9       82        82        0"))
        #expect(first.stdout.contains("A New Hope                     4  George Lucas"))
        #expect(first.stdout.contains("Nothing changed: 24 requests, "))
        let dump = try await folder.dump("starwars.sqlite")
        #expect(dump["Film"]?.elements.count == 6)
        #expect(dump["Person"]?.elements.count == 82)

        let quiet = try await folder.done("demo", "-q")
        #expect(quiet.stdout + quiet.stderr == "")
        let reports = try await folder.done("demo", "--format", "json").lines
        #expect(try reports.map { try JSON(parsing: $0)["isComplete"] } == [true, true])

        let second = try await folder.done("demo")
        let counts = second.lines.filter {
            $0.contains(#/^(Film|Person|Planet|Species|Starship|Vehicle) /#)
        }.map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(counts.count == 12)
        for line in counts {
            // The last five columns are inserted, updated, unchanged, deleted and skipped.
            #expect([line[3], line[4], line[6], line[7]] == ["0", "0", "0", "0"], "\(line)")
            // Pages that are not modified are not sent again.
            #expect([line[1], line[2]] == ["0", "0"] || line[5] == line[2], "\(line)")
            #expect(line[5] != "0", "\(line)")
        }
        #expect(try await folder.dump("starwars.sqlite") == dump)
    }

    @Test func `concurrent demos use a free port each`() async throws {
        let folder = try Folder()
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 1...3 {
                group.addTask { try await folder.run("demo", "--store", "\(number).db") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.status == 0, "\(outcome)") }
        #expect(try folder.names() == ["1.db", "2.db", "3.db"])
    }

    @Test func `the commands that the demo suggests succeed`() async throws {
        let folder = try Folder()
        let outcome = try await folder.done("demo", "--store", "films.db")
        let suggestions = outcome.lines.filter { $0.hasPrefix("  tidemark ") }
        #expect(suggestions.count == 4)
        for line in suggestions {
            let words = line.split(separator: " ").dropFirst().map(String.init)
            let outcome = try await folder.run(words)
            #expect(outcome.status == 0, "\(line)\n\(outcome)")
            #expect(outcome.stdout.count > 100, "\(line)")
        }
    }

    @Test func `the demo does not modify a file that is not a store`() async throws {
        let folder = try Folder()
        let text = String(repeating: "not a store ", count: 100)
        try folder.write(text, to: "starwars.sqlite")
        let outcome = try await folder.run("demo")
        #expect(outcome.status == 65)
        #expect(try folder.text(of: "starwars.sqlite") == text)
    }
}
