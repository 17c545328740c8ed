import {
  type Address,
  decompileTransactionMessage,
  type EncodedAccount,
  fetchEncodedAccounts,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type MaybeEncodedAccount,
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
import {
  decodeToken,
  findAssociatedTokenPda,
  parseTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../db/database.js'
import { solanaTransactions } from '../../../db/tables/solanaTransactions.js'
import type { Statement, StatementInput } from '../../../ports/chain.js'
import { firstKey } from '../../../ports/write.js'
import { deriveReference, TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { guardOf } from '../outbox/guard.js'
import { listSignatures } from './findPayments.js'
import { getPaymentPlace, type PaymentPlace, type PaymentTerms } from './paymentTerms.js'
import { readMoves } from './readMoves.js'

/** How many accounts one request reads. */
const accountsAtOnce = 100
/** How many signatures one request asks about. */
const signaturesAtOnce = 256

type Place = PaymentPlace & { orderId: string; currency: string }
type Row = typeof solanaTransactions.$inferSelect

/** A transfer out of an order's account, or into it from the operator. */
type Transfer = { source: string; destination: string; units: bigint }

const readTransfer = (instruction: Instruction): Transfer | undefined => {
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

/** The number of the instruction in both token programs. */
const transferChecked = 12

const readTransfers = ({ signedTransaction }: Row): Transfer[] => {
  const bytes = getBase64Encoder().encode(signedTransaction)
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
  const instructions: readonly Instruction[] = message.instructions
  return instructions.flatMap((instruction) => readTransfer(instruction) ?? [])
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

const unitsOf = (account: MaybeEncodedAccount | undefined, { mint }: Place): bigint => {
  if (!account?.exists) return 0n
  if (!mint) return account.lamports
  const isTokens = account.programAddress === TOKEN_PROGRAM_ADDRESS
  return isTokens ? decodeToken(account as EncodedAccount).data.amount : 0n
}

/**
 * Reads how much of what an account holds did not come as a payment. A payment names the order's reference and the
 * deployment's key, as the search for payments requires. Only the operator can move funds out, and the reference
 * tells a refund or a sweep from a return of unattributed funds.
 */
const readUnattributed = async (
  rpc: Rpc<SolanaRpcApi>,
  { account, mint, references }: Place,
  held: bigint,
): Promise<bigint> => {
  const [reference, deployment] = references
  let units = 0n
  const always = { fromSlot: 0n, toSlot: 2n ** 64n }
  for (const { signature } of await listSignatures(rpc, account.address, always)) {
    const moves = await readMoves(rpc, signature)
    if (!moves) continue
    const change = moves.change(account.address, mint)
    const isPayment = moves.accounts.includes(deployment) && moves.into(account.address, mint) !== undefined
    const isAttributed = moves.accounts.includes(reference) && (change <= 0n || isPayment)
    if (!isAttributed) units += change
  }
  if (units <= 0n) return 0n
  return units < held ? units : held
}

const listPlaces = (terms: PaymentTerms, input: StatementInput): Place[] =>
  input.flatMap(({ orderId }) => {
    const reference = deriveReference(terms.operator, orderId)
    return terms.currencies.flatMap(({ currency }) => {
      const place = getPaymentPlace(terms, { reference, currency })
      return place ? [{ ...place, orderId, currency }] : []
    })
  })

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
  world: { rpc: Rpc<SolanaRpcApi>; db: Database },
  chain: string,
  terms: PaymentTerms,
  input: StatementInput,
): Promise<Statement> => {
  const { rpc } = world
  const places = listPlaces(terms, input)
  const payOuts = await findPayOuts(
    world,
    chain,
    input.flatMap(({ payOutKeys }) => payOutKeys),
  )
  const byAccount = new Map<string, Place>(places.map((place) => [place.account.address, place]))
  const treasury = await listTreasury(terms)
  const added = new Map<string, bigint>()
  const paidOut: Statement['paidOut'][number][] = []
  for (const [key, row] of payOuts) {
    const guard: string = guardOf(terms.operator, row.key).address
    for (const { source, destination, units } of readTransfers(row)) {
      // The operator lends its guard the rent.
      if (destination === guard) continue
      const from = byAccount.get(source)
      const isAdded = !from && byAccount.has(destination)
      // What the operator added, so that a rest could stay: see `payOuts.ts`.
      if (isAdded) added.set(destination, (added.get(destination) ?? 0n) + units)
      const currency = from ? from.currency : treasury.get(source)
      if (!isAdded && currency !== undefined) paidOut.push({ key, currency, units })
    }
  }
  const held: { orderId: string; currency: string; units: bigint }[] = []
  const unattributedFunds: { orderId: string; currency: string; units: bigint }[] = []
  // The accounts of one order come in one answer, which is of one block.
  const atOnce = Math.max(1, Math.floor(accountsAtOnce / terms.currencies.length)) * terms.currencies.length
  for (let at = 0; at < places.length; at += atOnce) {
    const some = places.slice(at, at + atOnce)
    const addresses = some.map(({ account }): Address => account.address)
    const accounts = await fetchEncodedAccounts(rpc, addresses, { commitment: 'confirmed' })
    for (const [index, place] of some.entries()) {
      const { orderId, currency } = place
      const all = unitsOf(accounts[index], place)
      if (all === 0n) continue
      const other = await readUnattributed(rpc, place, all)
      const own = all - other - (added.get(place.account.address) ?? 0n)
      if (own !== 0n) held.push({ orderId, currency, units: own })
      if (other !== 0n) unattributedFunds.push({ orderId, currency, units: other })
    }
  }
  return { held, unattributedFunds, paidOut, credited: [] }
}
