import type { ChainPort } from '../chains/port.js'
import type { ChainRegistry } from '../deps.js'
import { ServiceError } from '../errors.js'

/** How many jobs may be at one chain. */
export type TurnOptions = {
  /** At once: fewer than there are places for jobs, so that those of other chains find one. */
  most: number
  /** At once, after one that did not come to an end. */
  mostWhenFailing: number
  /** A chain that takes longer than this is slow: nobody waits for a place at it. */
  slowMs: number
}

const defaultOptions: TurnOptions = { most: 16, mostWhenFailing: 2, slowMs: 5_000 }

/** A write that ends well shows that the chain takes what it is sent; that its node answers does not. */
type Turn = <Result>(work: () => Promise<Result>, isWrite: boolean) => Promise<Result>

const createTurn = (chain: string, now: () => number, options: TurnOptions): Turn => {
  /** When each began that has not ended, oldest first. */
  const open = new Set<{ sinceMs: number }>()
  const waiting = new Set<() => void>()
  let isFailing = false

  const hasPlace = (): boolean => open.size < (isFailing ? options.mostWhenFailing : options.most)
  const waitForPlace = async (): Promise<void> => {
    const [oldest] = open
    const patienceMs = oldest ? oldest.sinceMs + options.slowMs - now() : 0
    if (isFailing || patienceMs <= 0) {
      const message = `The chain ${chain} is slow to take what is on its way.`
      throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 3 })
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
  const wakeAll = (): void => {
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  return async (work, isWrite) => {
    while (!hasPlace()) await waitForPlace()
    const mine = { sinceMs: now() }
    open.add(mine)
    try {
      const result = await work()
      if (isWrite) isFailing = false
      return result
    } catch (error) {
      // What fails at once holds nobody up, and may be the fault of one thing alone.
      const isSlow = now() - mine.sinceMs >= options.slowMs
      isFailing ||= isSlow && error instanceof ServiceError && error.code === 'chain-unavailable'
      throw error
    } finally {
      open.delete(mine)
      wakeAll()
    }
  }
}

/** Goods, money, wallets and the way in have places of their own: a run on goods keeps no refund waiting. */
const takeTurns = (chain: ChainPort, createTurnOf: (share: number) => Turn): ChainPort => {
  const [goods, money, entry] = [createTurnOf(1), createTurnOf(0.5), createTurnOf(0.5)]
  const calls = createTurnOf(1)
  return {
    ...chain,
    wallets: {
      ...chain.wallets,
      sendOperations: (...input) => calls(() => chain.wallets.sendOperations(...input), true),
      sendCall: (...input) => calls(() => chain.wallets.sendCall(...input), true),
    },
    ready: () => entry(() => chain.ready(), true),
    // Mostly there already, and answered from what is written down: that tells nothing of the chain.
    createCollection: (key, input) => goods(() => chain.createCollection(key, input), false),
    updateCollection: (key, input) => goods(() => chain.updateCollection(key, input), true),
    mint: (key, input) => goods(() => chain.mint(key, input), true),
    updateToken: (key, input) => goods(() => chain.updateToken(key, input), true),
    refund: (key, input) => money(() => chain.refund(key, input), true),
    sweep: (key, input) => money(() => chain.sweep(key, input), true),
  }
}

/**
 * The chains as jobs are given them: however many wait for one that hangs, others have places left. Whoever finds no
 * place at a slow chain gives up the job's too, and comes again later.
 */
export const createChainTurns = (
  chains: ChainRegistry,
  now: () => number,
  options: Partial<TurnOptions> = {},
): ChainRegistry => {
  const turned = new Map<string, ChainPort>()
  return {
    enabled: chains.enabled,
    get: (name) => {
      const chain = turned.get(name) ?? chains.get(name)
      if (!chain || turned.has(name)) return chain
      const given = { ...defaultOptions, ...options }
      const wrapped = takeTurns(chain, (share) =>
        createTurn(name, now, { ...given, most: Math.ceil(given.most * share) }),
      )
      turned.set(name, wrapped)
      return wrapped
    },
  }
}
