import type { ChainPort } from '../chains/port.js'
import type { SeenTransfer } from '../chains/walletPort.js'
import type { Deps } from '../deps.js'
import { chunk } from '../payments/groupBy.js'
import type { ScanRange } from '../payments/scanRange.js'

/** Nodes refuse filters that name too many addresses. */
const contractsPerQuestion = 500

const halve = (range: ScanRange, contracts: readonly string[]) => {
  const { fromBlock, toBlock } = range
  if (fromBlock < toBlock) {
    const middle = (fromBlock + toBlock) / 2n
    return [
      { range: { fromBlock, toBlock: middle }, contracts },
      { range: { fromBlock: middle + 1n, toBlock }, contracts },
    ]
  }
  const half = Math.ceil(contracts.length / 2)
  if (half === contracts.length) return undefined
  return [
    { range, contracts: contracts.slice(0, half) },
    { range, contracts: contracts.slice(half) },
  ]
}

/**
 * Asks for less when a node refuses: it may limit the blocks of a question, or the length of an answer. What one
 * contract did in one block and a node never tells is left out, and only it.
 */
const ask = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  range: ScanRange,
  contracts: readonly string[],
): Promise<SeenTransfer[]> => {
  try {
    return await chain.wallets.findTransfers({ ...range, contracts })
  } catch (err) {
    // Throws when the node is away: it would not answer a smaller question either.
    await chain.getHead()
    const halves = halve(range, contracts)
    if (!halves) {
      const fields = { chain: chain.chain, block: `${range.fromBlock}`, contract: contracts[0], err }
      deps.log.error(fields, 'the node does not tell of the tokens of a contract in a block: left out')
      return []
    }
    const found: SeenTransfer[][] = []
    for (const half of halves) found.push(await ask(deps, chain, half.range, half.contracts))
    return found.flat()
  }
}

/** Finds the transfers of tokens of many contracts in a range of blocks; those of one contract in the chain's order. */
export const askTransfers = async (
  deps: Pick<Deps, 'log'>,
  chain: ChainPort,
  range: ScanRange,
  contracts: readonly string[],
): Promise<SeenTransfer[]> => {
  const found: SeenTransfer[][] = []
  for (const some of chunk(contracts, contractsPerQuestion)) found.push(await ask(deps, chain, range, some))
  return found.flat()
}
