/// A page whose bytes are longer than memory should hold: they come in pieces, once.
public struct StreamedPage: Sendable {
    /// The request that it answers.
    public let request: PageRequest

    /// The bytes, in pieces as they come.
    public let body: ResponseBody

    /// The head of the answer.
    let head: ResponseContext

    /// Whether the document itself is the list, whatever the envelope says.
    package let isList: Bool

    /// Where the answer came from.
    let target: PageTarget

    /// Its bytes are more than a limit.
    package func tooLarge(limit: Int) -> RemoteError {
        RemoteError(
            .tooLarge,
            "\(head.label): the body is longer than \(limit) bytes.",
            hint: "Ask for smaller pages, or raise the limit.",
            status: head.status
        )
    }
}
