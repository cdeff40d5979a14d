import ArgumentParser
import TidemarkModel
import TidemarkStore
import TidemarkSync

/// The verb `tidemark unlock`.
struct UnlockVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Release the lease that a pull left whose host no longer exists.",
        discussion: """
            A pull takes over the lease of a process that was killed: at once on the same host; from \
            another, when the lease expires: a minute and the service's timeout after its last \
            transaction. This is for a host that no longer exists. A pull that is running after all \
            ends at its next transaction, and loses nothing.
            """
    )

    @OptionGroup var store: StoreOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let holder = try store.open().releaseLease()
        switch output.format {
        case .text:
            try Console.line(
                holder.map { "Released the lease of process \($0.number) on \($0.host)." }
                    ?? "No pull has a lease on the store."
            )
        case .json:
            try Console.json { writer in
                writer.beginObject()
                writer.key("released")
                if let holder {
                    writer.beginObject()
                    writer.key("host")
                    writer.string(holder.host)
                    writer.key("process")
                    writer.integer(Int64(holder.number))
                    writer.endObject()
                } else {
                    writer.null()
                }
                writer.endObject()
            }
        }
    }
}
