/// Something that is rung, and that others wait for.
///
/// It stays rung until somebody has heard it: a ring that nobody was waiting for is not lost.
actor WakeSignal {
    private var isRung = false
    private var last = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Rings.
    func ring() {
        isRung = true
        for waiting in waiting.values { waiting.resume() }
        waiting = [:]
    }

    /// Whether it was rung since this was asked last.
    func wasRung() -> Bool {
        defer { isRung = false }
        return isRung
    }

    /// Waits until it is rung, or the task is cancelled.
    func heard() async {
        last += 1
        let number = last
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isRung || Task.isCancelled {
                    continuation.resume()
                } else {
                    waiting[number] = continuation
                }
            }
        } onCancel: {
            Task { await self.forget(number) }
        }
    }

    private func forget(_ number: Int) {
        waiting.removeValue(forKey: number)?.resume()
    }
}
