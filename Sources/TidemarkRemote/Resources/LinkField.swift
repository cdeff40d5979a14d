import HTTPTypes

/// A parser for `Link` header fields: `<https://…?page=2>; rel="next", <…>; rel=last`.
///
/// Source: RFC 8288.
enum LinkField {
    /// Returns the target of the first link with a relation in the header fields.
    static func target(of relation: String, in fields: HTTPFields) -> String? {
        fields[named: "Link"].flatMap { target(of: relation, in: $0) }
    }

    /// Returns whether the header fields link to a next page of which they say that it has no
    /// objects.
    ///
    /// Source: Sentry's API, “Paginating Results”: `<…>; rel="next"; results="false"`.
    static func leadsToEmptyPage(in fields: HTTPFields) -> Bool {
        guard let field = fields[named: "Link"] else { return false }
        return link(with: "next", in: field)?.parameters["results"] == "false"
    }

    /// Returns the target of the first link with a relation.
    static func target(of relation: String, in field: String) -> String? {
        link(with: relation, in: field)?.target
    }

    /// Returns the targets of all links in a header field.
    static func targets(in field: String) -> [String] {
        field.split(separator: "<").dropFirst(field.hasPrefix("<") ? 0 : 1).compactMap { part in
            part.firstIndex(of: ">").map { String(part[..<$0]) }
        }
    }

    private typealias Link = (target: String, parameters: [String: String])

    /// Returns the first link with a relation.
    private static func link(with relation: String, in field: String) -> Link? {
        var rest = Substring(field)
        while let open = rest.firstIndex(of: "<") {
            guard let close = rest[open...].firstIndex(of: ">") else { return nil }
            let target = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            let parameters = parameters(takenFrom: &rest)
            let relations = parameters["rel"]?.split(separator: " ") ?? []
            if relations.contains(where: { $0 == relation }) { return (String(target), parameters) }
        }
        return nil
    }

    /// Consumes the parameters of a link, and returns them, names and values in lowercase.
    ///
    /// Of a repeated one the first counts (RFC 8288, 3.3).
    private static func parameters(takenFrom rest: inout Substring) -> [String: String] {
        var found: [String: String] = [:]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard rest.first == ";" else { return found }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { !"=;, \t".contains($0) }.lowercased()
            rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
            let value = value(takenFrom: &rest).lowercased()
            found[name] = found[name] ?? value
        }
    }

    private static func value(takenFrom rest: inout Substring) -> String {
        guard rest.first == "=" else { return "" }
        rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
        if rest.first == "\"" {
            let value = rest.dropFirst().prefix { $0 != "\"" }
            rest = rest[value.endIndex...].dropFirst()
            return String(value)
        }
        let value = rest.prefix { !";, \t".contains($0) }
        rest = rest[value.endIndex...]
        return String(value)
    }
}
