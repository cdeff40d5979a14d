/// The limits of what the project measures, with the numbers of today where a goal is missed.
///
/// A cap is only lowered, except for the public types of a target: a commit that raises their number
/// says why.
enum Caps {
    /// The types with more than 12 stored properties.
    static let overfullTypes = Limit.atMost(0, today: 18)

    /// The share of functions with two or more unlabelled parameters, in percent.
    static let unlabelled = Limit.atMost(3, today: 22.3)

    /// The functions, by file and name, whose parameters need no labels, and why.
    static let withoutLabels = [
        "DecimalOrder.compare": "The operands of a comparison.",
        "FakeValue.areEqual": "The operands of a comparison.",
    ]

    /// The public functions with a parameter that is a flag.
    static let flags = Limit.atMost(0, today: 7)

    /// The labels of public Boolean parameters that are no flags, or the name of the function.
    ///
    /// They are facts of a schema or of an order, and values.
    static let facts: Set = [
        "isAbstract", "isAscending", "isExportable", "isOptional", "isOrdered", "isToMany",
        "isTransient", "boolean", "booleanLiteral",
    ]

    /// The initializers that perform I/O.
    static let effectfulInitializers = Limit.atMost(0, today: 15)

    /// The comments that say why, per 100 lines of code.
    static let reasons: [String: Limit] = [
        "Sources/TidemarkImport/Rows/": .atLeast(2),
        "Sources/TidemarkImport/Session/": .atLeast(2),
        "Sources/TidemarkSync/": .atLeast(2),
    ]

    /// The public types of each target.
    static let publicTypes: [String: Limit] = [
        "Tidemark": .atMost(0),
        "TidemarkCLI": .atMost(0),
        "TidemarkFakeServer": .atMost(4, today: 5),
        "TidemarkHTTPClient": .atMost(1),
        "TidemarkImport": .atMost(16, today: 24),
        "TidemarkModel": .atMost(40, today: 74),
        "TidemarkRemote": .atMost(28, today: 41),
        "TidemarkStore": .atMost(26, today: 48),
        "TidemarkSync": .atMost(18, today: 20),
        "TidemarkTesting": .atMost(16, today: 34),
        "TidemarkURLSession": .atMost(1),
        "TidemarkYAML": .atMost(0),
    ]
}
