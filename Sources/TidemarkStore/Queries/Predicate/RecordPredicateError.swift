import TidemarkModel

public import protocol Foundation.LocalizedError

/// Why a predicate cannot be read, or does not fit the entity it is used for.
public struct RecordPredicateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter, in a sentence.
    public let message: String

    /// What to do about it.
    public let hint: String?

    /// The place in the text: its characters are counted from 1.
    public let character: Int

    /// The line of the text with that place, and a caret below it.
    ///
    /// ```
    /// age >> 3
    ///      ^
    /// ```
    ///
    /// A long line is cut; what could steer a terminal is shown as a space.
    public let excerpt: String

    init(_ fault: PredicateFault, in text: String) {
        message = fault.message
        hint = fault.hint
        let place = text.unicodeScalars.prefix(fault.place.offset)
        character = String(String.UnicodeScalarView(place)).count + 1
        excerpt = Self.excerpt(of: text, at: character - 1)
    }

    /// The message with its place, and what to do about it.
    public var description: String {
        let place = message.last == "." ? String(message.dropLast()) : message
        return "\(place), at character \(character)." + (hint.map { " \($0)" } ?? "")
    }

    /// The message with its place, then the text with a caret below that place.
    public var rendering: String { "\(description)\n\(excerpt)" }

    private static let shown = 60

    private static func excerpt(of text: String, at offset: Int) -> String {
        let behind = text.prefix(offset)
        let start = behind.lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
        let column = text.distance(from: start, to: behind.endIndex)
        let cut = max(0, column - shown)
        let line = text[start...].prefix(column + shown).prefix { !$0.isNewline }.dropFirst(cut)
        let isLonger = line.endIndex < text.endIndex && !text[line.endIndex].isNewline
        let before = cut > 0 ? "…" : ""
        let visible = String(line.map { $0.unicodeScalars.allSatisfy(\.isPrintable) ? $0 : " " })
        let indent = String(repeating: " ", count: before.count + column - cut)
        return "\(before)\(visible)\(isLonger ? "…" : "")\n\(indent)^"
    }
}

/// What is the matter with a predicate, before its text is at hand.
struct PredicateFault: Error {
    let message: String
    let hint: String?
    let place: TextPlace

    init(_ message: String, _ place: TextPlace, hint: String? = nil) {
        self.message = message
        self.hint = hint
        self.place = place
    }
}

/// Where something stands in a text, in Unicode scalars; of no account when trees are compared.
struct TextPlace: Hashable, Sendable {
    let offset: Int

    static func == (left: TextPlace, right: TextPlace) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension RecordPredicateError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
