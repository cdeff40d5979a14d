import Foundation
import TidemarkModel
import TidemarkStore

/// Edits that may not have been recorded, in JSON and as text.
struct UnrecordedText: Encodable {
    private let causes: [String]
    private let noticed: String?
    private let conflicts: Int
    private let overwritten: Int

    init(_ edits: UnrecordedEdits) {
        causes = edits.causes.map(\.rawValue)
        noticed = edits.noticed?.formatted(.iso8601)
        conflicts = edits.conflicts
        overwritten = edits.overwritten
    }

    /// Prints what is known on standard error.
    static func log(_ edits: UnrecordedEdits?, of arguments: StoreArguments) {
        if let edits { Console.log(sentence(edits, of: arguments)) }
    }

    /// Returns what is known as sentences.
    static func sentence(_ edits: UnrecordedEdits, of arguments: StoreArguments) -> String {
        let causes = edits.causes.map { cause in
            switch cause {
            case .triggers: "triggers of the store were missing or changed"
            case .recording: "the recording of edits was switched off"
            case .rowNumbers: "sqlite_sequence was emptied"
            }
        }
        var text =
            "Edits may not have been recorded: \(causes.joined(separator: ", and ")). "
            + (edits.noticed == nil
                ? "The next run repairs that."
                : "That was repaired.")
        // Otherwise it has compared them.
        if edits.noticed != nil, edits.conflicts == 0, edits.overwritten == 0 {
            text += " A complete sync compares all rows with the service."
        }
        if edits.conflicts > 0 {
            text +=
                " \(edits.conflicts.counted("row")) that may have been edited "
                + "\(edits.conflicts == 1 ? "awaits" : "await") a decision: tidemark conflicts "
                + "list --open\(arguments.local)."
        }
        if edits.overwritten > 0 {
            text +=
                " \(edits.overwritten.counted("row")) or links got what the service has although "
                + "they may have been edited."
        }
        return text
    }
}
