/// A target of the fuzzer.
///
/// For any input, a target must not crash, must end soon, and must throw only ``Violation``, which
/// describes a broken invariant.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// JSON texts, parsed in memory and incrementally.
    case json
    /// Date formats and dates.
    case dates
    /// Predicates, run on a small store.
    case predicate
    /// Core Data models in XML, including the creation of a store.
    case xml
    /// Models in YAML, including the creation of a store.
    case yaml
    /// Documents that are imported with various options.
    case `import`
    /// Responses to changes.
    case responses

    /// Runs the target with an input.
    ///
    /// - Throws: ``Violation``, or an error that the tested code must not throw.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .json: try JSONTexts.check(bytes)
        case .dates: try DateTexts.check(bytes)
        case .predicate: try PredicateTexts.check(bytes)
        case .xml: try ModelTexts.checkXML(bytes)
        case .yaml: try ModelTexts.checkYAML(bytes)
        case .import: try Imports.check(bytes)
        case .responses: try WriteResponses.check(bytes)
        }
    }
}
