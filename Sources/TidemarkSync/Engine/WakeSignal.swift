/// A signal that tasks can wait for.
///
/// It stays set until ``wasRung()`` resets it, so that a signal without a waiting task is not lost.
actor WakeSignal {
    private var isRung = false
    private var last = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Sets the signal, and resumes all waiting tasks.
    func ring() {
        isRung = true
        for waiting in waiting.values { waiting.resume() }
        waiting = [:]
    }

    /// Returns whether the signal was set, and resets it.
    func wasRung() -> Bool {
        defer { isRung = false }
        return isRung
    }

    /// Waits until the signal is set or the task is cancelled.
    func heard() async {
        last += 1
        let number = last
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The cancellation handler may have run before there was a continuation to resume.
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
