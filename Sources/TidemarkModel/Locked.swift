import Foundation

/// A value behind a lock, for the few places where callbacks of another thread meet.
///
/// Why unchecked: the value is touched only while the lock is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
