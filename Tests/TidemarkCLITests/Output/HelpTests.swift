import Testing

/// The help, the version and the completion scripts of the command.
struct HelpTests {
    /// Checks that a command, its arguments and its subcommands have a description.
    private func checkHelp(_ command: JSON, _ path: [String]) {
        let name = path + [command["commandName"]?.string ?? "?"]
        guard name.last != "help" else { return }
        #expect(command["abstract"]?.string?.isEmpty == false, "\(name)")
        for argument in command["arguments"]?.elements ?? [] {
            #expect(argument["abstract"]?.string?.isEmpty == false, "\(name): \(argument)")
        }
        for child in command["subcommands"]?.elements ?? [] {
            checkHelp(child, name)
        }
    }

    private func verbs(_ command: JSON, _ path: [String] = []) -> [String] {
        (command["subcommands"]?.elements ?? []).flatMap { child in
            let name = path + [child["commandName"]?.string ?? "?"]
            guard name != ["help"], child["shouldDisplay"] != false else { return [String]() }
            let below = verbs(child, name)
            return below.isEmpty ? [name.joined(separator: " ")] : below
        }
    }

    @Test func `every verb and every option has a description`() async throws {
        let outcome = try await Folder().done("--experimental-dump-help")
        let command = try #require(try outcome.json()["command"])
        checkHelp(command, [])
        #expect(verbs(command).sorted() == Tidemark.verbs.sorted())
    }

    @Test func `every verb accepts the common options`() async throws {
        let outcome = try await Folder().done("--experimental-dump-help")
        let command = try #require(try outcome.json()["command"])
        func check(_ command: JSON, _ path: [String]) {
            let children = command["subcommands"]?.elements ?? []
            let name = path + [command["commandName"]?.string ?? "?"]
            for child in children { check(child, name) }
            guard children.isEmpty, name.last != "help", command["shouldDisplay"] != false else {
                return
            }
            let options = (command["arguments"]?.elements ?? []).flatMap { argument in
                (argument["names"]?.elements ?? []).compactMap { $0["name"]?.string }
            }
            #expect(Set(["format", "quiet", "q"]).isSubset(of: options), "\(name): \(options)")
        }
        check(command, [])
    }

    @Test func `--help prints the help of every verb on standard output`() async throws {
        let folder = try Folder()
        for verb in Tidemark.verbs + ["model", ""] {
            let words = verb.split(separator: " ").map(String.init)
            let outcome = try await folder.run(words + ["--help"])
            #expect(outcome.status == 0)
            #expect(outcome.stdout.hasPrefix("OVERVIEW: "))
            #expect(outcome.stdout.contains("USAGE: tidemark \(verb)"))
            #expect(outcome.stderr == "")
        }
    }

    @Test func `without a verb the help is printed`() async throws {
        let outcome = try await Folder().done()
        #expect(outcome.stdout.contains("USAGE: tidemark <subcommand>"))
    }

    @Test func `the version is three numbers`() async throws {
        let outcome = try await Folder().done("--version")
        #expect(outcome.stdout.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completion script contains every verb`(_ shell: String) async throws {
        let outcome = try await Folder().done("--generate-completion-script", shell)
        for verb in Tidemark.verbs {
            let word = verb.split(separator: " ").last.map(String.init) ?? verb
            #expect(outcome.stdout.contains(word), "\(verb)")
        }
        #expect(outcome.stderr == "")
    }

    @Test func `a completion script for an unknown shell is a usage error`() async throws {
        let outcome = try await Folder().run("--generate-completion-script", "tcsh")
        #expect(outcome.status == 64)
    }
}
