import Testing
import TidemarkImport

/// The rows of a page, in their text form.
struct PageRowsTests {
    @Test(arguments: [
        "", "=Film 1", "=Film 1-3,5,7-9", "=Film 1-3\n!Film", "!Film\n!Person",
        "=Film 1-3\n!Person\nFilm 1-3,5\nPerson 8", "Film 1-9223372036854775806",
        "=Film 1-2\n=Person 1\nFilm 1-2\nPerson 1", "=Film ", "Film ",
    ])
    func `the text form is unchanged after parsing and printing`(_ text: String) throws {
        #expect(try #require(PageRows(text: text)).text == text)
    }

    @Test(arguments: [
        "=", "=1-3", "= 1-3", " 1-3", "=Film", "=Film x", "=Film 1-", "=Film -1", "=Film 1--2",
        "=Film 3-1", "=Film 1-2-3", "=Film 0", "=Film 0-9223372036854775807", "=Film  1",
        "=Film 9223372036854775807", "=Film 9223372036854775808", "=Film 99999999999999999999",
        "=Film 1,x", "=Film 1 2", "=Film １", "Film", "Film x", "Film 1 2", "Film 1-x", "Film -5",
        "Film 0-9223372036854775807", "Film 1-9223372036854775807", "\u{0}",
        "=Film 1\nFilm\n!Film",
    ])
    func `an invalid text form is rejected`(_ text: String) {
        #expect(PageRows(text: text) == nil)
    }

    @Test func `the text form of no rows is empty`() throws {
        #expect(PageRows().text == "")
        #expect(PageRows(text: "") == PageRows())
    }

    /// The rows of two transactions, and the rows of both.
    static let sums = [
        ("Film 1-3", "Film 4", "Film 1-4"), ("Film 1-3", "Film 5", "Film 1-3,5"),
        ("Film 5", "Film 1-3", "Film 1-3,5"), ("Film 1-9", "Film 3-4", "Film 1-9"),
        ("Film 1-3,7-9", "Film 2-8", "Film 1-9"), ("Film 1,3,5", "Film 2,4", "Film 1-5"),
        ("", "=Film 1", "=Film 1"), ("=Film 1", "", "=Film 1"),
        ("=Film 1-2", "=Film 3", "=Film 1-3"), ("=Film 1", "Film 1", "=Film 1\nFilm 1"),
        ("=Film 1", "=Person 1", "=Film 1\n=Person 1"),
        ("Film 1", "Person 1", "Film 1\nPerson 1"), ("!Film", "!Film", "!Film"),
        (
            "Film 1-9223372036854775806", "Film 9223372036854775806",
            "Film 1-9223372036854775806"
        ),
        ("Film 2,1", "Film 3", "Film 1-3"), ("Film 1,1,1", "Film 1", "Film 1"),
    ]

    @Test(arguments: sums)
    func `the rows of several transactions are merged`(
        _ one: String,
        _ other: String,
        _ sum: String
    ) throws {
        var rows = try #require(PageRows(text: one))
        rows.add(try #require(PageRows(text: other)))
        #expect(rows.text == sum)
    }
}
