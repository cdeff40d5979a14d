public import TidemarkModel

/// Which rows of an entity somebody wants, in the format language of `NSPredicate`.
///
/// ```swift
/// let recent = try RecordPredicate(
///     "title CONTAINS[cd] %@ AND releasedAt >= '1977-05-25'",
///     .string("hope")
/// )
/// let films = try store.fetch(db, RecordRequest("Film", where: recent))
/// ```
///
/// The language:
/// - `=` `==` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>`, `BETWEEN {low, high}`, `IN {a, b}`;
/// - `BEGINSWITH` `ENDSWITH` `CONTAINS`, `LIKE` with the wildcards `*` and `?`, `MATCHES` with a
///   regular expression for the whole text; `[c]` behind an operator disregards case, `[d]`
///   diacritics;
/// - `AND` `OR` `NOT`, also written `&&` `||` `!`, and parentheses;
/// - attributes by name, through relationships with dots (`company.name`); `#` before a name that
///   is a keyword; `SELF` for the row itself;
/// - `ANY` `SOME` `ALL` `NONE` before a comparison whose key path leads through a to-many
///   relationship; `.@count` behind one;
/// - `NULL` `NIL` `TRUE` `YES` `FALSE` `NO`, numbers, texts in single or double quotes,
///   `CAST("…", "date")` for a date, base64 (`"binary"`) or a document (`"json"`);
///   `TRUEPREDICATE`, `FALSEPREDICATE`;
/// - `%@` and `$name` for values given beside the text, `%K` for a key path given so.
///
/// A row is compared by its key or its name: `company = 6`, `SELF IN {"User:6", "User#12"}`.
///
/// A comparison is true or false, never unknown: nothing equals null but null, no order holds
/// with null, and `NOT` turns either around. Whether a predicate fits an entity turns out when it
/// is used: an attribute that is not there, or a literal that does not convert to its type, is an
/// error at its character.
///
/// Two predicates are equal when they say the same in the same order, however they are written.
public struct RecordPredicate: Sendable, Hashable, CustomStringConvertible {
    let tree: PredicateTree

    /// The text it was read from, for errors that turn up later.
    let text: String

    /// Reads a predicate; `%@` and `%K` stand for the arguments in their order, `$name` for the
    /// value of that name.
    ///
    /// - Throws: ``RecordPredicateError`` with the place in the text.
    public init(
        _ format: String,
        _ arguments: Value...,
        names: [String: Value] = [:]
    ) throws(RecordPredicateError) {
        try self.init(format, arguments: arguments, names: names)
    }

    /// Reads a predicate whose arguments are a list already, or whose limits differ.
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - arguments: What `%@` and `%K` stand for; each is used once.
    ///   - names: What `$name` stands for, without the dollar sign.
    ///   - limits: How long, deep and large the predicate may be.
    /// - Throws: ``RecordPredicateError`` with the place in the text.
    public init(
        _ format: String,
        arguments: [Value],
        names: [String: Value] = [:],
        limits: PredicateLimits = PredicateLimits()
    ) throws(RecordPredicateError) {
        do throws(PredicateFault) {
            var parser = try PredicateParser(format, arguments, names, limits)
            tree = try parser.parse()
            text = format
        } catch {
            throw RecordPredicateError(error, in: format)
        }
    }

    /// Equal trees are equal predicates.
    public static func == (left: RecordPredicate, right: RecordPredicate) -> Bool {
        left.tree == right.tree
    }

    /// Hashes the tree.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tree)
    }

    /// The predicate in its canonical form, arguments written out: what it reads as is equal to it.
    public var description: String { tree.description }
}
