import Foundation
import GRDBSQLite

// Floor DOCUMENT STORE: the minimum work of an import, written by hand for these two tables. It
// reads and scans the document, finds each row by its key, compares it, writes it if it differs,
// checks the previous notes of each user, and deletes users that the document does not contain.

guard CommandLine.arguments.count == 3 else { fail("usage: Floor DOCUMENT STORE", 64) }
guard let file = fopen(CommandLine.arguments[1], "rb") else {
    fail("\(CommandLine.arguments[1]) cannot be read.", 66)
}
fseek(file, 0, SEEK_END)
let size = ftell(file)
rewind(file)
let text = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 64)
text.initialize(repeating: 0, count: size + 64)
guard fread(text, 1, size, file) == size else { fail("The document is cut short.", 74) }
fclose(file)

let floor = FloorImport(CommandLine.arguments[2])
floor.run(Tape(text))
let counts = floor.counts
print(
    """
    {"inserted":\(counts.inserted),"updated":\(counts.updated),\
    "unchanged":\(counts.unchanged),"deleted":\(counts.deleted)}
    """
)
