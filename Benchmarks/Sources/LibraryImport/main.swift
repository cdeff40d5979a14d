import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkStore

// LibraryImport scan DOCUMENT
// LibraryImport import|again|session|readers DOCUMENT STORE MODEL
// LibraryImport scoped STORE
// LibraryImport durable STORE STORE
// LibraryImport edits|statements STORE
// LibraryImport merge STORE DOCUMENT
//
// Calls the library and prints the measurements as one line of JSON.

let arguments = Array(CommandLine.arguments.dropFirst())
let measurements: [String: Double]
switch (arguments.first, arguments.count) {
case ("scan", 2): measurements = try Trial.scan(arguments[1])
case ("import", 4): measurements = try Trial(arguments).importDocument()
case ("again", 4):
    try Trial.warmUp(arguments)
    measurements = try Trial(arguments).importDocument()
case ("session", 4): measurements = try Trial(arguments).importInSession()
case ("readers", 4): measurements = try Trial(arguments).importWithConcurrentReader()
case ("scoped", 2): measurements = try ScopedTrial(arguments[1]).run()
case ("durable", 3):
    measurements = try EditTrial.durableEdits(EditTrial(arguments[1]), EditTrial(arguments[2]))
case ("edits", 2): measurements = try EditTrial(arguments[1]).edits()
case ("statements", 2): measurements = try EditTrial(arguments[1]).statements()
case ("merge", 3): measurements = try EditTrial(arguments[1]).importDocument(arguments[2])
default:
    FileHandle.standardError.write(Data("usage: LibraryImport TRIAL DOCUMENT STORE MODEL\n".utf8))
    exit(64)
}
print(String(decoding: try JSONEncoder().encode(measurements), as: UTF8.self))
