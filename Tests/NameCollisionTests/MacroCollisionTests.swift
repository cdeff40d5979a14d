import Foundation
import RealityKit
import SwiftData
import SwiftUI
import Testing
import Tidemark
import TidemarkMacros

/// The macros of Tidemark in a file that also imports frameworks with such names.
///
/// Where both SwiftData and Tidemark have a macro of a name, that of the module is written.
@Entity struct Album: Hashable {
    @PrimaryKey var code: String
    @TidemarkMacros.Attribute(.integer16) var year: Int?
    @TidemarkMacros.Relationship(inverse: "album") var songs: Many<Song>
    @TidemarkMacros.Transient var isSelected = false
}

@Entity struct Song: Hashable {
    let id: Int
    var title: String
    @TidemarkMacros.Relationship(inverse: "songs") var album: One<Album>
}

struct MacroCollisionTests {
    @Test func `a qualified macro is that of Tidemark`() {
        #expect(Album.entity.attributes.map(\.type) == [.string, .integer16])
        #expect(Album.entity.primaryKey == ["code"])
        #expect(Song.entity.relationships.map(\.destination) == ["Album"])
    }
}
