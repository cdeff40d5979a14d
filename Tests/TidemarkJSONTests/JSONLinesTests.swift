import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONLinesTests {
    private static let noObject = "expected an object: each line of JSON Lines must be one"

    private func reader(
        _ text: String,
        root: JSONPath = [],
        window: Int = 64,
        _ format: JSONItemReader.Format = .jsonOrLines
    ) -> JSONItemReader {
        var rest = Array(text.utf8)[...]
        return JSONItemReader(root: root, limits: JSONLimits(), window: window, format: format) {
            let count = min($0.count, rest.count)
            $0.copyBytes(from: rest.prefix(count))
            rest.removeFirst(count)
            return count
        }
    }

    @Test(arguments: [
        "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", "{\"id\":1}\r\n \n{\"id\":2}\n{\"id\":3}",
        "\u{FEFF}\n{\"id\":1}\n{\"id\":2}  \n\t {\"id\":3}", "[{\"id\":1},{\"id\":2},{\"id\":3}]",
        "{\n\"id\":1\n}\n{\n\"id\":2\n}\n{\n\"id\":3\n}",
    ])
    func `reads the objects of a text, one per line or all in an array`(_ text: String) throws {
        for window in 1...(text.utf8.count + 1) {
            var items = reader(text, window: window)
            #expect(
                try items.texts() == ["{\"id\":1}", "{\"id\":2}", "{\"id\":3}"],
                "windows of \(window)"
            )
        }
    }

    @Test(arguments: [
        ("{\"id\":1}\n{\"id\":", 1, "line 2, column 7: unexpected end of input"),
        ("{\"id\":1}\n{\"id\" 2}", 1, "line 2, column 7: expected a colon"),
        (
            "{\"id\":1} {\"id\":2}", 1,
            "line 1, column 10: expected the end of the input after the value"
        ),
        ("{\"id\":1}\n[2]", 1, "line 2, column 1: \(noObject)"),
        ("{\"id\":1}\n2", 1, "line 2, column 1: \(noObject)"),
        ("{\"id\":1}\n\n null\n", 1, "line 3, column 2: \(noObject)"),
        ("[]\n{\"id\":2}", 0, "line 2, column 1: expected the end of the input after the value"),
    ])
    func `rejects text that is neither one value nor one object per line`(
        _ text: String,
        _ read: Int,
        _ errorMessage: String
    ) {
        for window in [1, 2, 100] {
            var items = reader(text, window: window)
            var count = 0
            let error = #expect(throws: JSONError.self) {
                while try items.next({ _ in count += 1 }) {}
            }
            #expect(error?.description == errorMessage)
            #expect(count == read)
        }
    }

    @Test func `reads lines only where they are accepted, and never with a key path`() {
        let lines = "{\"a\":{\"id\":1}}\n{\"a\":{\"id\":2}}"
        var strict = reader(lines, .json)
        #expect(throws: JSONError.self) { try strict.texts() }
        var rooted = reader(lines, root: "a")
        #expect(throws: JSONError.self) { try rooted.texts() }
    }
}
