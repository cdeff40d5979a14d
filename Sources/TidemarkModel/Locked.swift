import Foundation

/// A value protected by a lock, for state that is shared with callbacks on other threads.
///
/// It is `@unchecked Sendable` because the value is accessed only while the lock is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock that protects a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Calls a closure with exclusive access to the value.
    ///
    /// The lock is not recursive.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
