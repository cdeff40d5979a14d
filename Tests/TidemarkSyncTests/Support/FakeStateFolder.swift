import Foundation
import TidemarkModel

/// The folder with the state of a user, in memory.
final class FakeStateFolder: Sendable {
    private struct State {
        var texts: [String: String] = [:]
        var isReadable = true
        var isWritable = true
    }

    private struct Full: Error {}

    private let state = Locked(State())

    /// Whether texts can be read.
    var isReadable: Bool {
        get { state.withLock { $0.isReadable } }
        set { state.withLock { $0.isReadable = newValue } }
    }

    /// Whether texts can be written: the disk is not full.
    var isWritable: Bool {
        get { state.withLock { $0.isWritable } }
        set { state.withLock { $0.isWritable = newValue } }
    }

    /// The texts by name.
    var texts: [String: String] {
        get { state.withLock { $0.texts } }
        set { state.withLock { $0.texts = newValue } }
    }

    var folder: StateFolder {
        StateFolder(
            read: { [state] name in
                state.withLock { state in
                    guard state.isReadable else { return .unreadable }
                    return state.texts[name].map { .text($0) } ?? .absent
                }
            },
            write: { [state] name, text in
                try state.withLock { state in
                    guard state.isWritable else { throw Full() }
                    state.texts[name] = text
                }
            }
        )
    }
}
