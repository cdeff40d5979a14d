#if Tracing
import Tracing
#endif

/// The spans of distributed tracing, if the package is built with the trait `Tracing`.
///
/// The names of spans and attributes are part of the API, since trace queries depend on them.
enum TraceSpan {
    /// Runs an operation within a span.
    static func run<Success>(
        _ name: String,
        attributes: @autoclosure () -> [String: String],
        operation: () async throws -> Success
    ) async rethrows -> Success {
        #if Tracing
        try await withSpan(name) { span in
            if span.isRecording {
                for (key, value) in attributes() { span.attributes[key] = value }
            }
            return try await operation()
        }
        #else
        try await operation()
        #endif
    }
}
