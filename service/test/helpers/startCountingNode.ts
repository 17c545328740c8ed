import { setTimeout as sleep } from 'node:timers/promises'
import { startRelay } from './startRelay.js'

type Call = { id: number; method: string; params?: unknown[] }
type Answer = { id: number; result?: unknown }

const parseAll = <Item>(text: string): Item[] => [JSON.parse(text)].flat() as Item[]

/** Starts a relay in front of a real node that counts what it is asked, and fails as hosted nodes do. */
export const startCountingNode = async (nodeUrl: string) => {
  const counted = { requests: 0, refused: 0, calls: [] as string[], most: 0 }
  const faults = {
    /** How long it takes for an answer. */
    delayMs: 0,
    /** How many requests it answers within a second. The others get 429. */
    perSecond: Number.POSITIVE_INFINITY,
    /** How many blocks it is behind. */
    behind: 0,
    /** Holds back the requests that it returns a promise for. */
    hold: (_methods: readonly string[]): Promise<void> | undefined => undefined,
  }
  let answered: number[] = []
  let inFlight = 0
  let lagging: { number: bigint; block: unknown } | undefined

  const ask = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return ((await response.json()) as Answer).result
  }
  const before = async (body: string): Promise<void> => {
    const methods = parseAll<Call>(body).map(({ method }) => method)
    counted.requests++
    counted.calls.push(...methods)
    counted.most = Math.max(counted.most, ++inFlight)
    if (faults.delayMs) await sleep(faults.delayMs)
    await faults.hold(methods)
    if (!faults.behind) return
    const number = BigInt(String(await ask('eth_blockNumber', []))) - BigInt(faults.behind)
    lagging = { number, block: await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]) }
  }
  const getRefusal = (): number | undefined => {
    const nowMs = performance.now()
    answered = answered.filter((atMs) => nowMs - atMs < 1_000)
    if (answered.length < faults.perSecond) {
      answered.push(nowMs)
      return undefined
    }
    counted.refused++
    inFlight--
    return 429
  }
  /** Answers as a node does whose head is an earlier block. */
  const toLagging = ({ method, params = [] }: Call, result: unknown): unknown => {
    if (!lagging || !faults.behind) return result
    const isLater = (value: unknown) => BigInt(String(value)) > (lagging?.number ?? 0n)
    if (method === 'eth_blockNumber') return `0x${lagging.number.toString(16)}`
    if (method === 'eth_getBlockByNumber') {
      if (params[0] === 'latest') return lagging.block
      return /^0x/.test(String(params[0])) && isLater(params[0]) ? null : result
    }
    if (method !== 'eth_getLogs') return result
    return (result as { blockNumber: string }[]).filter(({ blockNumber }) => !isLater(blockNumber))
  }
  const alter = (body: string, text: string): string => {
    inFlight--
    if (!faults.behind) return text
    const calls = new Map(parseAll<Call>(body).map((call) => [call.id, call]))
    const change = (answer: Answer): Answer => {
      const call = calls.get(answer.id)
      return call && 'result' in answer ? { ...answer, result: toLagging(call, answer.result) } : answer
    }
    const answers = JSON.parse(text) as Answer | Answer[]
    return JSON.stringify(Array.isArray(answers) ? answers.map(change) : change(answers))
  }
  const relay = await startRelay(nodeUrl, before, getRefusal, alter)
  return {
    url: relay.url,
    close: relay.close,
    faults,
    counted,
    /** Counts anew. */
    reset: (): void => void Object.assign(counted, { requests: 0, refused: 0, calls: [], most: 0 }),
  }
}
