import TidemarkModel
import TidemarkStore

/// The plans of a store's entities, each compiled when it is first needed.
final class ImportPlans: Sendable {
    private let layout: StoreLayout
    private let naming: NamingConvention
    private let transformers: [String: AttributeTransformer]
    private let compiled: Locked<[Int: ImportPlan]> = Locked([:])

    init(
        _ layout: StoreLayout,
        _ naming: NamingConvention,
        _ transformers: [String: AttributeTransformer]
    ) {
        self.transformers = transformers
        self.layout = layout
        self.naming = naming
    }

    /// The plan of the entity at a place of the layout.
    func plan(_ index: Int) throws -> ImportPlan {
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
