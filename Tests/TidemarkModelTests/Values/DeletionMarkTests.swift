import Testing
import TidemarkJSON
import TidemarkModel

/// What marks an object as deleted.
struct DeletionMarkTests {
    private func isDeleted(_ mark: String) throws -> Bool {
        try JSONDocument(Array(#"{"meta": {"deleted": \#(mark)}}"#.utf8)).withRoot { object in
            object.marksDeletion(at: ["meta", "deleted"])
        }
    }

    @Test(arguments: [
        "true", "1", "-1", "0.5", #""1""#, #""true""#, #""2026-01-01T00:00:00Z""#, #""yes""#,
        "1700000000", #""0001-01-02""#, #""0000-01-01""#, #"{"by": 1}"#, "[]", "1e400",
        #""deleted""#, "99999999999999999999999999999999999999999",
    ])
    func `a flag, a time or another value does`(mark: String) throws {
        #expect(try isDeleted(mark))
    }

    @Test(arguments: [
        "null", "false", "0", "0.0", "-0", "0e5", #""""#, #"" ""#, #""0""#, #""0.0""#, #""false""#,
        #""False""#, #""0000-00-00""#, #""0000-00-00 00:00:00""#, #""0000-00-00T00:00:00.000Z""#,
        #""0001-01-01T00:00:00Z""#, #""0001-01-01T00:00:00+00:00""#, #""00/00/0000""#,
    ])
    func `what says the opposite does not`(mark: String) throws {
        #expect(try !isDeleted(mark))
    }

    @Test func `neither does a member that is missing`() throws {
        try JSONDocument(Array(#"{"deleted": {"at": 1}}"#.utf8)).withRoot { object in
            #expect(!object.marksDeletion(at: []))
            #expect(!object.marksDeletion(at: ["removed"]))
            #expect(!object.marksDeletion(at: ["deleted", "by"]))
            #expect(object.marksDeletion(at: ["deleted", "at"]))
        }
    }
}
