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
 * Reads a stream to its end, up to a limit.
 *
 * @param signal - Cancels the reading, so that the sender stops sending.
 * @returns The bytes; undefined when there are more than the limit, in which case the rest is not read.
 */
export const readLimited = async (
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const reader = stream.getReader()
  // The cancellation is not awaited, because the rest of the stream may never end.
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
