import Foundation

/// Puts values of the environment where a configuration says `$NAME`.
///
/// Only the header fields and credentials of a service may ask for them, and only for names that
/// begin with `TIDEMARK_` or stand in `TIDEMARK_ENV`, unless somebody trusts the file: a folder
/// from elsewhere must not be able to send any secret anywhere.
struct Secrets {
    private let environment: [String: String]
    private let subject: TrustSubject

    /// The secrets that a configuration or an address may have.
    init(
        of subject: TrustSubject,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.environment = environment
        self.subject = subject
    }

    /// The text with every `$NAME` replaced.
    ///
    /// - Throws: ``Failure`` when a name may not be used or is not set; its message names no value.
    func fill(_ text: String) throws -> String {
        try Self.replacing(text) { try value($0) }
    }

    /// The names that a text asks for.
    static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = replacing(text) { name in
            names.append(name)
            return ""
        }
        return names
    }

    private static func replacing<E: Error>(
        _ text: String,
        _ value: (String) throws(E) -> String
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
        switch try TrustedFiles().standing(of: subject) {
        case .trusted: return
        case .changed:
            throw Failure(
                .notAllowed,
                "\(subject.name) asks for $\(name), and has changed since you trusted it. Look at it, "
                    + "and use \(subject.command) again."
            )
        case .unknown:
            throw Failure(
                .notAllowed,
                "\(subject.name) asks for $\(name), which it may not read. Allow it by "
                    + "TIDEMARK_ENV=\(name), or use \(subject.command)."
            )
        }
    }
}
