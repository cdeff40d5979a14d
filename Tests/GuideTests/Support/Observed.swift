import Observation

/// Waits for observable objects.
@MainActor
enum Observed {
    /// Waits until a condition on observable objects holds.
    static func wait(until isDone: @MainActor () -> Bool) async {
        while !isDone() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isDone()
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }
}
