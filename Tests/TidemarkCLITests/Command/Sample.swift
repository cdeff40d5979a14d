import Testing

/// A small model, a document for it, and folders with a store that contains the document.
enum Sample {
    static let model = """
        entities:
          User:
            attributes:
              id: integer64
              name: {type: string, optional: false}
              age: integer16
              joined: date
              rate: decimal
              photo: binary
              extra: json
            relationships:
              notes: {to: Note, toMany: true, inverse: user, deleteRule: cascade}
          Note:
            attributes: {id: integer64, text: string}
            relationships:
              user: {to: User, inverse: notes}
        """

    static let users = """
        {"data": {"users": [
          {"id": 1, "name": "Ann, \\"the\\" one", "age": 41, "joined": "2014-02-14", "rate": 12.25,
           "extra": {"a": 1.0},
           "notes": [{"id": 10, "text": "one\\ntwo, \\"three\\""}, {"id": 11, "text": "four"}]},
          {"id": 2, "name": "Bob", "age": 7, "notes": []}
        ]}}
        """

    static let dump: JSON = [
        "User": [
            [
                "$ref": "User#1", "id": 1, "name": "Ann, \"the\" one", "age": 41,
                "joined": ["$date": "2014-02-14T00:00:00.000Z"], "rate": ["$decimal": "12.25"],
                "photo": nil, "extra": ["a": 1.0], "notes": ["Note#1", "Note#2"],
            ],
            [
                "$ref": "User#2", "id": 2, "name": "Bob", "age": 7, "joined": nil, "rate": nil,
                "photo": nil, "extra": nil, "notes": [],
            ],
        ],
        "Note": [
            ["$ref": "Note#1", "id": 10, "text": "one\ntwo, \"three\"", "user": "User#1"],
            ["$ref": "Note#2", "id": 11, "text": "four", "user": "User#1"],
        ],
    ]

    /// Creates a folder with the model and the document.
    static func folder() throws -> Folder {
        let folder = try Folder()
        try folder.write(model, to: "model.yml")
        try folder.write(users, to: "users.json")
        return folder
    }

    /// Creates a folder with the model, the document, and a store that contains the document.
    static func filled() async throws -> Folder {
        let folder = try folder()
        let outcome = try await folder.run(
            "import",
            "users.json",
            "--root",
            "data.users",
            "--into",
            "User",
            "--model",
            "model.yml",
            "--store",
            "s.db"
        )
        try #require(outcome.status == 0, "\(outcome)")
        return folder
    }
}

extension Folder {
    /// Runs a command and requires that it succeeds.
    func done(
        _ arguments: String...,
        stdin: String? = nil,
        environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await run(arguments, stdin: stdin, environment: environment)
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Imports users from standard input into the store.
    ///
    /// If the store does not exist, it is created with the model of the sample.
    @discardableResult func importUsers(
        _ document: String,
        _ options: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let model = has("s.db") ? [] : ["--model", "model.yml"]
        let arguments = ["import", "--into", "User", "--store", "s.db"] + model + options
        let outcome = try await run(arguments, stdin: document)
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Returns all rows of a store, as `tidemark dump` prints them.
    func dump(
        _ store: String = "s.db",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        try await done("dump", "--store", store, sourceLocation: sourceLocation).json()
    }
}

/// A command that must fail, with its expected status and error message.
struct InvalidCommand: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let stdin: String?
    let status: Int32
    let message: String

    init(_ arguments: String..., stdin: String? = nil, status: Int32, _ message: String) {
        self.arguments = arguments
        self.stdin = stdin
        self.status = status
        self.message = message
    }

    var testDescription: String { arguments.joined(separator: " ") }

    /// Runs the command, and expects the status, the message on standard error, and no other
    /// output.
    ///
    /// A message of the argument parser (`Error: …`) is followed by the usage of the command, so
    /// that only its beginning is compared.
    func check(in folder: Folder, store: String? = nil) async throws {
        let outcome = try await folder.run(
            arguments + (store.map { ["--store", $0] } ?? []),
            stdin: stdin
        )
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.stdout == "")
        if message.hasPrefix("Error: ") {
            #expect(outcome.stderr.hasPrefix(message + "\n"), "\(outcome)")
        } else {
            #expect(outcome.stderr == "tidemark: \(message)\n")
        }
    }
}
