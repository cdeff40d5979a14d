import Foundation

/// Replaces `$NAME` in a configuration with the value of an environment variable.
///
/// Only the header fields and credentials of a service and the queries of its URLs may reference
/// variables, and only variables whose name begins with `TIDEMARK_` or is listed in `TIDEMARK_ENV`,
/// unless the user trusts the file. Otherwise a downloaded folder could send any secret of the
/// environment to any server.
struct Secrets {
    private let environment: [String: String]
    private let subject: TrustSubject

    /// Creates the resolver for a configuration or an address.
    init(
        of subject: TrustSubject,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.environment = environment
        self.subject = subject
    }

    /// Returns the text with every `$NAME` replaced.
    ///
    /// - Throws: ``Failure`` if a variable is not permitted or not set. The message contains no
    ///   value.
    func fill(_ text: String) throws -> String {
        try Self.replacingVariables(in: text) { try value($0) }
    }

    /// Returns the names of the variables that a text references.
    static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = replacingVariables(in: text) { name in
            names.append(name)
            return ""
        }
        return names
    }

    private static func replacingVariables<E: Error>(
        in text: String,
        with value: (String) throws(E) -> String
    ) throws(E) -> String {
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
        if !name.hasPrefix("TIDEMARK_"), !listed.contains(where: { $0 == name }) {
            try expectTrust(name)
        }
        guard let value = environment[name] else {
            throw Failure(.usage, "$\(name) is not set. \(subject.name) needs it.")
        }
        return value
    }

    private func expectTrust(_ name: String) throws {
        switch try TrustedFiles().status(of: subject) {
        case .trusted: return
        case .changed:
            throw Failure(
                .notAllowed,
                "\(subject.name) references $\(name), and has changed since you trusted it. Look at it, "
                    + "and use \(subject.command) again."
            )
        case .unknown:
            throw Failure(
                .notAllowed,
                "\(subject.name) references $\(name), which it may not read. Allow it by "
                    + "TIDEMARK_ENV=\(name), or use \(subject.command)."
            )
        }
    }
}
