const join = (chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * Reads a stream to its end, unless that is too far.
 *
 * @param signal - Ends the reading for good, so that nobody goes on sending into the void.
 * @returns The bytes; undefined when there are more than may be, of which no more is read then.
 */
export const readLimited = async (
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const reader = stream.getReader()
  // What is to come is not waited for: it may never end.
  const stop = (): void => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', stop)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return join(chunks, size)
    size += value.length
    if (size > limitBytes) {
      stop()
      return undefined
    }
    chunks.push(value)
  }
}
