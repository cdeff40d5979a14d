/// Room for the bytes of converted values, for as long as one object is being imported.
///
/// What it hands out stays where it is until ``reset()``, which takes it all back at once and keeps
/// the memory for the next object.
public final class ValueArena {
    private static let chunkLength = 64 << 10

    private var chunks: [UnsafeMutableRawPointer] = []
    private var isInUse = 0
    private var oversized: [UnsafeMutableRawPointer] = []
    private var cursor: UnsafeMutableRawPointer
    private var room: Int

    /// Creates an arena.
    public init() {
        let first = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkLength, alignment: 16)
        chunks = [first]
        cursor = first
        room = Self.chunkLength
    }

    /// Runs a body with an arena that lasts until the body has returned.
    ///
    /// An arena that nothing mentions any longer may be gone before the bytes in it are read.
    package static func lasting<T, E: Error>(_ body: (ValueArena) throws(E) -> T) throws(E) -> T {
        let arena = ValueArena()
        defer { withExtendedLifetime(arena) {} }
        return try body(arena)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        for chunk in oversized { chunk.deallocate() }
    }

    /// Room for a number of bytes, not initialized and not aligned; never without a base address.
    public func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if count > room { return allocateElsewhere(count) }
        let start = cursor
        cursor += count
        room &-= count
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// A copy of the bytes.
    public func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let target = allocate(bytes.count)
        target.copyMemory(from: bytes)
        return UnsafeRawBufferPointer(target)
    }

    /// A copy of a text in UTF-8.
    public func copy(_ text: String) -> UnsafeRawBufferPointer {
        var text = text
        return text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
    }

    /// Gives back the end of the room that was handed out last.
    func trim(_ buffer: UnsafeMutableRawBufferPointer, to count: Int) -> UnsafeRawBufferPointer {
        if let start = buffer.baseAddress, start + buffer.count == cursor {
            cursor = start + count
            room &+= buffer.count - count
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Takes back everything that was handed out.
    public func reset() {
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
