import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createNoopSigner,
  createTransactionMessage,
  fetchEncodedAccounts,
  getBase64Decoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  decodeToken,
  findAssociatedTokenPda,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { listMissing, type PaymentEstimate, toMemo } from 'kassa/engine'
import { ServiceError } from '#base/errors.js'
import type { EstimatePaymentsInput, PreparedPayment, PreparePaymentInput } from '#base/ports/chain.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { PaymentPlace } from './paymentTerms.js'

/** The fee of a payment: one signature. Wallets add a priority fee of their own. @units lamports */
const feeLamports = 5_000n

const withReferences = (instruction: Instruction, references: readonly Address[]): Instruction => ({
  ...instruction,
  accounts: [
    ...(instruction.accounts ?? []),
    ...references.map((address) => ({ address, role: AccountRole.READONLY })),
  ],
})

const createTransfer = async (
  { account, mint, decimals, references }: PaymentPlace,
  payer: Address,
  units: bigint,
): Promise<Instruction> => {
  const source = createNoopSigner(payer)
  const destination = account
  if (!mint) {
    return withReferences(getTransferSolInstruction({ source, destination, amount: units }), references)
  }
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const [tokens] = await findAssociatedTokenPda({ owner: payer, mint, tokenProgram })
  const transfer = getTransferCheckedInstruction(
    { source: tokens, mint, destination, authority: source, amount: units, decimals },
    { programAddress: tokenProgram },
  )
  return withReferences(transfer, references)
}

/** A payment in one currency, and where the order is paid in it. */
type PlacedPayment = { place: PaymentPlace; currency: string; units: bigint }

/** What a payer holds: coins, and tokens of each mint. */
type Funds = { lamports: bigint; tokens: ReadonlyMap<Address, bigint> }

/** Reads, in one request, what a payer holds of coins and of the payments' tokens. */
const readFunds = async (
  rpc: Rpc<SolanaRpcApi>,
  owner: Address,
  payments: readonly PlacedPayment[],
): Promise<Funds> => {
  const mints = payments.flatMap(({ place }) => place.mint ?? [])
  const owned = await Promise.all(
    mints.map((mint) => findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })),
  )
  const addresses = [owner, ...owned.map(([address]) => address)]
  const [payer, ...accounts] = await fetchEncodedAccounts(rpc, addresses, { commitment: 'confirmed' })
  const tokens = accounts.map((account, at): [Address, bigint] => {
    const mint = mints[at] ?? owner
    return [mint, account.exists ? decodeToken(account).data.amount : 0n]
  })
  return { lamports: payer?.exists ? payer.lamports : 0n, tokens: new Map(tokens) }
}

const balanceOf = ({ lamports, tokens }: Funds, { mint }: PaymentPlace): bigint =>
  mint ? (tokens.get(mint) ?? 0n) : lamports

/** Lists what the payer lacks. An account is either emptied, or keeps what its existence costs. */
const listLacks = (
  funds: Funds,
  { place, currency, units }: PlacedPayment,
  { rent, fee }: { rent: bigint; fee: bigint },
) =>
  listMissing(
    'sol',
    { balance: balanceOf(funds, place), native: funds.lamports },
    { currency, units, fee, least: rent },
  )

const readRent = (rpc: Rpc<SolanaRpcApi>) => rpc.getMinimumBalanceForRentExemption(0n).send()

/** Reads what an account must keep, in lamports, and what a payer holds. */
const readTerms = (rpc: Rpc<SolanaRpcApi>, payer: Address, payments: readonly PlacedPayment[]) =>
  Promise.all([readRent(rpc), readFunds(rpc, payer, payments)])

/** Whether a payment in coins is less than an account on Solana may hold. */
const isTooSmall = ({ place, units }: PlacedPayment, rent: bigint): boolean => !place.mint && units < rent

const feeOf = ({ isGasPaidByOthers }: Pick<PreparePaymentInput, 'isGasPaidByOthers'>): bigint =>
  isGasPaidByOthers ? 0n : feeLamports

/**
 * Estimates what payments of an order would take of a payer.
 *
 * @returns `undefined` for a payment in coins that is less than an account on Solana may hold.
 */
export const estimatePayments = async (
  rpc: Rpc<SolanaRpcApi>,
  payments: readonly PlacedPayment[],
  input: Pick<EstimatePaymentsInput, 'payer' | 'isGasPaidByOthers'>,
): Promise<(PaymentEstimate | undefined)[]> => {
  const fee = feeOf(input)
  const [rent, funds] =
    input.payer === undefined ? [await readRent(rpc)] : await readTerms(rpc, input.payer as Address, payments)
  return payments.map((payment) => {
    if (isTooSmall(payment, rent)) return undefined
    if (!funds) return { fee }
    const missing = listLacks(funds, payment, { rent, fee })
    return { fee, funds: { balance: balanceOf(funds, payment.place), missing } }
  })
}

/**
 * Builds the message of the transaction that pays for an order, or reports which funds the payer lacks. It is
 * valid for about a minute.
 *
 * @throws {ServiceError} `input-invalid` if the amount is less than an account on Solana may hold.
 */
export const preparePayment = async (
  rpc: Rpc<SolanaRpcApi>,
  { place, openAccount }: { place: PaymentPlace; openAccount: () => Promise<void> },
  input: PreparePaymentInput,
): Promise<PreparedPayment> => {
  const { orderId, currency, units } = input
  const payer = input.payer as Address
  const payment = { place, currency, units }
  const [rent, funds] = await readTerms(rpc, payer, [payment])
  if (isTooSmall(payment, rent)) {
    const message = `payment.currency: ${currency} accepts no payment under ${rent} lamports on solana`
    throw new ServiceError('input-invalid', message)
  }
  if (balanceOf(funds, place) < units) return { status: 'insufficient-funds' }
  if (listLacks(funds, payment, { rent, fee: feeOf(input) }).length) {
    return { status: 'insufficient-funds-for-gas' }
  }
  await openAccount()
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  // Readers of Solana Pay expect the transfer last.
  const instructions = [
    getAddMemoInstruction({ memo: toMemo(orderId) }),
    await createTransfer(place, payer, units),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const bytes = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message))
  return { status: 'ready', serializedTransaction: getBase64Decoder().decode(bytes) }
}
