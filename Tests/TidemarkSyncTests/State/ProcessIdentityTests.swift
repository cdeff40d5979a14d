import Foundation
import Testing
import TidemarkModel

@testable import TidemarkSync

/// Which processes are known to be dead.
struct ProcessIdentityTests {
    private func process(_ change: (inout ProcessIdentity) -> Void) -> ProcessIdentity {
        var process = ProcessIdentity.current
        change(&process)
        return process
    }

    @Test func `a process that runs is not dead`() {
        #expect(ProcessIdentity.current.isRunning)
    }

    @Test(arguments: [0, -1, .min, .max, 4_194_305] as [Int64])
    func `a number that no process has is a dead one's`(_ number: Int64) {
        #expect(!process { $0.number = number }.isRunning)
    }

    @Test func `a process with the number of another is that other one no more`() {
        #expect(!process { $0.started += 1 }.isRunning)
    }

    @Test func `a process is not dead because nobody knows when it began`() {
        #expect(process { $0.started = 0 }.isRunning)
    }

    @Test func `a process that has ended is dead before anybody asks how`() throws {
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/sh")
        ended.arguments = ["-c", "exit 0"]
        try ended.run()
        ended.waitUntilExit()
        #expect(!process { $0.number = Int64(ended.processIdentifier) }.isRunning)
    }
}
