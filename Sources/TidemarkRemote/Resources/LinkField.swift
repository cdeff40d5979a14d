import HTTPTypes

/// A parser for `Link` header fields: `<https://…?page=2>; rel="next", <…>; rel=last`.
///
/// Source: RFC 8288.
enum LinkField {
    /// Returns the target of the first link with a relation in the header fields.
    static func target(of relation: String, in fields: HTTPFields) -> String? {
        fields[named: "Link"].flatMap { target(of: relation, in: $0) }
    }

    /// Returns the target of the first link with a relation.
    static func target(of relation: String, in field: String) -> String? {
        var rest = Substring(field)
        while let open = rest.firstIndex(of: "<") {
            guard let close = rest[open...].firstIndex(of: ">") else { return nil }
            let target = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            if relations(takenFrom: &rest).contains(relation) { return String(target) }
        }
        return nil
    }

    /// Consumes the parameters of a link, and returns its relations.
    private static func relations(takenFrom rest: inout Substring) -> [String] {
        var found: [String] = []
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard rest.first == ";" else { return found }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { !"=;, \t".contains($0) }
            rest = rest[name.endIndex...].drop { $0 == " " || $0 == "\t" }
            let value = value(takenFrom: &rest)
            if name.lowercased() == "rel" {
                found += value.lowercased().split(separator: " ").map(String.init)
            }
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
