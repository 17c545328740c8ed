import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import type { Log } from '../../../deps.js'
import type { BlockRef, SeenPayment } from '../../../ports/chain.js'
import { derivePaymentsKey } from '../connection/derivedAddresses.js'
import { getPaymentPlace, type PaymentTerms } from './paymentTerms.js'
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

/** More transactions than one pass reads again. */
const maxKnown = 20_000

/** A landed transaction, and its block once that is final. */
type Landed = { moves: Moves; block: BlockRef | undefined }

type GetBlock = (slot: bigint) => Promise<BlockRef | undefined>

/**
 * Creates the search for payments: transactions that name the deployment's key and an order's reference, and put
 * something into the order's own account. What they are reported to be plays no part.
 */
export const createPaymentSearch = (terms: PaymentTerms, log: Pick<Log, 'error'>) => {
  const key = derivePaymentsKey(terms.operator)
  // Every pass sees the transactions of some minutes again, and they never change.
  const known = new Map<string, Landed>()

  const read = async (rpc: Rpc<SolanaRpcApi>, { signature, slot }: Listed): Promise<Landed> => {
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
    const landed = { moves, block: undefined }
    // A map lists its entries in the order of their insertion.
    const [oldest] = known.keys()
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
    known.set(id, landed)
    return landed
  }

  return async (
    rpc: Rpc<SolanaRpcApi>,
    getBlock: GetBlock,
    input: { fromBlock: bigint; toBlock: bigint; targets: readonly string[] },
  ): Promise<SeenPayment[]> => {
    const range = { fromSlot: input.fromBlock, toSlot: input.toBlock }
    const targets = new Set(input.targets)
    const [finalSlot, signatures] = await Promise.all([
      rpc.getSlot({ commitment: 'finalized' }).send(),
      listSignatures(rpc, key, range),
    ])
    const seen: SeenPayment[] = []
    for (const listed of signatures.reverse()) {
      const landed = await read(rpc, listed)
      const named = landed.moves.accounts.filter((address) => targets.has(address))
      if (!named.length) continue
      // A block that is not final may be replaced by one of the same slot.
      const block = landed.block ?? (await getBlock(listed.slot))
      if (block && listed.slot <= finalSlot) landed.block = block
      if (!block) continue
      for (const target of named) seen.push(...readPayments(terms, landed.moves, { target, block, listed }))
    }
    return seen
  }
}

const readPayments = (
  terms: PaymentTerms,
  moves: Moves,
  { target, block, listed }: { target: Address; block: BlockRef; listed: Listed },
): SeenPayment[] =>
  terms.currencies.flatMap(({ currency }, logIndex) => {
    const place = getPaymentPlace(terms, { reference: target, currency })
    const move = place && moves.into(place.account.address, place.mint)
    if (!move) return []
    const { signers } = moves
    return [{ txId: listed.signature, logIndex, block, ...move, signers, currency, target }]
  })
