#if Tracing
import Tracing
#endif

/// A span of distributed tracing, if the package is built with the trait `Tracing`.
///
/// The names of spans and attributes are part of the API, since trace queries depend on them.
struct TraceSpan {
    private let name: String
    private let attributes: [String: String]

    init(_ name: String, attributes: [String: String] = [:]) {
        self.name = name
        self.attributes = attributes
    }

    /// Runs an operation within the span.
    func around<Success>(_ body: () async throws -> Success) async rethrows -> Success {
        #if Tracing
        try await withSpan(name) { span in
            for (key, value) in attributes { span.attributes[key] = value }
            return try await body()
        }
        #else
        try await body()
        #endif
    }
}
