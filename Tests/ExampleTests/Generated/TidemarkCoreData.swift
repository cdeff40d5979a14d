// The examples in the documentation comments of TidemarkCoreData, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkCoreData/ModelBundle.swift
private func ModelBundle_1() throws {
    let model = try ModelBundle.model(at: "Shop.xcdatamodeld")
    let store = try Store.open(at: "shop.sqlite", model: model)
}

// Sources/TidemarkCoreData/ModelBundle.swift
private func ModelBundle_2() throws {
    let current = try ModelBundle.model(at: "Shop.xcdatamodeld")
    let former = try ModelBundle.model(at: "Shop.xcdatamodeld", version: "Shop 2")
    print(former.entities.count, current.entities.count)
}

// Sources/TidemarkCoreData/ModelBundle.swift
private func ModelBundle_3() throws {
    let bundle = "Shop.xcdatamodeld"
    for version in try ModelBundle.versions(at: bundle) {   // Shop, Shop 2, Shop 10
        let old = try Store.inMemory(model: ModelBundle.model(at: bundle, version: version))
        let migration = try old.dryRunMigration(to: ModelBundle.model(at: bundle))
        print(version, migration.steps.count)
    }
}
