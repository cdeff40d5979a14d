public import TidemarkModel

/// A condition on the rows of an entity, in the format language of `NSPredicate`.
///
/// ```swift
/// let recent = try RecordPredicate(
///     "title CONTAINS[cd] %@ AND releasedAt >= '1977-05-25'",
///     .string("hope")
/// )
/// let films = try store.read { reader in try reader.fetch(RecordRequest("Film", where: recent)) }
/// ```
///
/// The language:
/// - `=` `==` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>`, `BETWEEN {low, high}`, `IN {a, b}`;
/// - `BEGINSWITH` `ENDSWITH` `CONTAINS`, `LIKE` with the wildcards `*` and `?`, `MATCHES` with a
///   regular expression for the whole text; `[c]` after an operator ignores case, `[d]` diacritics;
/// - `AND` `OR` `NOT`, also written `&&` `||` `!`, and parentheses;
/// - attributes by name, through relationships with dots (`company.name`); `#` before a name that
///   is a keyword; `SELF` for the row itself;
/// - `ANY` `SOME` `ALL` `NONE` before a comparison whose key path leads through a to-many
///   relationship; `.@count` after one;
/// - `SUBQUERY(notes, $n, $n.isDone = NO AND $n.text = name).@count` for the number of linked rows
///   that satisfy a predicate of their own;
/// - `NULL` `NIL` `TRUE` `YES` `FALSE` `NO`, numbers, texts in single or double quotes;
///   `CAST("…", "date")` for a date, bytes in base64 (`"binary"`) or a JSON document (`"json"`);
///   `TRUEPREDICATE`, `FALSEPREDICATE`;
/// - `%@` and `$name` for values that are passed separately, `%K` for a key path that is passed
///   separately.
///
/// A row is compared by its primary key or its locator: `company = 6`,
/// `SELF IN {"User:6", "User#12"}`.
///
/// A comparison is true or false, never unknown: only null equals null, comparisons of order with
/// null are false, and `NOT` inverts the result. Names and literals are checked when the predicate
/// is used with an entity. An unknown attribute, or a literal that does not convert to the type of
/// its attribute, throws ``RecordPredicateError`` with the position in the text.
///
/// Two predicates are equal if they consist of the same conditions in the same order, however they
/// are written.
public struct RecordPredicate: Sendable, Hashable, CustomStringConvertible {
    let tree: PredicateTree

    /// The text that was parsed, for errors that are detected later; nil if the predicate was built
    /// by code.
    private let text: String?

    private let limits: PredicateLimits

    /// Creates a predicate from a tree that was built by code.
    ///
    /// Its limits are checked when it is used.
    init(_ tree: PredicateTree, limits: PredicateLimits = PredicateLimits()) {
        self.tree = tree
        self.limits = limits
        text = nil
    }

    /// Parses a predicate.
    ///
    /// Pass values from users or services as arguments, never by inserting them into the text: they
    /// are bound to the SQL statement, so they need no quotes or escapes. Like a literal, an
    /// argument is converted to the type of the attribute that it is compared with.
    ///
    /// ```swift
    /// let hope = try RecordPredicate(
    ///     "%K CONTAINS[cd] %@ AND releasedAt >= $since",
    ///     .string("title"),
    ///     .string("hope"),
    ///     names: ["since": .date(0)]
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - format: The text, of at most 256 KiB, 100 nested parentheses and 10,000 comparisons.
    ///   - arguments: The values for `%@` and `%K`, in their order in the text. All must be used.
    ///   - names: The values for `$name`, by name without the dollar sign.
    /// - Throws: ``RecordPredicateError`` with the position in the text, if the text is not a
    ///   predicate, exceeds a limit, or if the number of arguments does not match.
    public init(
        _ format: String,
        _ arguments: Value...,
        names: [String: Value] = [:]
    ) throws(RecordPredicateError) {
        try self.init(format, arguments: arguments, names: names)
    }

    /// Parses a predicate with arguments in an array, whose number is not known at compile time.
    ///
    /// The rest is as with variadic arguments. `IN %@` does not take a list: write one `%@` for
    /// each element.
    ///
    /// ```swift
    /// let ids: [Int64] = [1, 2, 3]
    /// let list = ids.map { _ in "%@" }.joined(separator: ", ")
    /// let selected = try RecordPredicate("id IN {\(list)}", arguments: ids.map { .integer($0) })
    /// ```
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - arguments: The values for `%@` and `%K`, in their order in the text. All must be used.
    ///   - names: The values for `$name`, by name without the dollar sign.
    /// - Throws: ``RecordPredicateError`` with the position in the text.
    public init(
        _ format: String,
        arguments: [Value],
        names: [String: Value] = [:]
    ) throws(RecordPredicateError) {
        try self.init(format, arguments: arguments, names: names, limits: PredicateLimits())
    }

    /// Parses a predicate with custom limits.
    ///
    /// - Parameters:
    ///   - format: The text.
    ///   - arguments: The values for `%@` and `%K`, in their order in the text. All must be used.
    ///   - names: The values for `$name`, by name without the dollar sign.
    ///   - limits: The limits on the size of the predicate.
    /// - Throws: ``RecordPredicateError`` with the position in the text.
    package init(
        _ format: String,
        arguments: [Value],
        names: [String: Value] = [:],
        limits: PredicateLimits
    ) throws(RecordPredicateError) {
        do throws(PredicateFault) {
            var parser = try PredicateParser(
                format,
                arguments: arguments,
                names: names,
                limits: limits
            )
            tree = try parser.parse()
            try tree.check(limits)
            text = format
            self.limits = limits
        } catch {
            throw RecordPredicateError(error, in: format)
        }
    }

    /// Returns whether two predicates have equal syntax trees.
    ///
    /// Spelling does not matter, order does: `a = 1 AND b = 2` equals `(a == 1) && b = 2`, but not
    /// `b = 2 AND a = 1`.
    public static func == (left: RecordPredicate, right: RecordPredicate) -> Bool {
        left.tree == right.tree
    }

    /// Hashes the syntax tree.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tree)
    }

    /// The predicate in canonical form, with its arguments inserted.
    ///
    /// Parsing it results in an equal predicate. It contains the values of the arguments, so do not
    /// log it if they are private.
    public var description: String { tree.description }
}

extension RecordPredicate {
    /// Returns the SQL condition on a row of an entity.
    func sql(
        for entity: EntityLayout,
        in layout: StoreLayout
    ) throws(RecordPredicateError) -> SQLText {
        PredicateSQL(layout: layout).condition(try typed(for: entity, in: layout))
    }

    /// Returns the condition with all names resolved for an entity.
    func typed(
        for entity: EntityLayout,
        in layout: StoreLayout
    ) throws(RecordPredicateError) -> TypedPredicate {
        do throws(PredicateFault) {
            try tree.check(limits)
            return try PredicateTyping(layout: layout, entity: entity).typed(tree)
        } catch {
            throw RecordPredicateError(error, in: text)
        }
    }
}
