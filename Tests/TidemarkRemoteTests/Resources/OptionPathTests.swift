import Testing

@testable import TidemarkRemote

/// Key paths in the options of a list, which have names with dots in quotation marks.
struct OptionPathTests {
    @Test func `a name in quotation marks is one name in every option`() throws {
        let option = { (text: String) in ChangeQuery(option: text) }
        #expect(
            option(#"since:"com.at">since"#) == .since(.init(field: ["com.at"], parameter: "since"))
        )
        #expect(
            DeletionDetection(option: #"marked:"@odata.removed""#) == .marked(["@odata.removed"])
        )
        #expect(TotalCount(option: #"meta."@odata.count""#) == .body(["meta", "@odata.count"]))
        #expect(TotalCount(option: #""@odata.count""#).option == #""@odata.count""#)
        #expect(Envelope(option: #""x.list""#) == .keyPath(["x.list"]))
        #expect(
            Pagination(option: #"token:"@x.token">t"#) == .token(["@x.token"], parameter: "t")
        )
        #expect(
            Pagination(option: #"after:"com.id">after"#)
                == .keyset(Keyset(key: ["com.id"], conditions: .parameter("after")))
        )
        #expect(
            PushStyle.Upload(option: #"POST files/{name}>"file.url""#)?.url == ["file.url"]
        )
    }
}
