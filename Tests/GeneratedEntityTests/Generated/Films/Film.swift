// Written by “tidemark model generate”: change the model instead.
import Foundation
import Tidemark
import TidemarkMacros

@Entity struct Film: Hashable {
    var episodeID: Int?
    var openingCrawl: String?
    var releaseDate: Date?
    var title: String?
    @PrimaryKey var url: URL
    @Relationship(inverse: "films") var characters: Many<Person>
}
