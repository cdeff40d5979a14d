import GRDB
import Testing
import TidemarkMacros
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A struct with a conformance of its own, a constant, and a document with an initial value.
@Entity struct Profile: Identifiable, Hashable {
    enum Theme: String, Codable { case standard, dark }

    var id: Int
    @Transient let version = 1
    @JSON var theme: Theme = .standard
}

/// Structs that declare what the macro would add.
struct DeclaredConformanceTests {
    @Test func `a struct that is Identifiable already is stored and fetched`() throws {
        let store = try Store.validated(model: Model(Profile.self))
        try store.insert(Profile(id: 1))
        try store.insert(Profile(id: 2, theme: .dark))
        let profiles = try store.fetch(Profile.sorted(by: \.id))
        #expect(profiles.map(\.id) == [1, 2])
        #expect(profiles.map(\.theme) == [.standard, .dark])
        #expect(profiles.map(\.version) == [1, 1])
    }
}
