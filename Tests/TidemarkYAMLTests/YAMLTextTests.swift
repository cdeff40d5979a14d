import Testing
import TidemarkYAML

/// The subset of YAML that is accepted.
struct YAMLTextTests {
    @Test(arguments: [
        "a: &x 1", "a: &x {b: 1}", "a: &x [1]", "&x a: 1", "a: &x\n  b: 1", "- &x",
        "a: &x 1\nb: *x", "? *x\n: 1", "a: *x",
    ])
    func `rejects anchors and aliases, used or not`(text: String) {
        #expect(throws: YAMLText.Failure.self) { try YAMLText(text).decode([String: String].self) }
        #expect(message(text).contains("anchors and aliases are not allowed"))
    }

    @Test(arguments: ["z: *a9", "? *a9\n: 1", "{*a9 : 1}", "? [*a9]\n: 1", "? {x: *a9}\n: 1"])
    func `rejects aliases that expand exponentially, without expanding them`(last: String) {
        var lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
        for number in 1...9 {
            let aliases = Array(repeating: "*a\(number - 1)", count: 9).joined(separator: ",")
            lines.append("a\(number): &a\(number) [\(aliases)]")
        }
        let text = (lines + [last]).joined(separator: "\n")
        #expect(
            message(text) == """
                m.yml, line 1, column 5: anchors and aliases are not allowed. Write it out.
                """
        )
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "]) func `rejects deep nesting`(opening: String) {
        let text = String(repeating: opening, count: 10_000)
        #expect(message(text).lowercased().contains("nest"))
    }

    @Test(arguments: ["", "a: [", "a: 'b", "\u{1}", "a: 1\n---\nb: 2"])
    func `rejects an invalid document`(text: String) {
        #expect(!message(text).isEmpty)
    }

    @Test func `accepts asterisks and ampersands that are not anchors or aliases`() throws {
        let text = "a: b & c\nd: 'x *y'\ne: \"&z\"\nf: 2*3 # &a *b"
        let decoded = try YAMLText(text).decode([String: String].self)
        #expect(decoded == ["a": "b & c", "d": "x *y", "e": "&z", "f": "2*3"])
    }

    private func message(_ text: String) -> String {
        do {
            _ = try YAMLText(text).decode([String: String].self)
            return ""
        } catch let error as YAMLText.Failure {
            return error.sentence(about: "m.yml")
        } catch {
            return "\(error)"
        }
    }
}
