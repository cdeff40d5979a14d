/// A broken invariant that a fuzz target found.
package struct Violation: Error, CustomStringConvertible {
    /// The actual and the expected result.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws a violation unless two values are equal.
    static func unlessEqual<T: Equatable>(
        _ left: T,
        _ right: T,
        _ about: @autoclosure () -> String
    ) throws {
        guard left != right else { return }
        throw Violation("\(about())\n--- one\n\(left)\n--- other\n\(right)")
    }

    /// Throws a violation with the lines that differ unless two texts are equal.
    static func unlessSameText(
        _ left: String,
        _ right: String,
        _ about: @autoclosure () -> String
    ) throws {
        guard left != right else { return }
        let lines = [left, right].map { $0.split(separator: "\n") }
        let difference = lines[1].difference(from: lines[0]).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }
        throw Violation("\(about())\n\(difference.joined(separator: "\n"))")
    }
}
