import Foundation

extension Service {
    /// A secret in the query of a configured path, which the path contains as a placeholder.
    ///
    /// A path identifies its list in reports, events, metrics and the store, and a request that is
    /// stored contains a path as well. The value is inserted when a request is sent: see
    /// ``SecretMask/opened(_:)``.
    package struct HiddenValue: Hashable, Sendable {
        /// The text in its place: `$NAME` for an environment variable, else `***parameter***`.
        package let placeholder: String

        /// The value, not percent-encoded.
        let value: String

        /// The value as it is in a URL.
        let encoded: String
    }

    /// Hides the value of an environment variable that paths contain as `$NAME`.
    ///
    /// - Parameters:
    ///   - name: The name of the variable.
    ///   - value: Its value.
    package mutating func hide(variable name: String, value: String) {
        let hidden = HiddenValue(
            placeholder: "$\(name)",
            value: value,
            encoded: value.utf8.percentEncoded
        )
        hiddenValues.removeAll { $0.placeholder == hidden.placeholder }
        hiddenValues.append(hidden)
    }

    /// Replaces the secrets in the queries of resources with placeholders.
    ///
    /// These are the values of parameters whose names look like secrets. The placeholders depend on
    /// the values alone, not on the order of the resources, so that a list keeps its identity.
    package mutating func hideSecrets(in resources: inout [RemoteResource]) {
        let found = resources.flatMap(\.paths).flatMap(QueryParameter.parameters).filter(isSecret)
        for parameter in Set(found).sorted(by: { ($0.name, $0.value) < ($1.name, $1.value) }) {
            hide(parameter)
        }
        guard !hiddenValues.isEmpty else { return }
        for index in resources.indices {
            resources[index].changePaths { path in
                QueryParameter.replacing(in: path) { parameter in
                    guard isSecret(parameter) else { return nil }
                    return hiddenValues.first { $0.hides(parameter) }?.placeholder
                }
            }
        }
    }

    private mutating func hide(_ parameter: QueryParameter) {
        guard !hiddenValues.contains(where: { $0.hides(parameter) }) else { return }
        let name = parameter.name
        let numbers = (1...).lazy.map { $0 == 1 ? "***\(name)***" : "***\(name).\($0)***" }
        let taken = Set(hiddenValues.map(\.placeholder))
        guard let placeholder = numbers.first(where: { !taken.contains($0) }) else { return }
        hiddenValues.append(
            HiddenValue(
                placeholder: placeholder,
                value: parameter.value.removingPercentEncoding ?? parameter.value,
                encoded: parameter.value
            )
        )
    }

    /// Whether the value of a parameter is a secret that is not hidden yet.
    private func isSecret(_ parameter: QueryParameter) -> Bool {
        parameter.isSecret
            && !hiddenValues.contains { parameter.value.contains($0.placeholder) }
    }
}

extension Service.HiddenValue {
    fileprivate func hides(_ parameter: QueryParameter) -> Bool {
        encoded == parameter.value
            && (placeholder.hasPrefix("***\(parameter.name)***")
                || placeholder.hasPrefix("***\(parameter.name)."))
    }
}

/// A parameter in the query of a path, as it is written there.
package struct QueryParameter: Hashable, Sendable {
    /// The name.
    package let name: String

    /// The value, with percent-encoding.
    package let value: String

    /// Whether the name indicates a secret, and the value may be one.
    ///
    /// A value in braces is a key that a request inserts, as in `?key={key}`; one that is JSON is a
    /// condition, as in CouchDB's `?startkey="a"`.
    package var isSecret: Bool {
        guard !value.isEmpty, URL.isSecret(name), !value.contains("{") else { return false }
        let text = value.removingPercentEncoding ?? value
        return !["\"", "[", "{"].contains { text.hasPrefix($0) }
    }

    /// Returns the parameters in the query of a path.
    package static func parameters(of path: String) -> [QueryParameter] {
        var found: [QueryParameter] = []
        _ = replacing(in: path) { parameter in
            found.append(parameter)
            return nil
        }
        return found
    }

    /// Returns a path with other values in its query.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - value: Returns the new value of a parameter; nil to keep it.
    /// - Returns: The path.
    package static func replacing(
        in path: String,
        with value: (QueryParameter) throws -> String?
    ) rethrows -> String {
        guard let mark = path.firstIndex(of: "?") else { return path }
        let query = path[path.index(after: mark)...]
        let parameters = try query.split(separator: "&", omittingEmptySubsequences: false)
            .map { text -> Substring in
                guard let equals = text.firstIndex(of: "=") else { return text }
                let parameter = QueryParameter(
                    name: String(text[..<equals]),
                    value: String(text[text.index(after: equals)...])
                )
                return try value(parameter).map { "\(parameter.name)=\($0)" } ?? text
            }
        return "\(path[...mark])\(parameters.joined(separator: "&"))"
    }

    /// The names of the environment variables in the value, such as `TIDEMARK_KEY` in
    /// `$TIDEMARK_KEY`.
    ///
    /// They consist of capitals, digits and underscores: `$select` and `$filter` are options of
    /// OData.
    package var variables: [String] {
        value.split(separator: "$", omittingEmptySubsequences: false).dropFirst().compactMap {
            let name = $0.utf8.prefix { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            let isName = name.first.map { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") }
            return isName == true ? String(Substring(name)) : nil
        }
    }

    /// The value without the variables in it, percent-decoded.
    package var literal: String {
        let text = variables.reduce(value) { $0.replacing("$\($1)", with: "") }
        return text.removingPercentEncoding ?? text
    }
}

extension RemoteResource {
    /// The paths of all requests: of the list, of changes, of files and of batches.
    package var paths: [String] {
        var paths: [String] = []
        var copy = self
        copy.changePaths { path in
            paths.append(path)
            return path
        }
        return paths
    }

    fileprivate mutating func changePaths(_ change: (String) -> String) {
        path = change(path)
        push.changePaths(change)
    }
}

extension PushStyle {
    fileprivate mutating func changePaths(_ change: (String) -> String) {
        create?.changePath(change)
        update?.changePath(change)
        delete?.changePath(change)
        reading.operation?.changePath(change)
        if let upload = body.uploads { body.uploads?.path = change(upload.path) }
        if let batch { self.batch?.path = change(batch.path) }
    }
}

extension PushStyle.Operation {
    fileprivate mutating func changePath(_ change: (String) -> String) {
        if let former = path { path = change(former) }
    }
}
