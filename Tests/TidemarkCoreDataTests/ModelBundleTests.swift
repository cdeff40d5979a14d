import Foundation
import Testing
import TidemarkCoreData
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkCoreData

struct ModelBundleTests {
    private func xml(_ entity: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
            + "<model><entity name=\"\(entity)\"/></model>"
    }

    private func current(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string>
        </dict></plist>
        """
    }

    private func names(_ path: String, version: String? = nil) throws -> [String] {
        try ModelBundle.model(at: path, version: version).entities.map(\.name)
    }

    private func error(at path: String, version: String? = nil) -> ModelError? {
        #expect(throws: ModelError.self) { try ModelBundle.model(at: path, version: version) }
    }

    @Test func `reports a path that does not exist`() throws {
        let folder = try Folder()
        #expect(error(at: folder.path + "/None.xcdatamodeld")?.code == .notFound)
        #expect(error(at: folder.path + "/None.xcdatamodeld", version: "A")?.code == .notFound)
    }

    @Test func `rejects a folder without a model, and explains compiled models`() throws {
        let folder = try Folder()
        try folder.write("", to: "Old.xcdatamodel/elements")
        try folder.write("", to: "Built.momd/Shop.mom")
        let file = try folder.write(Data("bplist00".utf8), to: "Shop.mom")
        try folder.write("", to: "Empty.xcdatamodeld/A.xcdatamodel/layout")
        let old = error(at: folder.path + "/Old.xcdatamodel")
        #expect(old?.code == .unreadable)
        #expect(old?.description.contains("Xcode 4.3") == true)
        let built = error(at: folder.path + "/Built.momd")
        #expect(built?.description.contains("compiled") == true)
        #expect(error(at: file)?.description.contains("compiled") == true)
        #expect(error(at: folder.path + "/Empty.xcdatamodeld")?.code == .unreadable)
        let store = try folder.write(Data("SQLite format 3\0".utf8), to: "shop.sqlite")
        #expect(error(at: store)?.description.contains("model show --store") == true)
    }

    @Test func `reads a version, its contents and a bundle`() throws {
        let folder = try Folder()
        let contents = try folder.write(
            xml("User"),
            to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents"
        )
        #expect(try names(contents) == ["User"])
        #expect(try names(folder.path + "/Shop.xcdatamodeld/Shop.xcdatamodel") == ["User"])
        #expect(try names(folder.path + "/Shop.xcdatamodeld") == ["User"])
        #expect(try names(folder.path + "/Shop.xcdatamodeld/") == ["User"])
    }

    @Test func `reads the requested version, else the current, else the last by name`() throws {
        let folder = try Folder()
        let bundle = folder.path + "/Shop.xcdatamodeld"
        for name in ["Shop", "Shop 2", "Shop 10"] {
            let entity = name.replacingOccurrences(of: " ", with: "")
            try folder.write(xml(entity), to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        #expect(try ModelBundle.versions(at: bundle) == ["Shop", "Shop 2", "Shop 10"])
        #expect(try names(bundle) == ["Shop10"])
        #expect(try names(bundle, version: "Shop") == ["Shop"])
        #expect(try names(bundle, version: "Shop 10.xcdatamodel") == ["Shop10"])
        try folder.write(current("Shop 2.xcdatamodel"), to: "Shop.xcdatamodeld/.xccurrentversion")
        #expect(try names(bundle) == ["Shop2"])
    }

    @Test func `rejects a current version that is missing or outside the bundle`() throws {
        let folder = try Folder()
        let bundle = folder.path + "/Shop.xcdatamodeld"
        try folder.write(xml("User"), to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        try folder.write(xml("Secret"), to: "Other.xcdatamodel/contents")
        for name in [
            "Gone.xcdatamodel", "../Other.xcdatamodel", "\(folder.path)/Other.xcdatamodel", "..",
        ] {
            try folder.write(current(name), to: "Shop.xcdatamodeld/.xccurrentversion")
            #expect(error(at: bundle)?.code == .invalid, "\(name)")
        }
        try folder.write("no property list", to: "Shop.xcdatamodeld/.xccurrentversion")
        #expect(error(at: bundle)?.code == .unreadable)
        try FileManager.default.createSymbolicLink(
            atPath: bundle + "/Link.xcdatamodel",
            withDestinationPath: folder.path + "/Other.xcdatamodel"
        )
        try folder.write(current("Link.xcdatamodel"), to: "Shop.xcdatamodeld/.xccurrentversion")
        #expect(error(at: bundle)?.message.contains("outside") == true)
    }

    @Test func `rejects a file larger than the limit for a model`() throws {
        let folder = try Folder()
        let data = Data(repeating: 32, count: ModelBundle.contentsLimit + 1)
        let path = try folder.write(data, to: "Big.xcdatamodel/contents")
        #expect(error(at: path)?.message.contains("more than") == true)
    }
}
