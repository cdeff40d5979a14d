import Testing
import TidemarkTesting

/// Services that no preset describes: the options in `tidemark.yml` alone let them be pushed to.
@Suite(.timeLimit(.minutes(40)))
struct ForeignPushTests {
    @Test(arguments: ForeignService.all)
    func `creations, updates and deletions are sent`(service: ForeignService) async throws {
        try await service.open { store in
            #expect(
                try await store.rows() == [
                    "1 issue 1, text 1", "2 issue 2, text 2", "3 issue 3, text 3",
                ]
            )
            try await store.insert(#"{"title": "new", "text": "own"}"#)
            try await store.update(1, #"{"title": "mine"}"#)
            try await store.delete(2)
            let push = try await store.folder.done("push")
            #expect(push.lines.first == "\(service.entity): 1 created, 1 updated, 1 deleted")
            let expected = ["1 mine, text 1", "3 issue 3, text 3", "4 new, own"]
            #expect(store.objects == expected)
            #expect(try await store.rows() == expected)
            #expect(try await store.changes() == [])
            // The same row once more: what the first response has shown is up to date.
            try await store.update(1, #"{"title": "again"}"#)
            try await store.update(4, #"{"text": null}"#)
            _ = try await store.folder.done("push")
            #expect(store.objects.first == "1 again, text 1")
            _ = try await store.folder.done("sync")
            #expect(try await store.rows().first == "1 again, text 1")
            #expect(store.fake.audit.count == 5)
        }
    }

    @Test(arguments: ForeignService.all)
    func `a change of another client is joined with a local one`(
        service: ForeignService
    ) async throws {
        try await service.open { store in
            try await store.update(1, #"{"title": "mine"}"#)
            store.fake.change { service.editText(&$0, 1, "hers") }
            _ = try await store.folder.done("push")
            #expect(store.objects.first == "1 mine, hers")
            #expect(try await store.rows().first == "1 mine, hers")
            #expect(try await store.changes() == [])
        }
    }

    @Test(arguments: ForeignService.all)
    func `a request contains the changed member in the form of the service`(
        service: ForeignService
    ) async throws {
        try await service.open { store in
            try await store.update(1, #"{"title": "mine"}"#)
            _ = try await store.folder.done("push")
            #expect(store.bodies == [service.titleBody])
        }
    }

    @Test func `a reference to an object that the service embeds has the name of its key`()
        async throws
    {
        try await ForeignService.redmine.open { store in
            _ = try await store.folder.done(
                "update",
                "Issue:1",
                "--links",
                #"{"project": "Project:2"}"#
            )
            _ = try await store.folder.done("push")
            #expect(store.bodies == [#"{"issue":{"lock_version":0,"project_id":2}}"#])
            #expect(store.fake["issues/1"]?["project"]?["id"] == 2)
            #expect(try await store.changes() == [])
        }
    }

    @Test(arguments: [ForeignService.redmine, .roundup])
    func `an object that changes after it was read is read again`(
        service: ForeignService
    ) async throws {
        try await service.open { store in
            try await store.update(1, #"{"title": "mine"}"#)
            // After it was read, and before it is changed.
            store.fake.scheduleChange(at: service.path(1)) { service.editText(&$0, 1, "hers") }
            _ = try await store.folder.done("push")
            #expect(store.writes.count == 2, "\(store.writes)")
            #expect(store.objects.first == "1 mine, hers")
            #expect(try await store.rows().first == "1 mine, hers")
            #expect(try await store.changes() == [])
        }
    }

    @Test func `an object that changes after it was read is not deleted`() async throws {
        let service = ForeignService.roundup
        try await service.open { store in
            try await store.delete(1)
            store.fake.scheduleChange(at: service.path(1)) { service.editText(&$0, 1, "hers") }
            _ = try await store.folder.run("push")
            #expect(store.objects.first == "1 issue 1, hers")
            #expect(try await store.rows().first == "1 issue 1, hers")
            #expect(try await store.changes() == [])
        }
    }

    @Test(arguments: ForeignService.all)
    func `the reason of a rejection is shown, and a correction is sent`(
        service: ForeignService
    ) async throws {
        try await service.open { store in
            try await store.update(1, service.invalid.values)
            let push = try await store.folder.run("push")
            #expect(push.status == 65, "\(push)")
            #expect(push.stderr.contains(service.invalid.reason), "\(push)")
            #expect(try await store.changes() == ["\(service.entity)#1 update rejected"])
            let valid = service.entity == "Post" ? #"{"status": "draft"}"# : #"{"title": "right"}"#
            try await store.update(1, valid)
            _ = try await store.folder.done("push")
            #expect(store.fake.audit.count == 1)
            #expect(try await store.changes() == [])
        }
    }

    @Test(arguments: ForeignService.all)
    func `changes whose responses were lost are applied once`(
        service: ForeignService
    ) async throws {
        try await service.open { store in
            try await store.insert(#"{"title": "new", "text": "own"}"#)
            try await store.update(1, #"{"title": "mine"}"#)
            try await store.delete(2)
            store.fake.inject(.lostResponse, times: 3)
            let push = try await store.folder.run("push")
            #expect(push.status == 75, "\(push)")
            #expect(store.fake.audit.count == 3)
            #expect(try await store.changes().allSatisfy { $0.hasSuffix("uncertain") })
            _ = try await store.folder.done("sync")
            let expected = ["1 mine, text 1", "3 issue 3, text 3", "4 new, own"]
            #expect(store.objects == expected)
            #expect(try await store.rows() == expected)
            #expect(store.fake.audit.count == 3)
            #expect(try await store.changes() == [])
        }
    }
}
