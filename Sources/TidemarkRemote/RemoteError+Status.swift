import HTTPTypes
import TidemarkModel

extension RemoteError {
    /// Returns the error for a response whose status is not 2xx.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - message: The message of the service, if its body contains one.
    ///   - environment: The source of the current time, which the date in `Retry-After` is compared
    ///     with.
    ///   - limits: `Limits.http.pause` is the longest delay that the service may request.
    /// - Returns: The error, whose code depends on the status.
    static func status(
        _ response: TransportResponse,
        message: String? = nil,
        environment: SystemEnvironment,
        limits: Limits
    ) -> RemoteError {
        let status = response.head.status
        let quoted = message.map { ": “\($0)”" } ?? ""
        let isLimited = RateLimit.isReached(status, response.head.headerFields)
        let (code, hint) = code(for: isLimited ? .tooManyRequests : status)
        return RemoteError(
            code,
            "\(response.request.label) returned \(status.code)\(quoted).",
            hint: hint,
            status: status.code,
            retryAfter: RetryAfter.delay(
                in: response.head.headerFields,
                now: environment.now(),
                atMost: limits.http.pause
            )
        )
    }

    private static func code(for status: HTTPResponse.Status) -> (Code, hint: String?) {
        switch status.code {
        case 401:
            (
                .unauthorized,
                "Check the credentials: `auth` or `headers` in tidemark.yml, `--header` with an "
                    + "address, `Service.headers` in Swift."
            )
        case 403: (.unauthorized, "Check what these credentials permit.")
        case 404, 410: (.notFound, "Check the path.")
        case 429: (.rateLimited, "Try again later.")
        case 300..<400: (.redirectRejected, "Use the address that it leads to.")
        case 500...:
            (.serverError, "Try again later; if it persists, report it to the service's operator.")
        default: (.clientError, nil)
        }
    }
}
