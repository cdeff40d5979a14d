import GRDB

/// The last edits that a device has made to each task, by the number of its row.
struct EditJournal: Sendable {
    /// The titles, each of which is unique.
    var titles: [Int64: String] = [:]

    /// The efforts, each of which is unique.
    var efforts: [Int64: Double] = [:]

    /// The rows of the projects to which tasks were moved; nil inside where it was moved to none.
    var projects: [Int64: Int64?] = [:]

    /// The keys of the rows that were deleted.
    var deletions: [Int64: DatabaseValue] = [:]

    /// Forgets the edits of a row, which the user has given up.
    mutating func forget(_ row: Int64) {
        titles[row] = nil
        efforts[row] = nil
        projects[row] = nil
        deletions[row] = nil
    }
}
