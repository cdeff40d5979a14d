import Foundation
import Testing
import TidemarkRemote

struct ResourceStyleTests {
    /// Stores contain a digest of this text: if it changes, cursors and cached pages are discarded.
    @Test func `a style is encoded as one flat object`() throws {
        var style = ResourceStyle()
        style.parameters.pageSize = [QueryItem("limit", "5")]
        style.parameters.keys = [QueryItem("fields", "id")]
        style.fullInterval = .seconds(1)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(style), as: UTF8.self)
        #expect(
            text == """
                {"content":"list","count":{"none":{}},"deletes":{"sweep":{}},"delta":{"none":{}},\
                "drift":"possible","envelope":{"none":{}},"fullInterval":[0,1000000000000000000],\
                "keys":[{"name":"fields","value":"id"}],"objects":"plain","order":[],\
                "pageSize":[{"name":"limit","value":"5"}],"pagination":{"none":{}},\
                "total":{"none":{}},"validation":"pages"}
                """
        )
    }
}
