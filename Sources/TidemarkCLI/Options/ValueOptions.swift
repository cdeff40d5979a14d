import ArgumentParser
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The values of a row's attributes that a verb writes.
struct ValueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The values by attribute.", valueName: "json"))
    var values: String?

    /// Returns the values, each parsed as the type of its attribute.
    func parsed(_ entity: EntityLayout) throws -> [String: Value] {
        guard let values else { return [:] }
        return try Self.members(of: values, option: "--values") { name, node in
            if entity.relationship(name) != nil {
                throw Failure(
                    .data,
                    "\(entity.name).\(name) is a relationship. Its linked rows are set by --links."
                )
            }
            guard let attribute = entity.attribute(name)?.attribute else {
                let names = entity.attributes.map(\.attribute.name).sorted()
                throw Failure(
                    .data,
                    "\(entity.name) has no attribute \(name). It has \(names.joined(separator: ", "))."
                )
            }
            do throws(CoercionFailure) {
                return try Value(tagged: node, type: attribute.type)
            } catch {
                throw Failure(.data, "\(entity.name).\(name): \(error.sentence())")
            }
        }
    }

    /// Passes the members of an option's JSON object to `body`, and returns its values by their
    /// names.
    static func members<Result>(
        of json: String,
        option: String,
        _ body: (String, JSONNode) throws -> Result
    ) throws -> [String: Result] {
        let document: JSONDocument
        do {
            document = try JSONDocument(Array(json.utf8))
        } catch {
            throw Failure(.usage, "\(option) is not valid JSON: \(error).")
        }
        return try document.withRoot { root in
            guard root.kind == .object else {
                throw Failure(.usage, "\(option) must be a JSON object.")
            }
            var result: [String: Result] = [:]
            for (name, value) in root.members {
                result[name.string] = try body(name.string, value)
            }
            return result
        }
    }
}
