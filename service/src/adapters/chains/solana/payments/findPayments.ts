import {
  type Address,
  address,
  fetchEncodedAccounts,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'
import { getPaymentsKey } from 'kassa/engine'
import type { Log } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { BlockRef, SeenPayment } from '#base/ports/chain.js'
import type { PaymentAccount, PaymentTerms } from './paymentTerms.js'
import { unitsOf } from './payOuts.js'
import { type Moves, readMoves, unreadable } from './readMoves.js'

const pageSize = 1_000

type Listed = { signature: Signature; slot: bigint }

/** Lists the successful transactions that name an address, in a range of slots, newest first. */
export const listSignatures = async (
  rpc: Rpc<SolanaRpcApi>,
  address: Address,
  { fromSlot, toSlot }: { fromSlot: bigint; toSlot: bigint },
): Promise<Listed[]> => {
  const terms = { commitment: 'confirmed', limit: pageSize } as const
  const found: Listed[] = []
  let before: Signature | undefined
  for (;;) {
    const page: readonly (Listed & { err: unknown })[] = await rpc
      .getSignaturesForAddress(address, before === undefined ? terms : { ...terms, before })
      .send()
    found.push(...page.filter(({ slot, err }) => slot >= fromSlot && slot <= toSlot && err === null))
    const last = page.at(-1)
    if (!last || page.length < pageSize || last.slot < fromSlot) return found
    before = last.signature
  }
}

/** More transactions, or orders, than one search sees again. */
const maxKnown = 20_000
/** How many requests a search sends at once. Strangers can make it read much, and it must not take long. */
const requestsAtOnce = 16
/** How many accounts one request reads. */
const accountsAtOnce = 100
/**
 * How long an account is left out in which a search saw nothing new, while it holds the same. Within that time, exactly
 * what was paid out may have arrived again.
 */
const restMs = 15_000

const inParallel = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const some of chunk(items, requestsAtOnce)) results.push(...(await Promise.all(some.map(work))))
  return results
}

/** Keeps a value, and forgets the one that was kept first if there are too many. */
const remember = <Value>(known: Map<string, Value>, key: string, value: Value): Value => {
  // A map lists its entries in the order of their insertion.
  const [oldest] = known.keys()
  if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
  known.set(key, value)
  return value
}

/** A landed transaction, and its block once that is final. */
type Landed = { moves: Moves; block: BlockRef | undefined }

/** An account at which an order is paid in one currency. */
type Place = PaymentAccount & { target: string; logIndex: number }

/** What an account held when a search saw nothing new in it since a slot. */
type Rest = { units: bigint; fromSlot: bigint; untilMs: number }

type Slots = { fromSlot: bigint; toSlot: bigint }

type GetBlock = (slot: bigint) => Promise<BlockRef | undefined>

/** Creates the reads of transactions. Every search sees those of some minutes again, and they never change. */
const createLandedReads = (log: Pick<Log, 'error'>) => {
  const known = new Map<string, Landed>()

  return async (rpc: Rpc<SolanaRpcApi>, { signature, slot }: Listed): Promise<Landed> => {
    const id = `${signature}:${slot}`
    const before = known.get(id)
    if (before) return before
    const moves = await readMoves(rpc, signature)
    // A node that lists a transaction and does not show it is asked again.
    if (!moves) throw new Error(`the node lists ${signature} and does not show it`)
    if (moves === unreadable) {
      log.error(
        { signature, slot },
        'the version of a transaction is not supported: its payments are left out',
      )
    }
    return remember(known, id, { moves, block: undefined })
  }
}

/** Lists where the orders of some targets are paid. */
const listPlaces = async (terms: PaymentTerms, targets: readonly string[]): Promise<Place[]> => {
  const places = await Promise.all(
    targets.map(async (target) =>
      (await terms.accountsOf(target)).map((each, logIndex) => ({ ...each, target, logIndex })),
    ),
  )
  return places.flat()
}

/** Creates the search of orders' own accounts, which leaves out those in which it saw nothing new a moment ago. */
const createArrivals = () => {
  const rests = new Map<string, Rest>()

  /** Lists the transactions that name accounts of orders, of those that hold something unless all are asked for. */
  return async (
    rpc: Rpc<SolanaRpcApi>,
    accounts: readonly Place[],
    { fromSlot, toSlot, includesEmptied }: Slots & { includesEmptied: boolean },
  ): Promise<Listed[]> => {
    const balances = await inParallel(chunk(accounts, accountsAtOnce), async (some) => {
      const addresses = some.map(({ account }) => account)
      const found = await fetchEncodedAccounts(rpc, addresses, { commitment: 'confirmed' })
      return some.map((place, at) => ({ place, units: unitsOf(found[at], place) }))
    })
    const due = balances.flat().filter(({ place, units }) => {
      if (includesEmptied) return true
      const rest = rests.get(place.account)
      const isResting = rest?.units === units && rest.fromSlot <= fromSlot && Date.now() < rest.untilMs
      return units > 0n && !isResting
    })
    const listed = await inParallel(due, async ({ place: { account }, units }) => {
      const found = await listSignatures(rpc, account, { fromSlot, toSlot: 2n ** 64n })
      if (found.length) rests.delete(account)
      else remember(rests, account, { units, fromSlot, untilMs: Date.now() + restMs })
      return found.filter(({ slot }) => slot <= toSlot)
    })
    return listed.flat()
  }
}

const readPayment = (
  { into, signers }: Moves,
  { account, mint, target, currency, logIndex }: Place,
  { block, listed }: { block: BlockRef; listed: Listed },
): SeenPayment[] => {
  const move = into(account, mint)
  return move ? [{ txId: listed.signature, logIndex, block, ...move, signers, currency, target }] : []
}

/**
 * Creates the search for payments: transactions that put something into an order's own account. They are found by that
 * account, whatever else they name, and by the deployment's key, which finds many in one request. What they are reported
 * to be plays no part.
 */
export const createPaymentSearch = (terms: PaymentTerms, log: Pick<Log, 'error'>) => {
  const key = address(getPaymentsKey(terms.operator))
  const read = createLandedReads(log)
  const listArrivals = createArrivals()

  return async (
    rpc: Rpc<SolanaRpcApi>,
    getBlock: GetBlock,
    input: { fromBlock: bigint; toBlock: bigint; targets: readonly string[]; includesEmptied?: boolean },
  ): Promise<SeenPayment[]> => {
    const range = { fromSlot: input.fromBlock, toSlot: input.toBlock }
    const { includesEmptied = false } = input
    const accounts = await listPlaces(terms, input.targets)
    const byAddress = new Map<string, Place>(accounts.map((place) => [place.account, place]))
    const [finalSlot, named, arrivals] = await Promise.all([
      rpc.getSlot({ commitment: 'finalized' }).send(),
      listSignatures(rpc, key, range),
      listArrivals(rpc, accounts, { ...range, includesEmptied }),
    ])
    const all = [...named, ...arrivals].reverse()
    const listed = new Map(all.map((each) => [`${each.signature}:${each.slot}`, each]))
    const seen = await inParallel([...listed.values()], async (each) => {
      const landed = await read(rpc, each)
      const paid = landed.moves.accounts.flatMap((account) => byAddress.get(account) ?? [])
      if (!paid.length) return []
      // A block that is not final may be replaced by one of the same slot.
      const block = landed.block ?? (await getBlock(each.slot))
      if (block && each.slot <= finalSlot) landed.block = block
      return block ? paid.flatMap((place) => readPayment(landed.moves, place, { block, listed: each })) : []
    })
    return seen.flat()
  }
}
