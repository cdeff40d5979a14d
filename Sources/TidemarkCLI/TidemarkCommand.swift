import ArgumentParser

/// The `tidemark` command: a thin layer over the library, with one library call per verb.
struct TidemarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tidemark",
        abstract: "Syncs JSON web services into a local SQLite database.",
        discussion: """
            A row is named Entity:KEY by its primary key (User:6) or Entity#N by its \
            number (User#12). Results go to standard output, everything else to \
            standard error.

            Exit status: 0 done, 1 differences (verify), 64 wrong usage, 65 bad input, \
            66 not found, 69 service unavailable, 70 internal error, 73 cannot create, \
            74 input/output error, 75 try again later, 77 not allowed, 130 interrupted, \
            143 terminated.
            """,
        version: "0.1.0",
        subcommands: [
            DemoVerb.self, PullVerb.self, PushVerb.self, SyncVerb.self, OutboxVerb.self,
            ConflictsVerb.self, StatusVerb.self, VerifyVerb.self, DeletionsVerb.self,
            UnlockVerb.self, TrustVerb.self,
            ImportVerb.self, ExportVerb.self, QueryVerb.self,
            GetVerb.self, CountVerb.self, DumpVerb.self, InsertVerb.self, UpdateVerb.self,
            DeleteVerb.self, MigrateVerb.self, EraseVerb.self, ModelVerb.self, ReferenceVerb.self,
        ]
    )
}
