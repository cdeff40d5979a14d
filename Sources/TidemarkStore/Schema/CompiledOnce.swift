import TidemarkModel

/// What is compiled for a layout when it is needed first.
final class CompiledOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known: Locked<[Key: Value]> = Locked([:])

    /// Returns the value for a key, which `compile` makes the first time.
    func value(for key: Key, compile: () throws -> Value) throws -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        // Not under the lock: another thread may compile the same, which does no harm.
        let value = try compile()
        known.withLock { $0[key] = value }
        return value
    }
}
