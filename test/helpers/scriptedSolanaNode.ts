/** A node's answer. */
export type Reply = { result: unknown } | { error: { code: number; message: string } }

/** Answers a request in place of the node; undefined leaves it to the node. */
export type Script = (
  method: string,
  params: readonly unknown[],
  ask: () => Promise<Reply>,
) => Promise<Reply | undefined> | Reply | undefined

/** What an app's requests to a node go through, for a node that lags, loses transactions or is away. */
export const createScriptedSolanaNode = () => {
  const script: { onRequest: Script } = { onRequest: () => undefined }
  const asked: string[] = []
  const send: typeof fetch = async (input, init) => {
    const { method, params } = JSON.parse(String(init?.body)) as { method: string; params: unknown[] }
    asked.push(method)
    const ask = async (): Promise<Reply> => (await (await fetch(input, init)).json()) as Reply
    return Response.json((await script.onRequest(method, params, ask)) ?? (await ask()))
  }
  return { script, asked, fetch: send }
}

/** A node that is away. */
export const away: Script = () => {
  throw new TypeError('fetch failed')
}

const minContextSlotNotReached = { code: -32016, message: 'Minimum context slot has not been reached' }

/**
 * A node that knows nothing after a slot, as one of several behind one address. Like a real one, it refuses a question
 * for a later slot.
 */
export const laggingAt =
  (slot: bigint): Script =>
  async (method, params, ask) => {
    const reply = await ask()
    if (!('result' in reply)) return reply
    const config = params.at(-1)
    const wanted = typeof config === 'object' && config !== null ? Reflect.get(config, 'minContextSlot') : 0
    if (typeof wanted === 'number' && BigInt(wanted) > slot) return { error: minContextSlotNotReached }
    const { result } = reply
    const knows = (each: unknown) => BigInt(Number(Reflect.get(Object(each), 'slot') ?? 0)) <= slot
    switch (method) {
      case 'getSignaturesForAddress':
        return { result: (result as unknown[]).filter(knows) }
      case 'getSignatureStatuses': {
        const { value, ...others } = result as { value: unknown[] }
        return { result: { ...others, value: value.map((each) => (knows(each) ? each : null)) } }
      }
      case 'getTransaction':
        return { result: result && knows(result) ? result : null }
      default:
        return reply
    }
  }
