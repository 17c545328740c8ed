import { createHash } from 'node:crypto'
import type { ChainRegistry } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WriteOptions } from '#base/ports/write.js'
import { type BulkheadOptions, createBulkhead } from './createBulkhead.js'
import { type JobSlots, runOutsideSlot } from './jobSlots.js'

const defaultOptions: BulkheadOptions = { maxTasks: 64, maxStuckWallets: 2, slowMs: 5_000 }

/** Tells accounts apart by the key that they sign with. The key itself is not kept. */
const nameAccount = (privateKey: Uint8Array): string =>
  createHash('sha256').update(privateKey).digest('base64')

/**
 * Creates the function that runs tasks outside of the slot of their job. What a wallet does at once is the work of one
 * job, which leaves its slot once, until the last of these tasks ends.
 */
const createOutside = (slots: JobSlots) => {
  const counts = new Map<string, number>()
  return <Result>(task: () => Promise<Result>, wallet?: string): Promise<Result> => {
    if (wallet === undefined) return runOutsideSlot(slots, task)
    const others = counts.get(wallet) ?? 0
    counts.set(wallet, others + 1)
    const end = async (): Promise<void> => {
      const left = (counts.get(wallet) ?? 1) - 1
      if (left) return void counts.set(wallet, left)
      counts.delete(wallet)
      await slots.enter()
    }
    if (!others) slots.leave()
    return task().finally(end)
  }
}

/** Goods, money, wallets and the opening of a chain have limits of their own: many deliveries delay no refund. */
const createLimits = (now: () => number, options: BulkheadOptions) => {
  const create = (share: number) =>
    createBulkhead(now, { ...options, maxTasks: Math.ceil(options.maxTasks * share) })
  return { goods: create(1), money: create(0.5), opening: create(0.5), wallets: create(1) }
}
type Limits = ReturnType<typeof createLimits>

const limitChain = (
  chain: ChainPort,
  { goods, money, opening, wallets }: Limits,
  slots: JobSlots,
): ChainPort => {
  const runOutside = createOutside(slots)
  /** Runs a write under a limit until its transaction is sent. Its confirmations are waited for without one. */
  const limit =
    (bulkhead: typeof goods, wallet?: string) =>
    <Result>(options: WriteOptions | undefined, write: (options: WriteOptions) => Promise<Result>) =>
      runOutside(
        () =>
          bulkhead((release) => {
            const onSent = () => {
              release()
              options?.onSent?.()
            }
            return write({ ...options, onSent })
          }, wallet),
        wallet,
      )
  const limitGoods = limit(goods)
  const limitMoney = limit(money)
  const { calls: callPort, operations: operationPort, messages: messagePort } = chain.wallets
  const { authorizations } = chain
  return {
    ...chain,
    ...(authorizations && {
      authorizations: {
        ...authorizations,
        settle: (key, write, options) =>
          limitMoney(options, (limited) => authorizations.settle(key, write, limited)),
      },
    }),
    wallets: {
      ...chain.wallets,
      calls: callPort && {
        ...callPort,
        send: (key, input, options) =>
          limit(wallets, nameAccount(input.privateKey))(options, (limited) =>
            callPort.send(key, input, limited),
          ),
      },
      messages: messagePort && {
        ...messagePort,
        send: (key, input, options) =>
          limit(wallets, nameAccount(input.privateKey))(options, (limited) =>
            messagePort.send(key, input, limited),
          ),
        burn: (key, input, options) =>
          limit(wallets, nameAccount(input.privateKey))(options, (limited) =>
            messagePort.burn(key, input, limited),
          ),
      },
      operations: operationPort && {
        ...operationPort,
        send: (key, bundle, options) =>
          limit(wallets, bundle.operations[0]?.sender)(options, (limited) =>
            operationPort.send(key, bundle, limited),
          ),
      },
    },
    ready: () => runOutside(() => opening(() => chain.ready())),
    createCollection: (key, input, options) =>
      limitGoods(options, (limited) => chain.createCollection(key, input, limited)),
    updateCollection: (key, input, options) =>
      limitGoods(options, (limited) => chain.updateCollection(key, input, limited)),
    mint: (key, input, options) => limitGoods(options, (limited) => chain.mint(key, input, limited)),
    updateToken: (key, input, options) =>
      limitGoods(options, (limited) => chain.updateToken(key, input, limited)),
    refund: (key, input, options) => limitMoney(options, (limited) => chain.refund(key, input, limited)),
    payOutCredit: (key, input, options) =>
      limitMoney(options, (limited) => chain.payOutCredit(key, input, limited)),
    sendUnattributed: (key, input, options) =>
      limitMoney(options, (limited) => chain.sendUnattributed(key, input, limited)),
    sweep: (key, input, options) => limitMoney(options, (limited) => chain.sweep(key, input, limited)),
  }
}

/**
 * Puts the chains under a limit for each.
 *
 * @returns The chains for the jobs of a queue, whose slots they use. A job that waits, for a place or for
 * confirmations, occupies no slot: a chain that hangs delays nothing on other chains.
 */
export const limitChains = (
  chains: ChainRegistry,
  now: () => number,
  options: Partial<BulkheadOptions> = {},
): ((slots: JobSlots) => ChainRegistry) => {
  const limitsOf = new Map<string, Limits>()
  const getLimits = (name: string): Limits => {
    const limits = limitsOf.get(name) ?? createLimits(now, { ...defaultOptions, ...options })
    limitsOf.set(name, limits)
    return limits
  }
  return (slots) => {
    const limited = new Map<string, ChainPort>()
    return {
      enabled: chains.enabled,
      get: (name) => {
        const known = limited.get(name)
        if (known) return known
        const chain = chains.get(name)
        if (!chain) return undefined
        const created = limitChain(chain, getLimits(name), slots)
        limited.set(name, created)
        return created
      },
    }
  }
}
