/// A counting semaphore that limits how many processes run at the same time.
///
/// A process that is started in the body of another takes no slot of its own: waiting for a slot
/// while holding one could deadlock.
actor Semaphore {
    @TaskLocal private static var isHolding = false

    private var permits: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        permits = count
    }

    func use<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result
    {
        guard !Self.isHolding else { return try await body() }
        await acquire()
        defer { release() }
        return try await Self.$isHolding.withValue(true) { try await body() }
    }

    private func acquire() async {
        guard permits == 0 else {
            permits -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func release() {
        if waiting.isEmpty {
            permits += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
