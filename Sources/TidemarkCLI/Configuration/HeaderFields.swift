import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// Header fields from the command line or from a store, such as
/// `Authorization: Bearer $TIDEMARK_TOKEN`.
///
/// A reference to an environment variable is not resolved until a request is made: other users of
/// the machine can list the arguments of a process, and stores are copied, so neither may contain a
/// credential.
struct HeaderFields: Hashable {
    private struct Field: Hashable {
        let name: HTTPField.Name
        let value: String

        /// Whether the value contains a literal credential or a literal part of one.
        var hasLiteralCredential: Bool {
            guard !name.isCredential else { return !CredentialText(value, of: name).isVariable }
            return !HTTPField(name: name, value: value).isHarmless
                && value.split(separator: " ").contains { CredentialText.isSecret($0) }
        }
    }

    private var fields: [Field] = []

    /// No header fields.
    init() {}

    /// Parses the arguments of a command.
    ///
    /// - Throws: ``Failure`` if an argument is not a header field, or contains a literal
    ///   credential.
    init(arguments: [String]) throws {
        try self.init(arguments)
        for field in fields where field.hasLiteralCredential {
            throw Failure(
                .usage,
                "--header: the value of \(field.name) is a credential, and other users can see the "
                    + "arguments of a process. Set a variable of the environment and use "
                    + "'\(field.name): $TIDEMARK_TOKEN', with nothing but variables after the "
                    + "scheme."
            )
        }
    }

    /// Parses lines such as `X-Client: films`, the form in which a store records header fields.
    ///
    /// - Throws: ``Failure`` if a line is not a header field.
    init(_ lines: [String]) throws {
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].trimmed : ""
            guard let name = HTTPField.Name(parts[0].trimmed), !value.isEmpty,
                HTTPField.isValidValue(value)
            else {
                throw Failure(
                    .usage,
                    "--header: “\(Self.shown(parts[0]))…” is not a header field. Expected "
                        + "'Name: value', or 'Name: $VARIABLE'."
                )
            }
            fields.append(Field(name: name, value: value))
        }
    }

    var isEmpty: Bool { fields.isEmpty }

    /// The lines from which ``init(_:)`` restores the fields.
    var lines: [String] { fields.map { "\($0.name): \($0.value)" } }

    /// The environment variables that the fields reference.
    var requests: [SecretRequest] {
        fields.flatMap { field in
            Secrets.names(in: field.value)
                .map { SecretRequest(name: $0, location: "the header field \(field.name)") }
        }
    }

    /// Returns these fields, followed by those of `others` whose names do not occur here.
    func completed(with others: HeaderFields) -> HeaderFields {
        var result = self
        result.fields += others.fields.filter { other in
            !fields.contains { $0.name == other.name }
        }
        return result
    }

    /// Returns these fields without those that have one of the given names.
    func without(_ names: Set<HTTPField.Name>) -> HeaderFields {
        var result = self
        result.fields.removeAll { names.contains($0.name) }
        return result
    }

    /// Returns the fields with all environment variables resolved.
    func filled(_ secrets: Secrets) throws -> HTTPFields {
        var result = HTTPFields()
        for field in fields {
            let value = try secrets.fill(field.value)
            guard HTTPField.isValidValue(value) else {
                throw Failure(
                    .usage,
                    "The value of the header field \(field.name) contains a line break or another "
                        + "control character."
                )
            }
            result.append(HTTPField(name: field.name, value: value))
        }
        return result
    }

    private static func shown(_ text: some StringProtocol) -> String {
        String(text.prefix(40)).singleLine(limit: 40)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(
            start.prefix(
                upTo: start.lastIndex { $0 != " " && $0 != "\t" }.map {
                    start.index(after: $0)
                } ?? start.startIndex
            )
        )
    }
}
