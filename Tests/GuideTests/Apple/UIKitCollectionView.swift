import Foundation

// Declarations of UIKit, as far as the guides use them. The collection view applies a batch of
// updates as UIKit does, and reports its cells.

extension IndexPath {
    init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}

@MainActor
protocol UICollectionViewDataSource: AnyObject {
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int
    /// In UIKit, the function returns a cell.
    func collectionView(_ view: UICollectionView, cellForItemAt indexPath: IndexPath) -> String
}

@MainActor
final class UICollectionView {
    weak var dataSource: (any UICollectionViewDataSource)?

    /// The texts of the cells that the view shows, by section.
    private(set) var cells: [[String]] = []

    private var batch = Batch()

    private struct Batch {
        var moves: [(old: IndexPath, new: IndexPath)] = []
        var deletions: [IndexPath] = []
        var insertions: [IndexPath] = []
        var deletedSections = IndexSet()
        var insertedSections = IndexSet()
    }

    /// Whether the view shows what its data source contains.
    var isConsistent: Bool {
        guard let dataSource else { return false }
        return cells.count == dataSource.numberOfSections(in: self)
            && cells.indices.allSatisfy { section in
                cells[section].indices.count
                    == dataSource.collectionView(self, numberOfItemsInSection: section)
            }
    }

    private func cell(at path: IndexPath) -> String {
        dataSource?.collectionView(self, cellForItemAt: path) ?? ""
    }

    func reloadData() {
        guard let dataSource else { return }
        cells = (0..<dataSource.numberOfSections(in: self)).map { section in
            (0..<dataSource.collectionView(self, numberOfItemsInSection: section)).map { item in
                cell(at: IndexPath(item: item, section: section))
            }
        }
    }

    /// Applies the updates of a closure: deletions at old positions first, then insertions at new
    /// ones.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        batch = Batch()
        updates?()
        precondition(
            batch.moves.isEmpty || batch.deletedSections.isEmpty && batch.insertedSections.isEmpty,
            "UIKit rejects a move while sections change."
        )
        batch.deletions += batch.moves.map(\.old)
        batch.insertions += batch.moves.map(\.new)
        for path in batch.deletions.sorted(by: >) { cells[path[0]].remove(at: path[1]) }
        for section in batch.deletedSections.reversed() { cells.remove(at: section) }
        for section in batch.insertedSections { cells.insert([], at: section) }
        for path in batch.insertions.sorted() {
            cells[path[0]].insert(cell(at: path), at: path[1])
        }
        batch = Batch()
        completion?(true)
    }

    func deleteItems(at indexPaths: [IndexPath]) { batch.deletions += indexPaths }

    func insertItems(at indexPaths: [IndexPath]) { batch.insertions += indexPaths }

    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch.moves.append((indexPath, newIndexPath))
    }

    func deleteSections(_ sections: IndexSet) { batch.deletedSections.formUnion(sections) }

    func insertSections(_ sections: IndexSet) { batch.insertedSections.formUnion(sections) }

    func reconfigureItems(at indexPaths: [IndexPath]) {
        for path in indexPaths { cells[path[0]][path[1]] = cell(at: path) }
    }
}
