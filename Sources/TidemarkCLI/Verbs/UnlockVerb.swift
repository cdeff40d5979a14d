import ArgumentParser
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark unlock`.
struct UnlockVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Release the lease of a pull whose host no longer exists.",
        discussion: """
            A pull takes over the lease of a process that was killed: at once on the same host, and \
            from another host when the lease expires, a minute and the service's timeout after its \
            last transaction. This command is for a host that no longer exists. If the pull is still \
            running, it ends at its next transaction, and loses nothing.
            """
    )

    @OptionGroup var store: StoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let holder = try store.open().releaseLease()
        let released = holder.map { Holder(host: $0.host, process: $0.number) }
        try output.print(["released": released]) {
            try Console.line(
                holder.map { "Released the lease of process \($0.number) on \($0.host)." }
                    ?? "No pull has a lease on the store."
            )
        }
    }

    /// The process that had the lease, in JSON.
    private struct Holder: Encodable {
        let host: String
        let process: Int64
    }
}
