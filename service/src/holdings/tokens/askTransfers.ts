import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { SeenTransfer } from '#base/ports/wallet.js'
import type { ScanRange } from '#base/watch/scanRange.js'

/** Nodes refuse filters that name too many addresses. */
const addressesPerQuestion = 500

/** What transfers are filtered by: the contracts that logged them, or the wallets that sent or received them. */
type Subject = 'contracts' | 'wallets'

const halve = (range: ScanRange, addresses: readonly string[]) => {
  const { fromBlock, toBlock } = range
  if (fromBlock < toBlock) {
    const middle = (fromBlock + toBlock) / 2n
    return [
      { range: { fromBlock, toBlock: middle }, addresses },
      { range: { fromBlock: middle + 1n, toBlock }, addresses },
    ]
  }
  const half = Math.ceil(addresses.length / 2)
  if (half === addresses.length) return undefined
  return [
    { range, addresses: addresses.slice(0, half) },
    { range, addresses: addresses.slice(half) },
  ]
}

/** A query to a chain: transfers in a range of blocks, filtered by addresses of one kind. */
type Question = { range: ScanRange; subject: Subject; addresses: readonly string[] }

/**
 * Splits a query that a node refuses, because nodes limit the blocks of a query and the length of an answer. Only the
 * transfers of one address in one block are left out, if the node refuses even those.
 */
const ask = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  { range, subject, addresses }: Question,
): Promise<SeenTransfer[]> => {
  try {
    return subject === 'contracts'
      ? await chain.wallets.findTransfers({ ...range, contracts: addresses })
      : await chain.wallets.findTransfersOf({ ...range, wallets: addresses })
  } catch (err) {
    // Throws when the node is down. It would not answer a smaller query either.
    await chain.getHead()
    const halves = halve(range, addresses)
    if (!halves) {
      const fields = { chain: chain.chain, block: `${range.fromBlock}`, [subject]: addresses[0], err }
      deps.log.error(fields, 'the node does not tell of the transfers of an address in a block: left out')
      return []
    }
    const found: SeenTransfer[][] = []
    for (const half of halves) found.push(await ask(deps, chain, { subject, ...half }))
    return found.flat()
  }
}

/** Finds the token transfers of contracts or wallets in a range of blocks. Those of one address are in the chain's order. */
export const askTransfers = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  { range, subject, addresses }: Question,
): Promise<SeenTransfer[]> => {
  const found: SeenTransfer[][] = []
  for (const some of chunk([...new Set(addresses)], addressesPerQuestion)) {
    found.push(await ask(deps, chain, { range, subject, addresses: some }))
  }
  return found.flat()
}
