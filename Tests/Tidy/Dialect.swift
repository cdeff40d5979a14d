import Foundation

/// The expressions for which the glossary has standard terms.
enum Dialect {
    /// Returns the expressions that a line contains.
    static func words(in line: String) -> [String] {
        expression.matches(in: line, range: NSRange(line.startIndex..., in: line)).map {
            (line as NSString).substring(with: $0.range)
        }
    }

    private static let expression: NSRegularExpression = {
        let words = [
            "stands", "stand (in|for|at|behind|under)", "(is|are) told", "tells", "told",
            "(is|are) none", "somebody", "nobody", "whoever", "goes on", "as (it was|they were)",
            "put aside", "anew", "asked for", "mend(s|ed)?", "alike", #"rehears\w*"#, "dares?",
            "words? of the service", "looked over", "(is|are) gone", "beside it", "rivals?",
            #"misbehav\w*"#, #"(?<!there )(is|are) no(?= [\w“\\])(?! (longer|more)\b)"#,
        ]
        let pattern = #"\b(?:\#(words.joined(separator: "|")))\b"#
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
        else { preconditionFailure("\(pattern) is not a regular expression.") }
        return expression
    }()
}
