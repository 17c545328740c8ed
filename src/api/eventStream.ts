/** One event of a stream, by the fields of the format. */
export type StreamEvent = { id: string; event: string; data: string }

/** Parameters of {@link readEventStream}. */
export type EventStreamParameters = {
  open(signal: AbortSignal): Promise<Response>
  signal?: AbortSignal | undefined
  /** The longest wait for the first part. */
  timeoutMs: number
  onEvent(event: StreamEvent): void
  /** Called with every part, comments too, and the milliseconds in its field `retry`. */
  onAlive(retryMs: number | undefined): void
}

/**
 * How a stream came to its end: the service ended it, nothing arrived for too long, or the answer is no stream. Its
 * body is unread then.
 */
export type EventStreamEnd = { status: 'ended' | 'silent' } | { status: 'refused'; response: Response }

/** The longest silence. The service sends a comment every 15 seconds. */
export const longestSilenceMs = 40_000

const readField = (lines: readonly string[], name: string): string | undefined =>
  lines
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trimStart()

/**
 * Reads server-sent events until the stream ends. `EventSource` sends no headers, and the secret of an order must not
 * be in an address.
 *
 * @throws What `open` or the connection failed with, or what `onEvent` threw; the abort reason of `signal`.
 */
// Imports nothing: a module that the first chunk of a page has too would become a chunk apart.
export const readEventStream = async (parameters: EventStreamParameters): Promise<EventStreamEnd> => {
  const { open, signal, onEvent, onAlive } = parameters
  // Combined by hand, because `AbortSignal.any` is newer than the browsers of some buyers.
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(signal?.reason)
  let isLate = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isLate = true
      controller.abort()
    }, ms)
  }
  const onBlock = (lines: readonly string[]): void => {
    limit(longestSilenceMs)
    const retry = readField(lines, 'retry')
    onAlive(retry === undefined ? undefined : Number(retry))
    const data = readField(lines, 'data')
    if (data === undefined) return
    onEvent({ id: readField(lines, 'id') ?? '', event: readField(lines, 'event') ?? 'message', data })
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', giveUp)
  limit(parameters.timeoutMs)
  try {
    const response = await open(controller.signal)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!response.ok || !isStream || !response.body) return { status: 'refused', response }
    const reader = response.body.getReader()
    // A `fetch` of the app may leave the signal out.
    controller.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const blocks = `${text}${decoder.decode(value, { stream: true })}`.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) onBlock(block.split('\n'))
    }
    signal?.throwIfAborted()
    return { status: isLate ? 'silent' : 'ended' }
  } catch (error) {
    // Ends the connection of a stream that could not be read.
    controller.abort()
    if (signal?.aborted) throw signal.reason
    if (isLate) return { status: 'silent' }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
