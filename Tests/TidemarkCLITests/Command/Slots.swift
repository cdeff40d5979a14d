/// Places for processes: a few run at the same time, the others wait for their turn.
actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func use<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result
    {
        await take()
        defer { giveBack() }
        return try await body()
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
