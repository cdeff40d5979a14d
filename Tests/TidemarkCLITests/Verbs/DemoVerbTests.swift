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
        #expect(
            try reports.map { try JSON(parsing: $0)["isComplete"] } == [true, true, true, true]
        )

        let second = try await folder.done("demo")
        let counts = second.lines.filter {
            $0.contains(#/^(Film|Person|Planet|Species|Starship|Vehicle) /#)
        }.map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(counts.count == 12)
        for (index, line) in counts.enumerated() {
            // The service has its original data again, and the films that were edited get it, too.
            guard index != 0 else {
                #expect(Array(line.dropFirst(3)) == ["0", "3", "3", "0", "0"], "\(line)")
                continue
            }
            // The last five columns are inserted, updated, unchanged, deleted and skipped.
            #expect([line[3], line[4], line[6], line[7]] == ["0", "0", "0", "0"], "\(line)")
            // Pages that are not modified are not sent again.
            #expect([line[1], line[2]] == ["0", "0"] || line[5] == line[2], "\(line)")
            #expect(line[5] != "0", "\(line)")
        }
        #expect(try await folder.dump("starwars.sqlite") == dump)
    }

    @Test func `the demo edits films, and shows a conflict and a rejection`() async throws {
        let outcome = try await Folder().done("demo")
        let lines = outcome.lines.filter { !$0.contains("─") }.map { line in
            line.split(separator: " ").joined(separator: " ")
                .replacing(/[0-9-]+T[0-9:]+Z/, with: "TIME")
        }
        let start = try #require(lines.firstIndex(of: "Editing three films offline:"))
        let end = try #require(lines.firstIndex { $0.hasPrefix("The store is") })
        #expect(
            lines[start..<end] == [
                "Editing three films offline:",
                "row key kind properties state since attempts reason",
                "Film#1 1 update title pending", "Film#2 2 update director pending",
                "Film#3 3 update title pending",
                "Another client changes the director of one of them, too. Syncing:",
                "Film: 1 updated, 1 rejected, 1 overruled",
                "id row kind property base local remote decision decidedBy",
                "1 Film#2 edit director Irvin Kershner Kershner I. Kershner remote remoteWins",
                "The conflict was decided for the service. What is left:",
                "row key kind properties state since attempts reason",
                "Film#3 3 update title rejected TIME 2 400 title: This field may not be blank.",
                "Correcting the title, and syncing again:", "Film: 1 updated",
                "Nothing is left to push.",
            ]
        )
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
        #expect(suggestions.count == 5)
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
