import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { ChainPort, SeenPayment } from '#base/ports/chain.js'

/** A payment found on a chain, with its permanent id. */
export type FoundPayment = SeenPayment & { id: string }

type Range = Pick<Parameters<ChainPort['findPayments']>[0], 'fromBlock' | 'toBlock' | 'includesEmptied'>

/** Nodes refuse filters with too many addresses. */
const targetsPerQuestion = 500

/**
 * Derives payments' ids from their transaction, their target and their position among the transfers to it.
 * These survive a reorganisation, while a log's position in its block may change.
 */
const namePayments = (chain: string, seen: readonly SeenPayment[]): FoundPayment[] => {
  const counts = new Map<string, number>()
  const named = new Map<string, FoundPayment>()
  for (const payment of [...seen].sort((one, other) => one.logIndex - other.logIndex)) {
    const { txId, target, currency, block } = payment
    const name = `${chain}:${txId}:${target}:${currency}`
    // One payment seen in two blocks, because of a reorganisation during the read.
    const place = `${name}:${block.hash}`
    const ordinal = counts.get(place) ?? 0
    counts.set(place, ordinal + 1)
    const id = `${name}:${ordinal}`
    const other = named.get(id)
    if (!other || other.block.number < block.number) named.set(id, { ...payment, id })
  }
  return [...named.values()].sort(
    (one, other) => Number(one.block.number - other.block.number) || one.logIndex - other.logIndex,
  )
}

/** Which blocks are searched for payments, and to which targets. */
type Search = Range & { targets: readonly string[] }

const halve = (search: Search): Search[] | undefined => {
  const { fromBlock, toBlock, targets } = search
  if (fromBlock < toBlock) {
    const middle = (fromBlock + toBlock) / 2n
    return [
      { ...search, toBlock: middle },
      { ...search, fromBlock: middle + 1n },
    ]
  }
  const half = Math.ceil(targets.length / 2)
  if (half === targets.length) return undefined
  return [
    { ...search, targets: targets.slice(0, half) },
    { ...search, targets: targets.slice(half) },
  ]
}

/** A UUID that no order has. */
const noOrderId = '00000000-0000-4000-8000-000000000000'

/**
 * Whether a node repeatedly refuses to return one target's payments in one block while it returns others
 * there: the answer is too long and always will be. Any other refusal is temporary.
 */
const isUntold = async (chain: ChainPort, search: Search): Promise<boolean> => {
  const others = chain.currencies.map(({ currency }) => chain.paymentTarget({ orderId: noOrderId, currency }))
  await chain.findPayments({ ...search, targets: [...new Set(others)] })
  return chain.findPayments(search).then(
    () => false,
    () => true,
  )
}

/**
 * Narrows a query that a node refuses: the node may limit the range of blocks, and an attacker can make an
 * answer too long. Only payments that no query can return are left out, and the ledger shows the difference.
 */
const ask = async (deps: Pick<Deps, 'log'>, chain: ChainPort, search: Search): Promise<SeenPayment[]> => {
  try {
    return await chain.findPayments(search)
  } catch (error) {
    // Throws if the node is away, when it would not answer a smaller query either.
    await chain.getHead()
    const halves = halve(search)
    if (!halves) {
      if (!(await isUntold(chain, search))) throw error
      const { fromBlock, targets } = search
      const fields = { chain: chain.chain, block: `${fromBlock}`, target: targets[0], err: error }
      deps.log.error(fields, 'the node does not tell of the payments to a target in a block: left out')
      return []
    }
    const found: SeenPayment[][] = []
    for (const half of halves) found.push(await ask(deps, chain, half))
    return found.flat()
  }
}

/** Finds the payments to the targets in a range of blocks, in the chain's order. */
export const findPayments = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  search: Search,
): Promise<FoundPayment[]> => {
  const seen: SeenPayment[][] = []
  for (const targets of chunk(search.targets, targetsPerQuestion)) {
    seen.push(await ask(deps, chain, { ...search, targets }))
  }
  return namePayments(chain.chain, seen.flat())
}
