import type { ChainPort, SeenPayment } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { chunk } from './groupBy.js'

/** A payment found on a chain, with the name that is its own for ever. */
export type FoundPayment = SeenPayment & { id: string }

type Range = { fromBlock: bigint; toBlock: bigint }

/** Nodes refuse filters that name too many addresses. */
const targetsPerQuestion = 500

/**
 * Names payments by their transaction, where they went, and which they are of those that went there in it. A
 * reorganisation gives a log another place in its block; this it leaves as it is.
 */
const namePayments = (chain: string, seen: readonly SeenPayment[]): FoundPayment[] => {
  const counts = new Map<string, number>()
  const named = new Map<string, FoundPayment>()
  for (const payment of [...seen].sort((one, other) => one.logIndex - other.logIndex)) {
    const { txId, target, currency, block } = payment
    const name = `${chain}:${txId}:${target}:${currency}`
    // In two blocks at once: it was reorganised while it was read, and is one payment.
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

const halve = ({ fromBlock, toBlock }: Range, targets: readonly string[]) => {
  if (fromBlock < toBlock) {
    const middle = (fromBlock + toBlock) / 2n
    return [
      { range: { fromBlock, toBlock: middle }, targets },
      { range: { fromBlock: middle + 1n, toBlock }, targets },
    ]
  }
  const half = Math.ceil(targets.length / 2)
  if (half === targets.length) return undefined
  const range = { fromBlock, toBlock }
  return [
    { range, targets: targets.slice(0, half) },
    { range, targets: targets.slice(half) },
  ]
}

/** An order that there is not. */
const nobody = '00000000-0000-4000-8000-000000000000'

/**
 * Whether a node refuses to tell of one target in one block, again, while it tells of others there: the answer is too
 * long, and always will be. Whatever else it has against the question passes.
 */
const isUntold = async (chain: ChainPort, range: Range, targets: readonly string[]): Promise<boolean> => {
  const others = chain.currencies.map(({ currency }) => chain.paymentTarget({ orderId: nobody, currency }))
  await chain.findPayments({ ...range, targets: [...new Set(others)] })
  return chain.findPayments({ ...range, targets }).then(
    () => false,
    () => true,
  )
}

/**
 * Asks for less when a node refuses: it may limit the blocks of a question, and anybody can make an answer too long
 * for it. What cannot be told at all is left out, and only it: the ledger has the difference.
 */
const ask = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  range: Range,
  targets: readonly string[],
): Promise<SeenPayment[]> => {
  try {
    return await chain.findPayments({ ...range, targets })
  } catch (error) {
    // Throws when the node is away: it would not answer a smaller question either.
    await chain.getHead()
    const halves = halve(range, targets)
    if (!halves) {
      if (!(await isUntold(chain, range, targets))) throw error
      const fields = { chain: chain.chain, block: `${range.fromBlock}`, target: targets[0], err: error }
      deps.log.error(fields, 'the node does not tell of the payments to a target in a block: left out')
      return []
    }
    const found: SeenPayment[][] = []
    for (const half of halves) found.push(await ask(deps, chain, half.range, half.targets))
    return found.flat()
  }
}

/** Finds the payments to any of many targets in a range of blocks, in the order of the chain. */
export const findPayments = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  range: Range,
  targets: readonly string[],
): Promise<FoundPayment[]> => {
  const seen: SeenPayment[][] = []
  for (const some of chunk(targets, targetsPerQuestion)) seen.push(await ask(deps, chain, range, some))
  return namePayments(chain.chain, seen.flat())
}
