import GRDB
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTesting

@testable import TidemarkSync

/// Pulls of the lists of several parents that are killed before their end.
struct InterruptedNestedPullTests {
    /// Pulls with a process that is killed after `commits` commits; returns whether it was killed.
    private func pull(_ blog: Blog, killedAfter commits: Int) async throws -> Bool {
        let crashes = CrashingCommits()
        blog.store.writer.add(transactionObserver: crashes, extent: .databaseLifetime)
        crashes.crash(after: commits)
        do {
            try await blog.pull()
        } catch is CrashingCommits.Crash {
            // The process was killed.
        }
        let isKilled = crashes.restart()
        blog.store.writer.remove(transactionObserver: crashes)
        try blog.store.forgetRuns()
        return isKilled
    }

    private func lists(_ requests: String) -> [String] {
        requests.split(separator: "\n").map(String.init).filter { $0.contains("/comments") }
    }

    @Test func `a first pull that was killed resumes, and reads at most one page again`()
        async throws
    {
        let whole = try Blog()
        try await whole.pull()
        let expected = try whole.state()
        var commits = 0
        var isKilled = true
        while isKilled {
            let blog = try Blog()
            isKilled = try await pull(blog, killedAfter: commits)
            try await blog.pull()
            #expect(try blog.state() == expected, "after \(commits) commits")
            #expect(try SyncStatus.of(blog.store).pendingDeletions == [])
            // At most the page at which it was killed is read again.
            if isKilled {
                let again = lists(blog.requests).count - Set(lists(blog.requests)).count
                #expect(again <= 1, "after \(commits) commits: \(blog.requests)")
            }
            commits += 1
        }
        #expect(commits > 15)
    }

    @Test func `deletions that a killed pull had collected are made by the next one`() async throws
    {
        var commits = 0
        var isKilled = true
        while isKilled {
            let blog = try Blog()
            try await blog.pull()
            blog.fake["posts/1/comments/2"] = nil
            blog.fake["posts/2/comments/4"] = nil
            isKilled = try await pull(blog, killedAfter: commits)
            #expect(try SyncStatus.of(blog.store).pendingDeletions == [])
            try await blog.pull()
            #expect(
                try blog.keys() == "[1,1] [2,1] [2,2] [2,3]",
                "after \(commits) commits"
            )
            commits += 1
        }
    }

    @Test func `a full pull does not resume`() async throws {
        let blog = try Blog()
        _ = try await pull(blog, killedAfter: 14)
        blog.fake.clearRequests()
        try await blog.pull { $0.isFull = true }
        #expect(Set(lists(blog.requests)).count == 4)
    }
}
