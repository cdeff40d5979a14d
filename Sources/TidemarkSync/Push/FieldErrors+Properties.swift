import TidemarkModel
import TidemarkRemote

extension FieldErrors {
    /// Returns the messages about members by the names of the properties in the model.
    ///
    /// - Parameter mapping: The names of the properties in JSON. A member that the model does not
    ///   have keeps its name.
    /// - Returns: The messages.
    func properties(named mapping: EntityMapping?) -> [String: [String]] {
        var named: [String: [String]] = [:]
        for (name, messages) in fields.sorted(by: { $0.key < $1.key }) {
            named[mapping?.property(named: name) ?? name, default: []] += messages
        }
        return named
    }
}

extension EntityMapping {
    /// Returns the name of the attribute or relationship that a member is imported into.
    ///
    /// Some services name the properties of their own classes, whose names are capitalized.
    fileprivate func property(named member: String) -> String? {
        let path = member.split(separator: ".").map { $0.prefix(1).lowercased() + $0.dropFirst() }
        // The service may mean a path, or a name that contains dots.
        let candidates = [
            target(at: member), target(for: member), target(at: path.joined(separator: ".")),
        ]
        guard let target = candidates.lazy.compactMap(\.self).first else { return nil }
        return target.attribute.map { attributes[$0].name }
            ?? target.relationship.map { relationships[$0].name }
    }
}
