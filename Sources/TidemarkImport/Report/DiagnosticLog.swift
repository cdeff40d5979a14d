import TidemarkModel

/// The diagnostics of an import, and how many objects it skipped.
///
/// Equal diagnostics are counted, and their number and size is bounded.
final class DiagnosticLog {
    private struct Subject: Hashable {
        let entity: String
        let path: String?
        let message: String
    }

    private(set) var entries: [Diagnostic] = []

    /// How many different findings were left out; beyond ``kindLimit`` of them each counts again.
    private(set) var omitted = 0
    private var omittedKinds: Set<Int> = []
    private var places: [Subject: Int] = [:]
    private let limits: Limits

    /// Objects without a usable key and refused rows, by entity.
    private(set) var skipped: [String: Int] = [:]

    /// What was noted about the item that is being imported.
    private var noted: [Note] = []

    private enum Note {
        /// A diagnostic, by its place.
        case entry(Int)
        /// One that was left out for the first time; nil beyond ``kindLimit``.
        case omission(kind: Int?)
        /// An object that was skipped, by its entity.
        case skip(String)
    }

    /// How many kinds of findings are told apart that are left out: a document may make them up.
    private static let kindLimit = 100_000

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Notes a finding; `details` is asked only when it is the first of its kind, which its message
    /// tells, not its severity.
    ///
    /// - Returns: the place to give to ``repeated(_:)`` for the next of the kind; nil when it was
    ///   left out.
    @discardableResult
    func note(
        _ entity: String,
        _ path: String?,
        _ message: String,
        _ severity: Diagnostic.Severity = .warning,
        _ details: () -> (key: String?, value: String?)
    ) -> Int? {
        let path = path.map(cut)
        let message = cut(message)
        let subject = Subject(entity: entity, path: path, message: message)
        if let place = places[subject] {
            repeated(place)
            return place
        }
        guard entries.count < limits.diagnostics else {
            omit(subject.hashValue)
            return nil
        }
        let details = details()
        entries.append(
            Diagnostic(
                severity,
                entity: entity,
                key: details.key.map(cut),
                path: path,
                message: message,
                value: details.value
            )
        )
        places[subject] = entries.count - 1
        noted.append(.entry(entries.count - 1))
        return entries.count - 1
    }

    /// A document may have names and keys of many megabytes.
    func cut(_ text: String) -> String { text.cut(toBytes: limits.diagnosticTextBytes) }

    private func omit(_ kind: Int) {
        let isKnown = omittedKinds.contains(kind)
        guard !isKnown else { return }
        let hasRoom = omittedKinds.count < Self.kindLimit
        if hasRoom { omittedKinds.insert(kind) }
        noted.append(.omission(kind: hasRoom ? kind : nil))
        omitted += 1
    }

    /// Notes the same finding again.
    func repeated(_ place: Int) {
        entries[place].count += 1
        noted.append(.entry(place))
    }

    /// Counts an object that was skipped.
    func skip(_ entity: String) {
        skipped[entity, default: 0] += 1
        noted.append(.skip(entity))
    }

    /// Begins with what is noted about the next item.
    func beginItem() {
        if !noted.isEmpty { noted.removeAll(keepingCapacity: true) }
    }

    /// Takes back what was noted about the item: it is imported again.
    func takeBackItem() {
        for note in noted {
            switch note {
            case .entry(let place):
                entries[place].count -= 1
            case .omission(let kind):
                omitted -= 1
                if let kind { omittedKinds.remove(kind) }
            case .skip(let entity):
                skipped[entity, default: 0] -= 1
            }
        }
        beginItem()
    }
}
