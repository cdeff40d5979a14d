import HTTPTypes
import Testing
import TidemarkTesting

/// `tidemark model infer`, from files and from services.
@Suite(.timeLimit(.minutes(40)))
struct InferVerbTests {
    @Test(arguments: [
        InvalidCommand("model", "infer", "none.json", status: 66, "There is no file none.json."),
        InvalidCommand(
            "model",
            "infer",
            "empty.json",
            status: 65,
            "The samples: The lists are empty, so nothing can be inferred. "
                + "Give samples that have objects."
        ),
        InvalidCommand(
            "model",
            "infer",
            "texts.json",
            status: 65,
            "texts.json: The list holds no objects, so nothing can be inferred."
        ),
        InvalidCommand(
            "model",
            "infer",
            "broken.json",
            status: 65,
            "broken.json is not valid JSON: line 1, column 2: unexpected end of input."
        ),
    ])
    func `a sample that is missing, invalid or without objects is an error`(
        command: InvalidCommand
    ) async throws {
        let folder = try Folder()
        try folder.write("[]", to: "empty.json")
        try folder.write(#"["a"]"#, to: "texts.json")
        try folder.write("[", to: "broken.json")
        try await command.check(in: folder)
    }

    @Test func `an invalid entity name is a usage error`() async throws {
        let outcome = try await Folder().run("model", "infer", "-", "--name", "9x", stdin: "[{}]")
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("--name: The name is not made of a letter"))
    }

    @Test func `an unreachable service is reported without the secrets in its URL`() async throws {
        let outcome = try await Folder()
            .run("model", "infer", "http://ann:pw@127.0.0.1:1/things?token=secret")
        #expect(outcome.status == 69)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr.contains("127.0.0.1:1/things: "))
        #expect(!outcome.stderr.contains("secret"))
        #expect(!outcome.stderr.contains("pw"))
    }

    @Test func `a model inferred from a service contains no secrets of its URL`() async throws {
        try await Shop.open { shop in
            let outcome = try await shop.folder.done(
                "model",
                "infer",
                "\(shop.url)/authors/?token=secret",
                "\(shop.url)/books/"
            )
            #expect(
                outcome.lines.filter { !$0.hasPrefix("#") } == [
                    "entities:",
                    "  Author:",
                    "    attributes:",
                    "      id: integer64",
                    "      name: string",
                    "    relationships:",
                    "      books: {to: Book, toMany: true, inverse: author}",
                    "  Book:",
                    "    attributes:",
                    "      id: integer64",
                    "      title: string",
                    "    relationships:",
                    "      author: {to: Author, inverse: books}",
                ]
            )
            #expect(outcome.stdout.contains("# ") && !outcome.stdout.contains("secret"))
            #expect(shop.fake.requests.count == 2)
        }
    }

    @Test func `an inferred model is valid and imports its samples without diagnostics`()
        async throws
    {
        let folder = try Folder()
        let page = """
            {"count": 2, "results": [
              {"id": 1, "no": "a: b", "first name": "x", "tags": [{"id": 7, "name": "t"}],
               "size": {"w": 1.5}, "on": null, "lines": [{"text": "#"}]},
              {"id": 2, "no": "yes", "first name": null, "tags": [{"id": 7, "name": "t"}],
               "size": null, "on": "off", "lines": []}]}
            """
        try folder.write(page, to: "things.json")
        let inferred = try await folder.done("model", "infer", "things.json")
        try folder.write(inferred.stdout, to: "model.yml")
        #expect(
            try await folder.done("model", "check", "model.yml").lines == ["No problems found."]
        )
        let report = try await folder.done(
            "import",
            "things.json",
            "--into",
            "Thing",
            "--root",
            "results",
            "--model",
            "model.yml",
            "--store",
            "s.db",
            "--format",
            "json"
        )
        .json()
        #expect(report["diagnostics"] == [])
        #expect(report["entities"]?["Thing"]?["inserted"] == 2)
        #expect(report["entities"]?["Tag"]?["inserted"] == 1)
    }

    @Test func `a guess is reported and noted in the model`() async throws {
        let folder = try Folder()
        let outcome = try await folder.done(
            "model",
            "infer",
            "-",
            "--name",
            "Thing",
            stdin: #"[{"id": 1, "size": null}]"#
        )
        #expect(outcome.stderr == "Thing.size: It was always null, so its type is a guess.\n")
        #expect(
            outcome.lines.last
                == "      size: string  # It was always null, so its type is a guess."
        )
        let quiet = try await folder.done(
            "model",
            "infer",
            "-",
            "--quiet",
            stdin: #"[{"id": 1, "size": null}]"#
        )
        #expect(quiet.stderr == "")
    }

    @Test func `--format json prints the model of a list within the document as JSON`()
        async throws
    {
        let outcome = try await Folder().done(
            "model",
            "infer",
            "-",
            "--root",
            "a.b",
            "--name",
            "Thing",
            "--format",
            "json",
            stdin: #"{"a": {"b": [{"id": "x"}]}}"#
        )
        #expect(try outcome.json() == ["entities": ["Thing": ["attributes": ["id": "string"]]]])
    }
}
