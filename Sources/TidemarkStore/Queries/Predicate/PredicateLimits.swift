/// How long, deep and large a predicate may be; texts come from command lines and configurations.
public struct PredicateLimits: Hashable, Sendable {
    /// How many bytes the text may have, in UTF-8.
    public var textBytes = 1 << 18

    /// How deep parentheses and `NOT` may be nested.
    public var nesting = 100

    /// How often `AND` and `OR` may stand inside each other.
    ///
    /// SQLite's parser has room for about a hundred open brackets and operators in all.
    public var alternation = 16

    /// How many comparisons and elements of lists there may be.
    ///
    /// SQLite binds at most 32,766 values to a statement.
    public var terms = 10_000

    /// How many names a key path may have.
    public var pathNames = 16

    /// Creates the default limits; change the properties that should differ.
    public init() {}
}
