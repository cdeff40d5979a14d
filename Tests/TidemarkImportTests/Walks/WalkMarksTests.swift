import Testing
import TidemarkImport

struct WalkMarksTests {
    @Test(arguments: [
        "=", "=1", "=1-3,5,7-9", "=1-3\n!Film", "=\n!Film\n!Person",
        "=1-3\n!Person\nFilm 1-3,5\nPerson 8", "=\nFilm 1-9223372036854775806",
    ])
    func `marks are read as they were written`(_ text: String) throws {
        #expect(try #require(WalkMarks(text: text)).text == text)
    }

    @Test(arguments: [
        "x", "=x", "=1-", "=-1", "=1--2", "=3-1", "=1-2-3", "=0", "=0-9223372036854775807",
        "=9223372036854775807", "=9223372036854775808", "=99999999999999999999", "=1,x",
        "= 1", "=1 2", "=１", "Film", "Film ", "Film x", "Film 1 2", "Film 1-x", "Film -5",
        "Film 0-9223372036854775807", "Film 1-9223372036854775807", "\u{0}", "=1\nFilm\n!Film",
    ])
    func `a text that names no rows is refused`(_ text: String) {
        #expect(WalkMarks(text: text) == nil)
    }

    @Test func `no marks are those of nothing`() throws {
        #expect(WalkMarks().text == "=")
        #expect(WalkMarks(text: "") == WalkMarks())
    }

    /// The marks of two steps, and of both together.
    static let sums = [
        ("=1-3", "=4", "=1-4"), ("=1-3", "=5", "=1-3,5"), ("=5", "=1-3", "=1-3,5"),
        ("=1-9", "=3-4", "=1-9"), ("=1-3,7-9", "=2-8", "=1-9"), ("=1,3,5", "=2,4", "=1-5"),
        ("=", "=1", "=1"), ("=1", "=", "=1"), ("=\nFilm 1-2", "=\nFilm 3", "=\nFilm 1-3"),
        ("=\nFilm 1", "=\nPerson 1", "=\nFilm 1\nPerson 1"), ("=\n!Film", "=\n!Film", "=\n!Film"),
        ("=1-9223372036854775806", "=9223372036854775806", "=1-9223372036854775806"),
        ("=2,1", "=", "=1-2"), ("=1,1,1", "=1", "=1"),
    ]

    @Test(arguments: sums)
    func `the marks of several steps add up`(
        _ one: String,
        _ other: String,
        _ sum: String
    ) throws {
        var marks = try #require(WalkMarks(text: one))
        marks.add(try #require(WalkMarks(text: other)))
        #expect(marks.text == sum)
    }
}
