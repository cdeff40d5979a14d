/// A page that is too long to be held in memory.
///
/// Its bytes can be read once.
package struct StreamedPage: Sendable {
    /// The request for this page.
    package let request: PageRequest

    /// The body, in chunks as they are received.
    package let body: ResponseBody

    /// Whether the document itself is the list, regardless of the envelope.
    package let isList: Bool

    let context: ResponseContext

    /// Returns the error for a body that exceeds a limit, in bytes.
    package func tooLarge(limit: Int) -> RemoteError {
        .tooLarge(context.label, limit: limit, status: context.status)
    }
}
