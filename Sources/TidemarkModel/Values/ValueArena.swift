/// A bump allocator for the bytes of converted values, used while one object is imported.
///
/// Allocated memory does not move and remains valid until ``reset()``, which releases all of it at
/// once and keeps the underlying chunks for the next object.
package final class ValueArena {
    private static let chunkLength = 64 << 10

    private var chunks: [UnsafeMutableRawPointer] = []
    private var isInUse = 0
    private var oversized: [UnsafeMutableRawPointer] = []
    private var cursor: UnsafeMutableRawPointer
    private var room: Int

    /// Creates an empty arena.
    package init() {
        let first = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkLength, alignment: 16)
        chunks = [first]
        cursor = first
        room = Self.chunkLength
    }

    /// Calls a closure with an arena that is not deallocated before the closure has returned.
    ///
    /// Without this, Swift may release an arena after its last mention in the source, while the
    /// bytes in it are still in use.
    package static func lasting<T, E: Error>(_ body: (ValueArena) throws(E) -> T) throws(E) -> T {
        let arena = ValueArena()
        defer { withExtendedLifetime(arena) {} }
        return try body(arena)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        for chunk in oversized { chunk.deallocate() }
    }

    /// Returns uninitialized memory of the given size in bytes, without any alignment.
    ///
    /// The base address is never nil.
    package func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if count > room { return allocateElsewhere(count) }
        let start = cursor
        cursor += count
        room &-= count
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Returns a copy of the bytes.
    package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let target = allocate(bytes.count)
        target.copyMemory(from: bytes)
        return UnsafeRawBufferPointer(target)
    }

    /// Returns a copy of the string in UTF-8.
    package func copy(_ text: String) -> UnsafeRawBufferPointer {
        var text = text
        return text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
    }

    /// Shortens a buffer to `count` bytes.
    ///
    /// If it is the last one that was allocated, the rest can be allocated again.
    func trim(_ buffer: UnsafeMutableRawBufferPointer, to count: Int) -> UnsafeRawBufferPointer {
        if let start = buffer.baseAddress, start + buffer.count == cursor {
            cursor = start + count
            room &+= buffer.count - count
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Releases all memory that was allocated.
    ///
    /// Buffers from the arena are invalid afterwards.
    package func reset() {
        if !oversized.isEmpty {
            for chunk in oversized { chunk.deallocate() }
            oversized.removeAll(keepingCapacity: true)
        }
        isInUse = 0
        cursor = chunks[0]
        room = Self.chunkLength
    }

    @inline(never)
    private func allocateElsewhere(_ count: Int) -> UnsafeMutableRawBufferPointer {
        // A new chunk abandons the rest of the current one. This bound limits the loss to a
        // quarter.
        guard count <= Self.chunkLength / 4 else {
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
            oversized.append(chunk)
            return UnsafeMutableRawBufferPointer(start: chunk, count: count)
        }
        isInUse += 1
        if isInUse == chunks.count {
            chunks.append(.allocate(byteCount: Self.chunkLength, alignment: 16))
        }
        let chunk = chunks[isInUse]
        cursor = chunk + count
        room = Self.chunkLength - count
        return UnsafeMutableRawBufferPointer(start: chunk, count: count)
    }
}

@available(*, unavailable)
extension ValueArena: Sendable {}
