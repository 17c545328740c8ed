import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import type { SeenTransfer } from '#base/ports/wallet.js'
import { recordTransfers } from './recordTransfers.js'
import type { TokenLookDeps } from './tokenCursors.js'
import { advanceCursors, beginCursors, readCursors } from './tokenCursors.js'
import type { WatchedWallet } from './tokenPlace.js'

/** How many blocks behind the head an address may be to be read forward from there. */
const recentBlocks = 10_000n
const blocksPerQuestion = 2_000n
/** The most queries to a node that does not search its whole chain at once. */
const maxQuestions = 20
const patienceMs = 5_000

type Range = { fromBlock: bigint; toBlock: bigint }

/** Queries one range. Returns undefined when the node refuses the query. */
const ask = async (chain: ChainPort, address: string, range: Range): Promise<SeenTransfer[] | undefined> => {
  try {
    return await chain.wallets.findTransfersOf({ ...range, wallets: [address] })
  } catch {
    // Throws when the node is down.
    await chain.getHead()
    return undefined
  }
}

/** Finds an address's transfers from the head backwards, as far as a limited number of queries reaches. */
const findEarlier = async (
  { now }: Pick<TokenLookDeps, 'now'>,
  chain: ChainPort,
  { address, fromBlock, toBlock }: Range & { address: string },
): Promise<SeenTransfer[]> => {
  const all = await ask(chain, address, { fromBlock, toBlock })
  if (all) return all
  const untilMs = now() + patienceMs
  const found: SeenTransfer[][] = []
  let span = blocksPerQuestion
  let last = toBlock
  for (let asked = 0; asked < maxQuestions && last >= fromBlock && now() < untilMs; asked++) {
    const first = last - span + 1n > fromBlock ? last - span + 1n : fromBlock
    const some = await ask(chain, address, { fromBlock: first, toBlock: last })
    if (some) {
      found.unshift(some)
      last = first - 1n
    } else if (span > 1n) span /= 2n
    else break
  }
  return found.flat()
}

/**
 * Reads the tokens of an address that is no wallet of the service, as far back as the node answers: the whole chain if
 * the node searches it at once, otherwise the last blocks. Earlier tokens are not listed. An address that was requested
 * a short while ago is read forward from there.
 */
export const readBack = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  head: BlockRef,
  { address, cursor }: WatchedWallet,
): Promise<void> => {
  // A development chain is short enough to be read from its beginning.
  if (chain.isLocal) return
  const known = (await readCursors(deps.db, chain.chain, [cursor])).get(cursor)
  if (known && head.number - known.number <= recentBlocks) return
  const fromBlock = known ? known.number + 1n : 0n
  const transfers = await findEarlier(deps, chain, { address, fromBlock, toBlock: head.number })
  await recordTransfers(deps, chain, { transfers, isPast: true })
  const write = { chain: chain.chain, nowMs: deps.now() }
  const block = { number: head.number, hash: null }
  await beginCursors(deps.db, write, [{ contract: cursor, number: head.number }])
  await advanceCursors(deps.db, write, { contracts: [cursor], block })
}
