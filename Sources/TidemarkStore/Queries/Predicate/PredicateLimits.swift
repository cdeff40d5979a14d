/// Limits on the size of a predicate, which protect against texts from command lines and
/// configuration files.
package struct PredicateLimits: Hashable, Sendable {
    /// The maximum length of the text, in bytes of UTF-8.
    ///
    /// The default is 256 KiB.
    package var textBytes = 1 << 18

    /// The maximum nesting depth of parentheses and `NOT`.
    ///
    /// The default is 100.
    package var nesting = 100

    /// The maximum depth to which `AND` and `OR` are nested inside each other.
    ///
    /// `SUBQUERY` counts as three.
    ///
    /// The default is 16.
    ///
    /// The stack of SQLite's parser has room for about 100 open parentheses and operators in total.
    package var alternation = 16

    /// The maximum number of comparisons and list elements.
    ///
    /// The default is 10,000.
    ///
    /// SQLite binds at most 32,766 values to a statement.
    package var terms = 10_000

    /// The maximum number of names in a key path.
    ///
    /// The default is 16.
    package var pathNames = 16

    /// Creates the default limits.
    package init() {}
}
