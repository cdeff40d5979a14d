/// The result of one transaction of an import session.
package struct BatchResult: Sendable {
    /// The numbers of changed rows and references, and diagnostics.
    package var report = ImportReport()

    /// The number of items that were imported.
    package var items = 0

    /// Whether the last item of the page was imported.
    package var isLast = true

    /// The number of items that the session had received before: objects moved between pages while
    /// the list was read.
    package var repeated = 0

    /// The number of items that have no stored row.
    package var unknown = 0

    /// The rows that the imported items contain.
    package var rows = PageRows()

    /// Creates the result of a transaction that did nothing.
    package init() {}
}
