import {
  AccountRole,
  type Address,
  fetchEncodedAccount,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import { getTransferSolInstruction, getTransferSolWithSeedInstruction } from '@solana-program/system'
import {
  fetchMaybeToken,
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { PaymentPlace } from './paymentTerms.js'

/** The size of an account of the Token program. @units bytes */
export const tokenSize = 165n

/** Reads what an order's account holds. @units base units */
export const readHeld = async (rpc: Rpc<SolanaRpcApi>, { account, mint }: PaymentPlace): Promise<bigint> => {
  if (!mint) return (await rpc.getBalance(account.address, { commitment: 'confirmed' }).send()).value
  const tokens = await fetchMaybeToken(rpc, account.address, { commitment: 'confirmed' })
  return tokens.exists ? tokens.data.amount : 0n
}

/** Returns the rent of the token account that a payout would open for its recipient. @units lamports */
export const estimateRent = async (
  rpc: Rpc<SolanaRpcApi>,
  { mint }: PaymentPlace,
  owner: Address,
): Promise<bigint> => {
  if (!mint) return 0n
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const { exists } = await fetchEncodedAccount(rpc, ata, { commitment: 'confirmed' })
  return exists ? 0n : rpc.getMinimumBalanceForRentExemption(tokenSize).send()
}

const payOutTokens = async (
  operator: KeyPairSigner,
  { account, decimals }: PaymentPlace,
  mint: Address,
  { units, recipient }: { units: bigint; recipient: Address },
): Promise<Instruction[]> => {
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const [ata] = await findAssociatedTokenPda({ owner: recipient, mint, tokenProgram })
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer: operator, ata, owner: recipient, mint, tokenProgram },
    }),
    getTransferCheckedInstruction(
      { source: account.address, mint, destination: ata, authority: operator, amount: units, decimals },
      { programAddress: tokenProgram },
    ),
  ]
}

/**
 * Creates the instructions that pay out of an order's account. An account must hold what its existence costs or
 * nothing, so the operator adds what a smaller rest lacks: otherwise one lamport too much would hold back the
 * proceeds.
 */
const payOutCoins = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: KeyPairSigner,
  place: PaymentPlace,
  { units, recipient }: { units: bigint; recipient: Address },
): Promise<Instruction[]> => {
  const { address: source, seed, programAddress } = place.account
  const [held, rent] = await Promise.all([
    readHeld(rpc, place),
    rpc.getMinimumBalanceForRentExemption(0n).send(),
  ])
  const rest = held - units
  const amount = rest > 0n && rest < rent ? rent - rest : 0n
  return [
    ...(amount > 0n ? [getTransferSolInstruction({ source: operator, destination: source, amount })] : []),
    getTransferSolWithSeedInstruction({
      ...{ source, baseAccount: operator, destination: recipient, amount: units },
      ...{ fromSeed: seed, fromOwner: programAddress },
    }),
  ]
}

/**
 * Creates the instructions of a refund that the treasury pays. The last one names the place of the refund, by which
 * the transaction is found again.
 */
export const createTreasuryRefund = async (
  operator: KeyPairSigner,
  { mint, decimals, references }: PaymentPlace,
  { units, recipient }: { units: bigint; recipient: Address },
): Promise<Instruction[]> => {
  const reference = { address: references[0], role: AccountRole.READONLY }
  const name = (transfer: Instruction): Instruction => ({
    ...transfer,
    accounts: [...(transfer.accounts ?? []), reference],
  })
  if (!mint) {
    return [name(getTransferSolInstruction({ source: operator, destination: recipient, amount: units }))]
  }
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const [[ata], [source]] = await Promise.all([
    findAssociatedTokenPda({ owner: recipient, mint, tokenProgram }),
    findAssociatedTokenPda({ owner: operator.address, mint, tokenProgram }),
  ])
  const transfer = getTransferCheckedInstruction(
    { source, mint, destination: ata, authority: operator, amount: units, decimals },
    { programAddress: tokenProgram },
  )
  const opening = getCreateAssociatedTokenIdempotentInstruction({
    ...{ payer: operator, ata, owner: recipient, mint, tokenProgram },
  })
  return [opening, name(transfer)]
}

/**
 * Creates the instructions of a refund or a sweep. They name the order's reference, as its payments do, which
 * distinguishes them from transfers of what paid for nothing.
 */
export const createPayOut = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: KeyPairSigner,
  place: PaymentPlace,
  input: { units: bigint; recipient: Address; isAttributed: boolean; isLast: boolean },
): Promise<Instruction[]> => {
  const instructions = place.mint
    ? await payOutTokens(operator, place, place.mint, input)
    : await payOutCoins(rpc, operator, place, input)
  const last = instructions.at(-1)
  if (!last || !input.isAttributed) return instructions
  const reference = { address: place.references[0], role: AccountRole.READONLY }
  const attributed = { ...last, accounts: [...(last.accounts ?? []), reference] }
  return [...instructions.slice(0, -1), attributed, ...(input.isLast ? closeTokens(operator, place) : [])]
}

/** Creates the instruction that closes an empty token account. Its rent goes back to the operator. */
export const closeTokens = (operator: KeyPairSigner, { account, mint }: PaymentPlace): Instruction[] => {
  if (!mint) return []
  const closing = { account: account.address, destination: operator.address, owner: operator }
  return [getCloseAccountInstruction(closing, { programAddress: TOKEN_PROGRAM_ADDRESS })]
}
