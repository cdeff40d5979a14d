/// What a fuzzer feeds with bytes.
///
/// Each of them must hold for any bytes whatsoever: it does not trap, it ends soon, and it throws
/// only ``Violation``, which tells what should never be.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// JSON texts, in memory and in pieces.
    case json
    /// Date formats and dates.
    case dates
    /// Predicates, run on a small store.
    case predicate
    /// Core Data's XML, up to a store.
    case xml
    /// Models in YAML, up to a store.
    case yaml
    /// Documents that are imported, with options of all kinds.
    case `import`

    /// Does with the bytes what the target is about.
    ///
    /// - Throws: ``Violation``, and whatever else was never meant to be thrown.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .json: try JSONTexts.check(bytes)
        case .dates: try DateTexts.check(bytes)
        case .predicate: try PredicateTexts.check(bytes)
        case .xml: try ModelTexts.checkXML(bytes)
        case .yaml: try ModelTexts.checkYAML(bytes)
        case .import: try Imports.check(bytes)
        }
    }
}
