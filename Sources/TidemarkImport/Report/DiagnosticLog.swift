import TidemarkModel

/// The diagnostics of an import, equal ones counted; however many there are, only so many are kept.
struct DiagnosticLog {
    private struct Subject: Hashable {
        let entity: String
        let path: String?
        let message: String
    }

    private(set) var entries: [Diagnostic] = []
    private(set) var omitted = 0
    private var places: [Subject: Int] = [:]
    private let limit: Int

    /// The places of what was noted about the item that is being imported; -1 for what was omitted.
    private var noted: [Int] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Notes a finding; `details` is asked only when it is the first of its kind.
    ///
    /// - Returns: the place to give to ``repeated(_:)`` for the next of the kind; nil when it was
    ///   left out.
    @discardableResult
    mutating func note(
        _ entity: String,
        _ path: String?,
        _ message: String,
        _ details: () -> (key: String?, value: String?)
    ) -> Int? {
        let subject = Subject(entity: entity, path: path, message: message)
        if let place = places[subject] {
            repeated(place)
            return place
        }
        guard entries.count < limit else {
            omitted += 1
            noted.append(-1)
            return nil
        }
        let details = details()
        entries.append(
            Diagnostic(
                entity: entity,
                key: details.key,
                path: path,
                message: message,
                value: details.value
            )
        )
        places[subject] = entries.count - 1
        noted.append(entries.count - 1)
        return entries.count - 1
    }

    /// Notes the same finding again.
    mutating func repeated(_ place: Int) {
        entries[place].count += 1
        noted.append(place)
    }

    /// Begins with what is noted about the next item.
    mutating func beginItem() {
        if !noted.isEmpty { noted.removeAll(keepingCapacity: true) }
    }

    /// Takes back what was noted about the item: it is imported again.
    mutating func takeBackItem() {
        for place in noted {
            if place < 0 {
                omitted -= 1
            } else {
                entries[place].count -= 1
            }
        }
        noted.removeAll(keepingCapacity: true)
    }
}
