import ArgumentParser
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The values and links of a row that a verb writes.
struct RowOptions: ParsableArguments {
    @OptionGroup private var valueOptions: ValueOptions

    @Option(
        help: ArgumentHelp(
            "The linked rows by relationship: a row, a list of rows, or null.",
            valueName: "json"
        )
    )
    var links: String?

    /// Returns the values, each parsed as the type of its attribute.
    func parsedValues(_ entity: EntityLayout) throws -> [String: Value] {
        try valueOptions.parsed(entity)
    }

    /// Returns the linked rows by relationship.
    ///
    /// A relationship with `null` has none.
    func parsedLinks() throws -> [String: [RecordLocator]] {
        guard let links else { return [:] }
        return try ValueOptions.members(of: links, option: "--links") { name, node in
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
}
