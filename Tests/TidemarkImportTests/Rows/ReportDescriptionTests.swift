import Testing
import TidemarkImport
import TidemarkModel

/// The description of an import report.
struct ReportDescriptionTests {
    @Test func `the description contains counts, unresolved references and diagnostics`() {
        var report = ImportReport()
        #expect(report.description == "no rows")
        report.entities["User"] = .init()
        report.entities["User"]?.inserted = 1
        report.entities["User"]?.unchanged = 2
        report.entities["Note"] = .init()
        report.unresolvedReferenceCount = 3
        report.diagnostics = [
            Diagnostic(entity: "User", key: "6", path: "age", message: "No.", value: "x", count: 2),
            Diagnostic(entity: "User", message: "No."),
        ]
        report.diagnosticsOmitted = 4
        #expect(
            report.description == """
                Note: no rows; User: 1 inserted, 2 unchanged; 3 unresolved references
                User:6, age: No. (x) (2 times)
                User: No.
                4 further diagnostics
                """
        )
        report = ImportReport()
        report.unresolvedReferenceCount = 1
        report.diagnosticsOmitted = 1
        #expect(report.description == "1 unresolved reference\n1 further diagnostic")
    }
}
