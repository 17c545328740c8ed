import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createNoopSigner,
  createTransactionMessage,
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
  fetchMaybeToken,
  findAssociatedTokenPda,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { ServiceError } from '../../../errors.js'
import type { PreparedPayment, PreparePaymentInput } from '../../../ports/chain.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { PaymentPlace } from './paymentTerms.js'

/** The fee of a payment: one signature. Wallets add a priority fee of their own. @units lamports */
const feeLamports = 5_000n

/** The memo of an order's payment, which the buyer sees in the wallet. */
const toMemo = (orderId: string): string => `Order ${orderId}`

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
  const destination = account.address
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

type Funds = { lamports: bigint; units: bigint }

const readFunds = async (
  rpc: Rpc<SolanaRpcApi>,
  payer: Address,
  mint: Address | undefined,
): Promise<Funds> => {
  const { value: lamports } = await rpc.getBalance(payer, { commitment: 'confirmed' }).send()
  if (!mint) return { lamports, units: lamports }
  const [address] = await findAssociatedTokenPda({ owner: payer, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const tokens = await fetchMaybeToken(rpc, address, { commitment: 'confirmed' })
  return { lamports, units: tokens.exists ? tokens.data.amount : 0n }
}

const readShortage = (
  { lamports, units }: Funds,
  asked: { units: bigint; isCoins: boolean; rent: bigint; isFeePaidByOthers: boolean },
): PreparedPayment['status'] => {
  if (units < asked.units) return 'insufficient-funds'
  const rest = lamports - (asked.isCoins ? asked.units : 0n) - (asked.isFeePaidByOthers ? 0n : feeLamports)
  // An account is either emptied, or keeps what its existence costs.
  return rest === 0n || rest >= asked.rent ? 'ready' : 'insufficient-funds-for-gas'
}

/**
 * Builds the message of the transaction that pays for an order, or reports which funds the payer lacks. It is
 * valid for about a minute.
 *
 * @throws {ServiceError} `input-invalid` if the amount is less than an account on Solana may hold.
 */
export const preparePayment = async (
  rpc: Rpc<SolanaRpcApi>,
  place: PaymentPlace,
  { orderId, payer: given, units, currency, isGasPaidByOthers = false }: PreparePaymentInput,
  openAccount: () => Promise<void>,
): Promise<PreparedPayment> => {
  const payer = given as Address
  const rent = await rpc.getMinimumBalanceForRentExemption(0n).send()
  if (!place.mint && units < rent) {
    const message = `payment.currency: ${currency} takes no payment under ${rent} lamports on solana`
    throw new ServiceError('input-invalid', message)
  }
  const funds = await readFunds(rpc, payer, place.mint)
  const asked = { units, rent, isCoins: !place.mint, isFeePaidByOthers: isGasPaidByOthers }
  const status = readShortage(funds, asked)
  if (status !== 'ready') return { status }
  await openAccount()
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const instructions = [
    await createTransfer(place, payer, units),
    getAddMemoInstruction({ memo: toMemo(orderId) }),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const bytes = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message))
  return { status, serializedTransaction: getBase64Decoder().decode(bytes) }
}
