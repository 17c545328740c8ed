import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { askTransfers } from './askTransfers.js'
import { recordTransfers } from './recordTransfers.js'
import type { TokenLookDeps } from './tokenCursors.js'
import { advanceCursors, openCursors, type ReadTo } from './tokenCursors.js'
import { cursorName, isWallet, type TokenPlace } from './tokenPlace.js'

/** How much is read at once. */
export type TokenLookOptions = {
  /** How many of the last blocks are read again. */
  readsAgain(head: BlockRef): Promise<bigint>
  /** Blocks per query. */
  maxBlocks: number
  /** After how many new blocks the progress is stored. Reading a list does not store it every time. */
  savedBlocks: number
  /** Called between two queries. */
  mayGoOn(): boolean
}

const least = (numbers: readonly bigint[]): bigint | undefined =>
  numbers.reduce<bigint | undefined>(
    (found, one) => (found === undefined || one < found ? one : found),
    undefined,
  )

/**
 * Records the token transfers of contracts and wallets up to the head of their chain. Those that were read up to the
 * same block are read together. The last blocks are read again, because they may have been reorganised, or missed by a
 * node that was behind. Several processes may do this at once.
 *
 * @returns Whether the head was reached.
 */
export const lookForTokens = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  places: readonly TokenPlace[],
  options: TokenLookOptions,
): Promise<boolean> => {
  if (!places.length) return true
  const head = await chain.getHead()
  const waiting = await openCursors(deps, chain, head, places)
  const placeOf = new Map(places.map((place) => [cursorName(place), place]))
  const depth = await options.readsAgain(head)
  const newest = head.number > depth ? head.number - depth : 0n
  // Always beyond the blocks that are read again. Otherwise the same ones would be read forever.
  const span = BigInt(options.maxBlocks) > depth ? BigInt(options.maxBlocks) : depth + 1n
  const startOf = (cursor: bigint): bigint => (cursor + 1n < newest ? cursor + 1n : newest)

  for (;;) {
    const starts = [...waiting.values()].map(({ number }) => startOf(number))
    const fromBlock = least(starts)
    if (fromBlock === undefined) return true
    if (!options.mayGoOn()) return false
    const next = least(starts.filter((start) => start > fromBlock))
    const most = fromBlock + span - 1n
    const last = next === undefined ? head.number : next - 1n
    const toBlock = most < last ? most : last
    const group = [...waiting].filter(([, { number }]) => startOf(number) === fromBlock)
    const names = group.map(([name]) => name)
    const isHead = toBlock === head.number
    const range = { fromBlock, toBlock }
    const asked = names.flatMap((name) => placeOf.get(name) ?? [])
    const contracts = asked.flatMap((place) => (isWallet(place) ? [] : [place.address]))
    const wallets = asked.filter(isWallet).map(({ address }) => address)
    const transfers = [
      ...(await askTransfers(deps, chain, { range, subject: 'contracts', addresses: contracts })),
      ...(await askTransfers(deps, chain, { range, subject: 'wallets', addresses: wallets })),
    ]
    await recordTransfers(deps, chain, { transfers, isPast: !isHead })
    const read = { number: toBlock, hash: isHead ? head.hash : null }
    const isNews = (cursor: ReadTo) =>
      cursor.hash === null || toBlock - cursor.number >= BigInt(options.savedBlocks)
    const saved = group.filter(([, cursor]) => isNews(cursor)).map(([name]) => name)
    const write = { chain: chain.chain, nowMs: deps.now() }
    await advanceCursors(deps.db, write, { contracts: saved, block: read })
    for (const name of names) {
      if (isHead) waiting.delete(name)
      else waiting.set(name, read)
    }
  }
}
