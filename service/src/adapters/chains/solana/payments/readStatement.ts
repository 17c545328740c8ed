import {
  type Address,
  decompileTransactionMessage,
  fetchEncodedAccounts,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'
import {
  identifySystemInstruction,
  parseTransferSolInstruction,
  parseTransferSolWithSeedInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  SystemInstruction,
} from '@solana-program/system'
import { findAssociatedTokenPda, parseTransferCheckedInstruction } from '@solana-program/token-2022'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/adoptedWrites.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import type { Statement, StatementInput } from '#base/ports/chain.js'
import { firstKey } from '#base/ports/write.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { isUnsupportedVersion } from '../connection/isUnsupportedVersion.js'
import { guardOf } from '../outbox/guard.js'
import { referencesOf } from '../outbox/memo.js'
import { listSignatures } from './findPayments.js'
import type { PaymentPlace, PaymentTerms } from './paymentTerms.js'
import { unitsOf } from './payOuts.js'
import { readMoves } from './readMoves.js'

/** How many accounts one request reads. */
const accountsAtOnce = 100
/** How many signatures one request asks about. */
const signaturesAtOnce = 256

type Row = typeof solanaTransactions.$inferSelect

/** A transfer out of an order's account, or into it from the operator. */
type Transfer = { source: string; destination: string; units: bigint }

/** Reads a transfer out of an account whose key the operator has, or of its own. */
export const readTransfer = (instruction: Instruction): Transfer | undefined => {
  const { programAddress, accounts, data } = instruction
  if (!accounts || !data) return undefined
  const whole = { programAddress, accounts: [...accounts], data: Uint8Array.from(data) }
  if (programAddress === TOKEN_PROGRAM_ADDRESS) {
    if (data[0] !== transferChecked) return undefined
    const { accounts: named, data: said } = parseTransferCheckedInstruction(whole)
    const { source, destination } = named
    return { source: source.address, destination: destination.address, units: said.amount }
  }
  if (programAddress !== SYSTEM_PROGRAM_ADDRESS) return undefined
  const kind = identifySystemInstruction(whole)
  const isWithSeed = kind === SystemInstruction.TransferSolWithSeed
  if (!isWithSeed && kind !== SystemInstruction.TransferSol) return undefined
  const { accounts: named, data: said } = isWithSeed
    ? parseTransferSolWithSeedInstruction({ ...whole, programAddress })
    : parseTransferSolInstruction({ ...whole, programAddress })
  return { source: named.source.address, destination: named.destination.address, units: said.amount }
}

/** All blocks. */
const always = { fromSlot: 0n, toSlot: 2n ** 64n }

/** The number of the instruction in both token programs. */
const transferChecked = 12

/** Reads a transaction in a block, if the operator paid for it. */
export const readOwn = async (rpc: Rpc<SolanaRpcApi>, operator: Address, signature: Signature) => {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send()
    .catch((error: unknown) => {
      // The operator signs none of a later version.
      if (isUnsupportedVersion(error)) return undefined
      throw error
    })
  if (!found || found.meta?.err !== null) return undefined
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(found.transaction[0]))
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (compiled.staticAccounts[0] !== operator) return undefined
  const { instructions } = decompileTransactionMessage(compiled)
  const accounts = compiled.staticAccounts
  const owners = new Map<string, string>()
  for (const { accountIndex, owner } of found.meta.postTokenBalances ?? []) {
    const account = accounts[accountIndex]
    if (account && owner) owners.set(account, owner)
  }
  return { instructions: instructions as readonly Instruction[], accounts, owners }
}

/**
 * Returns what the operator keeps for an order: rests of coins that were too small to stay in its account, less what the
 * operator has added again. @units lamports
 */
export const readKept = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: Address,
  { account, mint }: PaymentPlace,
): Promise<bigint> => {
  if (mint) return 0n
  let units = 0n
  for (const { signature } of await listSignatures(rpc, account, always)) {
    const own = await readOwn(rpc, operator, signature)
    units += listKept(own?.instructions.flatMap((one) => readTransfer(one) ?? []) ?? [], account)
  }
  return units
}

