import Foundation

/// Puts values of the environment where a configuration says `$NAME`.
///
/// Only the header fields and credentials of a service may ask for them, and only for names that
/// begin with `TIDEMARK_` or stand in `TIDEMARK_ENV`: a folder from elsewhere must not be able to
/// send any secret anywhere.
struct Secrets {
    private let environment: [String: String]

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    /// The text with every `$NAME` replaced.
    ///
    /// - Throws: ``Failure`` when a name may not be used or is not set; its message names no value.
    func fill(_ text: String) throws -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard !name.isEmpty else {
                result += "$"
                continue
            }
            result += try value(String(name))
            rest = rest.dropFirst(name.count)
        }
        return result + rest
    }

    private func value(_ name: String) throws -> String {
        let listed = (environment["TIDEMARK_ENV"] ?? "").split { $0 == "," || $0 == " " }
        guard name.hasPrefix("TIDEMARK_") || listed.contains(where: { $0 == name }) else {
            throw Failure(
                .notAllowed,
                "The configuration asks for $\(name), which it may not read. Allow it: TIDEMARK_ENV=\(name)."
            )
        }
        guard let value = environment[name] else {
            throw Failure(.usage, "$\(name) is not set, and the configuration needs it.")
        }
        return value
    }
}
