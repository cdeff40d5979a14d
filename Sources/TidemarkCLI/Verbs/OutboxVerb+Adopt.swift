import ArgumentParser
import GRDB
import TidemarkHTTPClient
import TidemarkModel
import TidemarkStore
import TidemarkSync

extension OutboxVerb {
    struct Adopt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an object of the service the object of a row that was created here.",
            discussion: """
                For a creation whose response was lost, if the service has stored the object in another \
                form: `tidemark outbox list` names the objects that resemble it. The row keeps its number, \
                and gets the key and the values of the object; what was edited since is sent by the next \
                push. A row that a pull has inserted for the object is merged into it.

                A creation that was not sent yet, or that the service has rejected, can adopt an object, \
                too: the conflict policies decide about values that differ.

                Exit status: 66 if the row has no local change, or the service no such object; 77 if the \
                row has a key, its creation is being sent, or another row has the object.
                """
        )

        @Argument(help: "The row, by its number: Note#12.")
        var row: RecordLocator

        @Argument(
            help: ArgumentHelp(
                "The primary key of the object: 7, or Note:7.",
                discussion: "A key with several parts is a JSON array."
            )
        )
        var key: String

        @OptionGroup var mirror: MirrorArguments<ConfigurationArgument>

        @OptionGroup var changes: ChangeOptions

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let changes = try changes.open()
            try await Interruption.cancelling(consequence: "The store is unchanged.") {
                let options = PullPlan.Options(mayCreate: false, changes: changes)
                try await mirror.withPlan(options: options, output: output) { plan, transport in
                    transport.forget()
                    try plan.expectPush()
                    let key = keyText
                    let engine = try plan.engine(over: transport)
                    try await changes.recording(plan.store, sparing: plan.files) {
                        let before = try await conflicts(in: plan.store)
                        let left = try await engine.adopt(row, keyText: key)
                        try print(left, key: key)
                        guard try await conflicts(in: plan.store) > before else { return }
                        Console.log(
                            "Values that differed are in the record of a conflict: tidemark conflicts "
                                + "list\(plan.arguments.local) shows both."
                        )
                    }
                }
            }
        }

        /// Returns the key without the entity, which messages print before it.
        private var keyText: String {
            let prefix = "\(row.entity):"
            return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
        }

        private func conflicts(in store: Store) async throws -> Int {
            try await store.writer.read { db in try Conflicts(store).list(db).count }
        }

        private func print(_ left: LocalChange?, key: String) throws {
            try output.print(Document(row: "\(row)", key: key, left: left)) {
                try Console.line(
                    "\(row) is the row of \(row.entity):\(key) now.\(Self.sentence(left))"
                )
            }
        }

        /// Says what becomes of the properties that differ.
        private static func sentence(_ left: LocalChange?) -> String {
            guard let left else { return "" }
            let names = left.properties.joined(separator: ", ")
            return left.state == .conflicted
                ? " Its \(names) \(left.properties.count == 1 ? "awaits" : "await") a decision."
                : " The next push sends its \(names)."
        }

        /// The outcome in JSON.
        private struct Document: Encodable {
            let row: String
            let key: String
            let left: OutboxPrinter.Entry?

            init(row: String, key: String, left: LocalChange?) {
                self.row = row
                self.key = key
                self.left = left.map(OutboxPrinter.Entry.init)
            }
        }
    }
}
