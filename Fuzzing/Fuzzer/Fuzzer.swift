import Foundation
import TidemarkFuzzTargets

/// What libFuzzer calls: it brings the `main` of this program.
enum Fuzzer {
    /// The target that the environment names.
    static let target = FuzzTarget(
        rawValue: ProcessInfo.processInfo.environment["TIDEMARK_FUZZ_TARGET"] ?? ""
    )
}

/// Feeds the target; what it should not have thrown ends the program, and libFuzzer keeps the
/// bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = Fuzzer.target else {
        fatalError("TIDEMARK_FUZZ_TARGET names no target.")
    }
    do {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}
