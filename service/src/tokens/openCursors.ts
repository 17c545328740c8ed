import type { BlockRef, ChainPort } from '../chains/port.js'
import { firstBlock } from './firstBlock.js'
import type { TokenLookDeps } from './lookForTokens.js'
import {
  beginCursors,
  forgetHoldings,
  moveCursorsBack,
  readCursors,
  type TokenCursor,
} from './tokenCursors.js'
import { cursorName, isWallet, type TokenPlace } from './tokenPlace.js'

/** How long a chain may lack the last block that was read of it before it is read from an earlier one. */
const behindForMs = 10 * 60_000
/** How much earlier: as much as is ever read again. */
const stepBlocks = 1_800n

/** The block up to which a place was read. */
export type ReadTo = Pick<TokenCursor, 'number' | 'hash'>

type Cursors = ReadonlyMap<string, TokenCursor>

const namesOf = (cursors: Cursors, isOne: (cursor: TokenCursor) => boolean): string[] =>
  [...cursors].filter(([, cursor]) => isOne(cursor)).map(([name]) => name)

/** Those places of our own node that were read on a chain which is not there any more. */
const findStartedAnew = async (chain: ChainPort, cursors: Cursors): Promise<string[]> => {
  if (!chain.isLocal) return []
  const hashes = new Map<bigint, string | undefined>()
  for (const { number, hash } of cursors.values()) {
    if (hash !== null && !hashes.has(number)) hashes.set(number, (await chain.getBlock(number))?.hash)
  }
  return namesOf(cursors, ({ number, hash }) => hash !== null && hashes.get(number) !== hash)
}

/**
 * Finds from where on places are to be read, and puts right what cannot be: a development chain that was started
 * anew, or one that has long lacked the last block that was read of it.
 *
 * @returns Up to which block each was read. Those of which the node knows less than was read are left out: what it
 * says now is old.
 */
export const openCursors = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  head: BlockRef,
  places: readonly TokenPlace[],
): Promise<Map<string, ReadTo>> => {
  const { db, now, log } = deps
  const names = places.map(cursorName)
  const read = () => readCursors(db, chain.chain, names)
  const known = await read()
  const unknown = places.filter((place) => !known.has(cursorName(place)))
  const begun: { contract: string; number: bigint }[] = []
  for (const place of unknown) {
    const number = (await firstBlock(deps, chain, head, place)) - 1n
    // Not beyond what is there: a node that is behind may know of the contract's transaction already.
    begun.push({ contract: cursorName(place), number: number < head.number ? number : head.number })
  }
  await beginCursors(db, chain.chain, begun, now())

  const anew = await findStartedAnew(chain, known)
  if (anew.length) {
    log.warn({ chain: chain.chain }, 'the chain was started anew: reading its tokens from its first block')
    await moveCursorsBack(db, chain.chain, anew, -1n, now())
    const lost = places.filter((place) => anew.includes(cursorName(place)))
    const addressesOf = (some: readonly TokenPlace[]) => some.map(({ address }) => address)
    await forgetHoldings(db, chain.chain, {
      contracts: addressesOf(lost.filter((place) => !isWallet(place))),
      holders: addressesOf(lost.filter(isWallet)),
    })
  }
  const isLost = ({ number, savedAtMs }: TokenCursor) =>
    number > head.number && now() - savedAtMs >= behindForMs
  const lost = namesOf(known, isLost).filter((name) => !anew.includes(name))
  if (lost.length) {
    log.warn({ chain: chain.chain, head: `${head.number}` }, 'the chain lacks blocks whose tokens were read')
    const earlier = head.number > stepBlocks ? head.number - stepBlocks : -1n
    await moveCursorsBack(db, chain.chain, lost, earlier, now())
  }
  const changed = begun.length || anew.length || lost.length
  const current = changed ? await read() : known
  return new Map([...current].filter(([, { number }]) => number <= head.number))
}
