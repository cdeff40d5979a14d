/// A page that is too long to be held in memory.
///
/// Its bytes can be read once.
public struct StreamedPage: Sendable {
    /// The request for this page.
    public let request: PageRequest

    /// The body, in chunks as they are received.
    public let body: ResponseBody

    /// The head of the response.
    let head: ResponseContext

    /// Whether the document itself is the list, regardless of the envelope.
    package let isList: Bool

    /// The URLs that links are resolved against.
    let target: PageTarget

    /// Returns the error for a body that exceeds a limit, in bytes.
    package func tooLarge(limit: Int) -> RemoteError {
        RemoteError(
            .tooLarge,
            "\(head.label): the body is longer than \(limit) bytes.",
            hint: "Ask for smaller pages, or raise the limit.",
            status: head.status
        )
    }
}
