import Foundation
import TidemarkJSON
import TidemarkModel

/// Opens a file whose items are read piece by piece.
func openItems(_ path: String) throws -> JSONItemReader {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return JSONItemReader { buffer in
        max(0, read(file.fileDescriptor, buffer.baseAddress, buffer.count))
    }
}

/// The first items of another sequence.
struct ItemBatch: JSONItems {
    var items: JSONItemReader
    var limit: Int
    private(set) var count = 0

    init(_ items: JSONItemReader, limit: Int) {
        self.items = items
        self.limit = limit
    }

    mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        guard count < limit, try items.next(body) else { return false }
        count += 1
        return true
    }
}
