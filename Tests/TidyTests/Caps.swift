/// The limits of what the project measures.
///
/// A limit only becomes stricter, except for the public types of a target: a commit that raises
/// their number says why.
enum Caps {
    /// The types with more than 12 stored properties.
    static let overfullTypes = Limit.atMost(0)

    /// The share of functions with two or more unlabelled parameters, in percent.
    static let unlabelled = Limit.atMost(3)

    /// The functions, by file and name, whose parameters need no labels, and why.
    static let withoutLabels = [
        "DecimalOrder.compare": "The operands of a comparison."
    ]

    /// The public functions with a parameter that is a flag.
    static let flags = Limit.atMost(0)

    /// The labels of public Boolean parameters that are not flags, or the name of the function.
    ///
    /// They are facts of a schema or of an order, and values.
    static let facts: Set = [
        "isAbstract", "isAscending", "isAsset", "isExportable", "isOptional", "isOrdered",
        "isToMany",
        "isTransient", "boolean", "booleanLiteral",
    ]

    /// The initializers that perform I/O.
    static let effectfulInitializers = Limit.atMost(0)

    /// The comments that say why, per 100 lines of code.
    static let reasons: [String: Limit] = [
        "Sources/TidemarkImport/Rows/": .atLeast(2),
        "Sources/TidemarkImport/Session/": .atLeast(2),
        "Sources/TidemarkSync/": .atLeast(2),
    ]

    /// The public types of each target: 246 in all.
    static let publicTypes: [String: Limit] = [
        "Tidemark": .atMost(0),
        "TidemarkCLI": .atMost(0),
        "TidemarkCoreData": .atMost(1),
        "TidemarkFakeServer": .atMost(0),
        "TidemarkFakeServices": .atMost(0),
        "TidemarkHTTPClient": .atMost(1),
        "TidemarkImport": .atMost(26),
        "TidemarkInference": .atMost(0),
        "TidemarkJSON": .atMost(11),
        "TidemarkMacroExpansion": .atMost(0),
        "TidemarkMacroPlugin": .atMost(0),
        "TidemarkMacros": .atMost(0),
        "TidemarkModel": .atMost(38),
        "TidemarkRemote": .atMost(46),
        "TidemarkStore": .atMost(60),
        "TidemarkSync": .atMost(47),
        "TidemarkTesting": .atMost(18),
        "TidemarkURLSession": .atMost(1),
        "TidemarkYAML": .atMost(0),
    ]
}
