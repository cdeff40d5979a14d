import Foundation
import Testing
import TidemarkFuzzTargets

/// The fuzz targets, run on their seeds and on inputs that failed once, without libFuzzer.
struct StoredInputTests {
    /// An input file in `Fuzzing/Seeds` or `Fuzzing/Found`.
    struct Input: CustomTestStringConvertible {
        let target: FuzzTarget
        let name: String
        let bytes: [UInt8]

        var testDescription: String { "\(target.rawValue)/\(name)" }
    }

    @Test(arguments: inputs) func `every stored input passes its target`(input: Input) {
        #expect(throws: Never.self) { try input.target.check(input.bytes) }
    }

    @Test(arguments: FuzzTarget.allCases) func `every target accepts an empty input`(
        target: FuzzTarget
    ) {
        #expect(throws: Never.self) { try target.check([]) }
    }

    @Test(arguments: FuzzTarget.allCases) func `every target has seeds`(target: FuzzTarget) {
        #expect(Self.inputs.contains { $0.target == target })
    }

    private static let inputs = FuzzTarget.allCases.flatMap { target in
        ["Seeds", "Found"].flatMap { files(in: "Fuzzing/\($0)/\(target.rawValue)", of: target) }
    }

    private static func files(in folder: String, of target: FuzzTarget) -> [Input] {
        let project = (1...3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
            url.deletingLastPathComponent()
        }
        let path = project.appending(path: folder).path
        let names = FileManager.default.enumerator(atPath: path)?.allObjects ?? []
        return names.compactMap { name in
            guard let name = name as? String,
                let data = FileManager.default.contents(atPath: "\(path)/\(name)")
            else { return nil }
            return Input(target: target, name: name, bytes: Array(data))
        }
    }
}
