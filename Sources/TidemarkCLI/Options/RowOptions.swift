import ArgumentParser
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The values and links of a row that a verb writes.
struct RowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The values by attribute.", valueName: "json"))
    var values: String?

    @Option(
        help: ArgumentHelp(
            "The linked rows by relationship: a row, a list of rows, or null.",
            valueName: "json"
        )
    )
    var links: String?

    /// Returns the values, each parsed as the type of its attribute.
    func parsedValues(_ entity: EntityLayout) throws -> [String: Value] {
        guard let values else { return [:] }
        return try members(of: values, option: "--values") { name, node in
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

    /// Returns the linked rows by relationship.
    ///
    /// A relationship with `null` has none.
    func parsedLinks() throws -> [String: [RecordLocator]] {
        guard let links else { return [:] }
        return try members(of: links, option: "--links") { name, node in
            switch node.kind {
            case .null: return []
            case .string: return [try RecordLocator(node.string)]
            case .array:
                return try node.elements.map { element in
                    guard element.kind == .string else {
                        throw Failure(.usage, "--links: \(name) must list rows such as \"User:6\".")
                    }
                    return try RecordLocator(element.string)
                }
            case .object, .number, .true, .false:
                throw Failure(
                    .usage,
                    "--links: \(name) must be a row such as \"User:6\", a list, or null."
                )
            }
        }
    }

    private func members<Result>(
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
