import TidemarkModel

/// The diagnostics of an import, and the number of objects that it skipped.
///
/// Equal diagnostics are counted, and their number and size are limited.
final class DiagnosticLog {
    private struct Subject: Hashable {
        let entity: String
        let path: String?
        let message: String
    }

    private(set) var entries: [Diagnostic] = []

    /// The number of different diagnostics that were omitted.
    ///
    /// Beyond ``kindLimit`` different ones, each occurrence is counted.
    private(set) var omitted = 0
    private var omittedKinds: Set<Int> = []
    private var indexes: [Subject: Int] = [:]
    private let limits: Limits

    /// The number of skipped objects and rejected rows, by entity.
    private(set) var skipped: [String: Int] = [:]

    /// The number of items with the key of an earlier item.
    private(set) var duplicates = 0

    /// The entries that were logged about the item that is being imported.
    private var itemEntries: [ItemEntry] = []

    private enum ItemEntry {
        /// A diagnostic, by its index.
        case entry(Int)
        /// The first occurrence of an omitted diagnostic; nil beyond ``kindLimit``.
        case omission(kind: Int?)
        /// A skipped object, by its entity.
        case skip(String)
        /// An item with the key of an earlier one.
        case duplicate
    }

    /// The number of omitted diagnostics that are distinguished.
    ///
    /// A document may contain any number of different ones, such as unknown names, and memory must
    /// not grow with it.
    private static let kindLimit = 100_000

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Records a diagnostic.
    ///
    /// Diagnostics with equal entity, path and message are counted as one, whatever their severity.
    ///
    /// - Parameters:
    ///   - message: The problem in one sentence.
    ///   - entity: The name of the entity.
    ///   - path: The JSON key, if one member is concerned.
    ///   - severity: The severity.
    ///   - details: Returns the primary key and the invalid value. It is called only for the first
    ///     of several equal diagnostics.
    /// - Returns: The index to pass to ``repeated(_:)`` for the next equal diagnostic; nil if the
    ///   diagnostic was omitted.
    @discardableResult
    func record(
        _ message: String,
        entity: String,
        path: String? = nil,
        severity: Diagnostic.Severity = .warning,
        details: () -> (key: String?, value: String?)
    ) -> Int? {
        let path = path.map(cut)
        let message = cut(message)
        let subject = Subject(entity: entity, path: path, message: message)
        if let index = indexes[subject] {
            repeated(index)
            return index
        }
        guard entries.count < limits.diagnostics else {
            // Only the hash is kept, because texts of omitted diagnostics may be long.
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
        indexes[subject] = entries.count - 1
        itemEntries.append(.entry(entries.count - 1))
        return entries.count - 1
    }

    /// Truncates a text: a document may have names and keys of many megabytes.
    func cut(_ text: String) -> String { text.cut(toBytes: limits.diagnosticTextBytes) }

    private func omit(_ kind: Int) {
        let isKnown = omittedKinds.contains(kind)
        guard !isKnown else { return }
        let hasRoom = omittedKinds.count < Self.kindLimit
        if hasRoom { omittedKinds.insert(kind) }
        itemEntries.append(.omission(kind: hasRoom ? kind : nil))
        omitted += 1
    }

    /// Counts another occurrence of a diagnostic.
    func repeated(_ index: Int) {
        entries[index].count += 1
        itemEntries.append(.entry(index))
    }

    /// Counts a skipped object.
    func skip(_ entity: String) {
        skipped[entity, default: 0] += 1
        itemEntries.append(.skip(entity))
    }

    /// Counts an item with the key of an earlier one.
    func countDuplicate() {
        duplicates += 1
        itemEntries.append(.duplicate)
    }

    /// Whether the current item, or an object nested in it, was skipped.
    var hasSkipped: Bool {
        itemEntries.contains { if case .skip = $0 { true } else { false } }
    }

    /// Starts the log of the next item.
    func beginItem() {
        if !itemEntries.isEmpty { itemEntries.removeAll(keepingCapacity: true) }
    }

    /// Discards what was logged about the current item, because it will be imported again.
    func takeBackItem() {
        for entry in itemEntries {
            switch entry {
            case .entry(let index):
                entries[index].count -= 1
            case .omission(let kind):
                omitted -= 1
                if let kind { omittedKinds.remove(kind) }
            case .skip(let entity):
                skipped[entity, default: 0] -= 1
            case .duplicate:
                duplicates -= 1
            }
        }
        beginItem()
    }
}
