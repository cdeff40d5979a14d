import Foundation
import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

/// The files of JSONTestSuite, which are stored next to the package.
struct ConformanceTests {
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/conformance/json/test_parsing")

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// Returns the error of a reader, or nil if it accepts the text.
    ///
    /// A scalar at the top level is valid JSON but not a list, so that error is ignored.
    static func result(_ reader: JSONItemReader) -> (any Error)? {
        var reader = reader
        do {
            while try reader.next({ _ in }) {}
            return nil
        } catch let error as JSONItemsError {
            guard case .notAList = error.reason, error.path.isEmpty else { return error }
            return nil
        } catch {
            return error
        }
    }

    @Test(.enabled(if: isPresent, "shared/conformance/json is absent"))
    func `rejects what RFC 8259 forbids, and reports the position`() throws {
        let files = try Self.files("n_")
        #expect(files.count > 180)
        for (name, bytes) in files {
            #expect(throws: JSONError.self, "\(name)") { try JSONDocument(bytes) }
            do throws(JSONError) {
                _ = try JSONDocument(bytes)
            } catch {
                #expect(error.line >= 1 && error.column >= 1, "\(name)")
                #expect((0...bytes.count).contains(error.offset), "\(name)")
                #expect(!error.message.isEmpty, "\(name)")
            }
        }
    }

    @Test(.enabled(if: isPresent, "shared/conformance/json is absent"))
    func `a stream rejects the same texts at the same position`() throws {
        for (name, bytes) in try Self.files("n_") where bytes.count < 5000 {
            // Wrapped in an array, so that scalars are read as its elements.
            let wrapped = Array("[".utf8) + bytes + Array("]".utf8)
            let isWhole = JSONDocument.errorMessage(wrapped).isEmpty
            for window in [1, 7, 64, 4096] {
                let result = Self.result(JSONItemReader(wrapped, window: window))
                #expect((result == nil) == isWhole, "\(name) in windows of \(window)")
                if let error = result as? JSONError {
                    #expect(error.description == JSONDocument.errorMessage(wrapped), "\(name)")
                }
            }
        }
    }

    @Test(.enabled(if: isPresent, "shared/conformance/json is absent"))
    func `accepts what RFC 8259 allows`() throws {
        let files = try Self.files("y_")
        #expect(files.count > 90)
        for (name, bytes) in files {
            #expect(JSONDocument.errorMessage(bytes) == "", "\(name)")
            for window in [1, 5, 4096] {
                let result = Self.result(JSONItemReader(bytes, window: window))
                #expect(result == nil, "\(name) in windows of \(window)")
            }
        }
    }

    @Test(.enabled(if: isPresent, "shared/conformance/json is absent"))
    func `a document and a stream agree on what RFC 8259 leaves open`() throws {
        for (name, bytes) in try Self.files("i_") {
            let wrapped = Array("[".utf8) + bytes + Array("]".utf8)
            let isWhole = JSONDocument.errorMessage(wrapped).isEmpty
            let result = Self.result(JSONItemReader(wrapped, window: 3))
            #expect((result == nil) == isWhole, "\(name)")
        }
    }
}
