import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Exported dates: they have the format of their attribute, so that an import reads the same
/// points in time.
struct ExportDateTests {
    private func store(_ formats: (name: String, format: String?)...) throws -> Store {
        try Store.of(
            EntityDescription(
                "Event",
                attributes: [.init("id", .integer64)]
                    + formats.map { .init($0.name, .date, dateFormat: $0.format) }
            )
        )
    }

    private func zone(_ name: String) throws -> ExportOptions {
        ExportOptions(timeZone: try #require(TimeZone(identifier: name)))
    }

    @Test func `dates are exported in the format of their attribute`() throws {
        let store = try store(
            ("born", "dd.MM.yyyy"),
            ("seen", "seconds"),
            ("sent", "milliseconds"),
            ("read", "microseconds"),
            ("local", "yyyy-MM-dd HH:mm:ss xxx"),
            ("plain", nil)
        )
        let document = """
            [{"id":1,"born":"24.12.2015","seen":1500000000.25,"sent":-1500,"read":1500000000000001,\
            "local":"2016-05-17 10:20:30 +00:00","plain":"2016-05-17T10:20:30.500Z"},\
            {"id":2,"born":null,"seen":0,"sent":0,"read":0,"local":null,"plain":null}]
            """
        try store.load("Event", document)
        try expect(store.export("Event"), is: document)
        try expect(store.load("Event", document), is: "Event =2")
    }

    @Test func `formats without a time zone use UTC, others the time zone of the options`() throws {
        let store = try store(("born", "dd.MM.yyyy HH:mm"), ("local", "yyyy-MM-dd HH:mm xxx"))
        try store.load(
            "Event",
            #"{"id":1,"born":"24.12.2015 23:30","local":"2015-12-24 23:30 +00:00"}"#
        )
        let text = #"{"id":1,"born":"24.12.2015 23:30","local":"2015-12-25 00:30 +01:00"}"#
        try expect(store.export("Event:1", zone("Europe/Madrid")), is: text)
        try expect(store.load("Event", text), is: "Event =1")
    }

    @Test func `the date format of the options replaces those of the attributes`() throws {
        let store = try store(("born", "dd.MM.yyyy"), ("plain", nil))
        try store.load("Event", #"{"id":1,"born":"24.12.2015","plain":"2015-12-24"}"#)
        try expect(
            store.export("Event:1", ExportOptions(dateFormat: DateFormat("yyyy/MM/dd"))),
            is: #"{"id":1,"born":"2015/12/24","plain":"2015/12/24"}"#
        )
    }

    @Test(arguments: ["UTC", "Europe/Madrid", "America/Lima"])
    func `the first and last dates are exported in any time zone, not as null`(name: String) throws
    {
        let store = try store(("v", nil))
        for text in [
            "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000001Z", "1850-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z",
        ] {
            try store.load("Event", #"{"id":1,"v":"\#(text)"}"#)
            let exported = try store.export("Event:1", zone(name))
            #expect(!exported.contains("null"))
            try expect(store.load("Event", exported), is: "Event =1")
            guard name == "UTC", text != "0000-01-01T00:00:00.000001Z" else { continue }
            expect(exported, is: #"{"id":1,"v":"\#(text)"}"#)
        }
    }

    @Test(arguments: ["1e12", "-1e12", "9e999"])
    func `a date outside the years 0 to 9999 throws instead of becoming null`(
        seconds: String
    ) throws {
        let store = try store(("v", nil))
        try store.load("Event", #"{"id":1,"v":0}"#)
        try store.writer.write { db in try db.execute(sql: "UPDATE Event SET v = \(seconds)") }
        try expect(
            errorMessage(store.export("Event:1")),
            is: """
                The value of v in Event#1 is not a date between the years 0 and 9999. Give the row \
                another value, or export other properties of it alone.
                """
        )
    }
}
