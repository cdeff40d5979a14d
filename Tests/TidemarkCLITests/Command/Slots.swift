/// A counting semaphore that limits how many processes run at the same time.
///
/// A process that is started in the body of another takes no slot of its own: waiting for a slot
/// while holding one could deadlock.
actor Slots {
    @TaskLocal private static var isInside = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func use<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result
    {
        guard !Self.isInside else { return try await body() }
        await take()
        defer { giveBack() }
        return try await Self.$isInside.withValue(true) { try await body() }
    }

    private func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
