import TidemarkModel

public import protocol Foundation.LocalizedError

/// An error in the text of a predicate, or in its use with an entity.
///
/// Initializers of ``RecordPredicate`` throw it for a text that is not a predicate. Reads throw it
/// for names and literals that do not match the entity, such as an unknown attribute, and for a
/// comparison of unrelated types. ``rendering`` shows a user who typed the text where the error is:
///
/// ```swift
/// do {
///     _ = try RecordPredicate("age >> 3")
/// } catch {
///     print(error.rendering)
/// }
/// ```
public struct RecordPredicateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that describes the error, without its position.
    public let message: String

    /// A suggestion for fixing the error, such as a similar name; nil without one.
    public let hint: String?

    /// The position of the error in the text, in characters (grapheme clusters), starting at 1.
    ///
    /// It is one more than the length of the text if the error is at its end, and 0 if the
    /// predicate was built by code.
    public let character: Int

    /// The line of the text that contains the error, and a caret below its position.
    ///
    /// ```
    /// age >> 3
    ///      ^
    /// ```
    ///
    /// A long line is shortened, and control characters are replaced by spaces. It is empty if the
    /// predicate was built by code.
    public let excerpt: String

    init(_ fault: PredicateFault, in text: String?) {
        message = fault.message
        hint = fault.hint
        guard let text else {
            character = 0
            excerpt = ""
            return
        }
        // The parser counts Unicode scalars, users count characters.
        let location = text.unicodeScalars.prefix(fault.location.offset)
        character = String(String.UnicodeScalarView(location)).count + 1
        excerpt = Self.excerpt(of: text, at: character - 1)
    }

    /// The message with the position, followed by the hint, on one line.
    public var description: String {
        let location = message.last == "." ? String(message.dropLast()) : message
        let position = character == 0 ? "" : ", at character \(character)"
        return "\(location)\(position)." + (hint.map { " \($0)" } ?? "")
    }

    /// The description, followed by the line of the text with a caret below the position.
    ///
    /// Use it in a terminal or in another place with a monospaced font.
    public var rendering: String {
        excerpt.isEmpty ? description : "\(description)\n\(excerpt)"
    }

    private static let shown = 60

    private static func excerpt(of text: String, at offset: Int) -> String {
        let prefix = text.prefix(offset)
        let start = prefix.lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
        let column = text.distance(from: start, to: prefix.endIndex)
        let cut = max(0, column - shown)
        let line = text[start...].prefix(column + shown).prefix { !$0.isNewline }.dropFirst(cut)
        let isLonger = line.endIndex < text.endIndex && !text[line.endIndex].isNewline
        let before = cut > 0 ? "…" : ""
        let visible = String(line.map { $0.unicodeScalars.allSatisfy(\.isPrintable) ? $0 : " " })
        let indent = String(repeating: " ", count: before.count + column - cut)
        return "\(before)\(visible)\(isLonger ? "…" : "")\n\(indent)^"
    }
}

/// An error in a predicate, without the text.
struct PredicateFault: Error {
    let message: String
    let hint: String?
    let location: TextLocation

    init(_ message: String, at location: TextLocation, hint: String? = nil) {
        self.message = message
        self.hint = hint
        self.location = location
    }
}

/// A position in a text, as an offset in Unicode scalars.
///
/// All positions are equal, so that trees are compared without them.
struct TextLocation: Hashable, Sendable {
    let offset: Int

    static func == (left: TextLocation, right: TextLocation) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension RecordPredicateError: LocalizedError {
    /// The same as ``RecordPredicateError/description``; `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