/**
 * Returns what a payout left with the operator: it takes all before the last transfer out of an account. Negative if
 * the operator added something.
 */
const listKept = (transfers: readonly Transfer[], account: string): bigint => {
  const out = transfers.filter(({ source }) => source === account).slice(0, -1)
  const added = transfers.filter(({ destination }) => destination === account)
  const sum = (some: readonly Transfer[]) => some.reduce((total, { units }) => total + units, 0n)
  return sum(out) - sum(added)
}

const readTransfers = ({ signedTransaction }: Row): Transfer[] => {
  const bytes = getBase64Encoder().encode(signedTransaction)
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
  const instructions: readonly Instruction[] = message.instructions
  return instructions.flatMap((instruction) => readTransfer(instruction) ?? [])
}

/** Reads what a refund took off for the account that it opened: what it paid to the treasury. @units base units */
export const readRefundFee = async (
  db: Database,
  operator: Address,
  { mint, txId }: { mint: Address; txId: string },
): Promise<bigint> => {
  const [row] = await db.select().from(solanaTransactions).where(eq(solanaTransactions.signature, txId))
  if (!row) return 0n
  const [treasury] = await findAssociatedTokenPda({
    owner: operator,
    mint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const fees = readTransfers(row).filter(({ destination }) => destination === treasury)
  return fees.reduce((sum, { units }) => sum + units, 0n)
}

/** Finds the payouts that succeeded, as the chain says, by their first keys. */
const findPayOuts = async (
  { rpc, db }: { rpc: Rpc<SolanaRpcApi>; db: Database },
  chain: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Row>> => {
  if (!keys.length) return new Map()
  const names = new Map(keys.map((key) => [`${chain}:${key}`, key]))
  const rows = await db
    .select()
    .from(solanaTransactions)
    .where(inArray(sql`split_part(${solanaTransactions.key}, '#', 1)`, [...names.keys()]))
  const found = new Map<string, Row>()
  for (let at = 0; at < rows.length; at += signaturesAtOnce) {
    const some = rows.slice(at, at + signaturesAtOnce)
    const { value } = await rpc
      .getSignatureStatuses(
        some.map(({ signature }) => signature as Signature),
        { searchTransactionHistory: true },
      )
      .send()
    for (const [index, row] of some.entries()) {
      const status = value[index]
      const isThere = status && status.err === null && status.confirmationStatus !== 'processed'
      const name = names.get(firstKey(row.key))
      if (isThere && name !== undefined) found.set(name, row)
    }
  }
  return found
}

/** Lists the payouts that the service adopted when its database was restored, and of which it has no bytes. */
const listAdopted = async (
  db: Database,
  chain: string,
  keys: readonly string[],
): Promise<Statement['paidOut'][number][]> => {
  if (!keys.length) return []
  const byReference = new Map(
    keys.flatMap((key) => referencesOf(chain, key).map((one) => [one, key] as const)),
  )
  const rows = await db
    .select()
    .from(adoptedWrites)
    .where(and(eq(adoptedWrites.chain, chain), inArray(adoptedWrites.reference, [...byReference.keys()])))
  return rows.map(({ reference, currency, units }) => ({
    key: byReference.get(reference) ?? '',
    currency: currency ?? '',
    units: BigInt(units ?? 0),
  }))
}

/**
 * Reads how much of what an account holds did not come as a payment: new tokens, which nobody paid. Only the operator
 * can move funds out, and the reference tells a refund or a sweep from a return of unattributed funds.
 */
const readUnattributed = async (
  rpc: Rpc<SolanaRpcApi>,
  { account, mint, references }: PaymentPlace,
  held: bigint,
): Promise<bigint> => {
  const [reference] = references
  let units = 0n
  for (const { signature } of await listSignatures(rpc, account, always)) {
    const moves = await readMoves(rpc, signature)
    if (!moves) continue
    const change = moves.change(account, mint)
    const isPayment = moves.into(account, mint) !== undefined
    const isAttributed = isPayment || (change <= 0n && moves.accounts.includes(reference))
    if (!isAttributed) units += change
  }
  if (units <= 0n) return 0n
  return units < held ? units : held
}

const listPlaces = async (terms: PaymentTerms, input: StatementInput): Promise<PaymentPlace[]> =>
  (await Promise.all(input.map(({ orderId }) => terms.holdingPlacesOf(orderId)))).flat()

/** Returns the treasury's accounts, each with its currency. Refunds after a sweep leave from them. */
const listTreasury = async ({ operator, currencies }: PaymentTerms): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      currencies.map(async ({ currency, address }): Promise<[string, string]> => {
        if (address === undefined) return [operator, currency]
        const mint = address as Address
        const [ata] = await findAssociatedTokenPda({
          owner: operator,
          mint,
          tokenProgram: TOKEN_PROGRAM_ADDRESS,
        })
        return [ata, currency]
      }),
    ),
  )

/** Asks the chain what it holds for orders and what it has paid out. */
export const readStatement = async (
  { rpc, db, chain }: { rpc: Rpc<SolanaRpcApi>; db: Database; chain: string },
  terms: PaymentTerms,
  input: StatementInput,
): Promise<Statement> => {
  const places = await listPlaces(terms, input)
  const keys = input.flatMap(({ payOutKeys }) => payOutKeys)
  const payOuts = await findPayOuts({ rpc, db }, chain, keys)
  const byAccount = new Map<string, PaymentPlace>(places.map((place) => [place.account, place]))
  const treasury = await listTreasury(terms)
  const kept = new Map<string, bigint>()
  const keep = (account: string, units: bigint) => kept.set(account, (kept.get(account) ?? 0n) + units)
  const unsigned = keys.filter((key) => !payOuts.has(key))
  const paidOut = await listAdopted(db, chain, unsigned)
  for (const [key, row] of payOuts) {
    const guard: string = guardOf(terms.operator, row.key).address
    // The operator lends its guard the rent.
    const transfers = readTransfers(row).filter(({ destination }) => destination !== guard)
    // A refund may be of two transfers: to the recipient, and of what is taken off for its account.
    const sums = new Map<string, bigint>()
    for (const transfer of transfers) {
      const { source, destination, units } = transfer
      const from = byAccount.get(source)
      const currency = from ? from.currency : treasury.get(source)
      // What the operator took before the payout of coins, or added: see `payOuts.ts`.
      if (from && !from.mint && transfer !== transfers.at(-1)) keep(source, units)
      else if (!from && byAccount.has(destination)) keep(destination, -units)
      else if (currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0n) + units)
    }
    for (const [currency, units] of sums) paidOut.push({ key, currency, units })
  }
  const held: { orderId: string; currency: string; units: bigint }[] = []
  const unattributedFunds: { orderId: string; currency: string; units: bigint }[] = []
  // The accounts of one order come in one answer, which is of one block.
  const atOnce = Math.max(1, Math.floor(accountsAtOnce / terms.currencies.length)) * terms.currencies.length
  for (let at = 0; at < places.length; at += atOnce) {
    const some = places.slice(at, at + atOnce)
    const addresses = some.map(({ account }) => account)
    const accounts = await fetchEncodedAccounts(rpc, addresses, { commitment: 'confirmed' })
    for (const [index, place] of some.entries()) {
      const { orderId, currency } = place
      const all = unitsOf(accounts[index], place)
      const other = all === 0n ? 0n : await readUnattributed(rpc, place, all)
      const own = all - other + (kept.get(place.account) ?? 0n)
      if (own !== 0n) held.push({ orderId, currency, units: own })
      if (other !== 0n) unattributedFunds.push({ orderId, currency, units: other })
    }
  }
  return { held, unattributedFunds, paidOut, credited: [] }
}
