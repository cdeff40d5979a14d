import Foundation
import Testing
import TidemarkModel

@testable import TidemarkSync

/// Whether a process is still running.
struct ProcessIdentityTests {
    private func process(_ change: (inout ProcessIdentity) -> Void) -> ProcessIdentity {
        var process = ProcessIdentity.current
        change(&process)
        return process
    }

    @Test func `the current process is running`() {
        #expect(ProcessIdentity.current.isRunning)
    }

    @Test(arguments: [0, -1, .min, .max, 4_194_305] as [Int64])
    func `a process number that is not in use is not running`(_ number: Int64) {
        #expect(!process { $0.number = number }.isRunning)
    }

    @Test func `a process whose number was reused is not running`() {
        #expect(!process { $0.started += 1 }.isRunning)
    }

    @Test func `a process whose start time is unknown is assumed to be running`() {
        #expect(process { $0.started = 0 }.isRunning)
    }

    @Test func `a process that has exited is not running`() throws {
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/sh")
        ended.arguments = ["-c", "exit 0"]
        try ended.run()
        ended.waitUntilExit()
        #expect(!process { $0.number = Int64(ended.processIdentifier) }.isRunning)
    }
}
