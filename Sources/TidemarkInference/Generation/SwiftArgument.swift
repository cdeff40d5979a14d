/// An argument of a call in Swift code.
struct SwiftArgument {
    let label: String?
    let expression: String

    /// The elements if the expression is a list of them.
    private var elements: [String] = []

    init(_ label: String?, _ expression: String) {
        self.label = label
        self.expression = expression
    }

    init(_ label: String, list elements: [String]) {
        self.init(label, "[\(elements.joined(separator: ", "))]")
        self.elements = elements
    }

    var text: String { start + expression }

    private var start: String { label.map { "\($0): " } ?? "" }

    /// Returns the argument on a line of its own, or each element of a long list on one.
    func lines(indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        guard indent + text.count + 1 > SwiftText.width, !elements.isEmpty else {
            return margin + text
        }
        let lines = elements.map { "\(margin)    \($0)" }.joined(separator: ",\n")
        return "\(margin)\(start)[\n\(lines)\n\(margin)]"
    }
}
