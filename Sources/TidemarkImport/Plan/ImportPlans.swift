import TidemarkModel
import TidemarkStore

/// The import plans of a store's entities, each compiled when it is first used.
final class ImportPlans: Sendable {
    private let layout: StoreLayout
    let naming: NamingConvention
    let transformers: [String: AttributeTransformer]
    private let compiled: Locked<[Int: ImportPlan]> = Locked([:])

    init(
        _ layout: StoreLayout,
        naming: NamingConvention,
        transformers: [String: AttributeTransformer]
    ) {
        self.transformers = transformers
        self.layout = layout
        self.naming = naming
    }

    /// Returns the plan of the entity at an index of the layout.
    ///
    /// - Throws: `ModelError` if the plan cannot be compiled.
    func plan(_ index: Int) throws -> ImportPlan {
        // Compiled under the lock, so that concurrent imports do not compile the same plan twice.
        try compiled.withLock { compiled in
            if let plan = compiled[index] { return plan }
            let plan = try ImportPlan(
                index,
                in: layout,
                naming: naming,
                transformers: transformers
            )
            compiled[index] = plan
            return plan
        }
    }
}
