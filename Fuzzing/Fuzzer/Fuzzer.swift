import Foundation
import TidemarkFuzzTargets

/// The configuration of the fuzzer.
///
/// The `main` function of the program is that of libFuzzer.
enum Fuzzer {
    /// The target in the environment variable `TIDEMARK_FUZZ_TARGET`.
    static let target = FuzzTarget(
        rawValue: ProcessInfo.processInfo.environment["TIDEMARK_FUZZ_TARGET"] ?? ""
    )
}

/// Runs the target with an input.
///
/// An unexpected error ends the process, so that libFuzzer saves the input.
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
