import {
  AccountRole,
  type Address,
  type EncodedAccount,
  fetchEncodedAccount,
  getBase64Encoder,
  type Instruction,
  type KeyPairSigner,
  type MaybeEncodedAccount,
  type Rpc,
  type SolanaRpcApi,
  type TransactionSigner,
} from '@solana/kit'
import { getTransferSolInstruction, getTransferSolWithSeedInstruction } from '@solana-program/system'
import {
  AccountState,
  decodeToken,
  fetchMaybeToken,
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTokenDecoder,
  getTransferCheckedInstruction,
  type Token,
} from '@solana-program/token-2022'
import { ServiceError } from '#base/errors.js'
import type { Operator } from '../chainParts.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { PaymentAccount, PaymentPlace } from './paymentTerms.js'

/** The size of an account of the Token program. @units bytes */
export const tokenSize = 165n

/** The keys that move what orders were paid. */
export type Keys = { operator: KeyPairSigner } & Pick<Operator, 'signerOf'>

/** Returns whose signature moves what an account of an order holds. */
const authorityOf = ({ operator, signerOf }: Keys, { seed, orderId }: PaymentPlace): TransactionSigner =>
  seed ? operator : signerOf(orderId)

/** Reads what an order's account holds. @units base units */
export const readHeld = async (rpc: Rpc<SolanaRpcApi>, { account, mint }: PaymentPlace): Promise<bigint> => {
  if (!mint) return (await rpc.getBalance(account, { commitment: 'confirmed' }).send()).value
  const tokens = await fetchMaybeToken(rpc, account, { commitment: 'confirmed' })
  return tokens.exists ? tokens.data.amount : 0n
}

/** Returns what an order's account holds, as a node shows it. @units base units */
export const unitsOf = (account: MaybeEncodedAccount | undefined, { mint }: PaymentAccount): bigint => {
  if (!account?.exists) return 0n
  if (!mint) return account.lamports
  const isTokens = account.programAddress === TOKEN_PROGRAM_ADDRESS
  return isTokens ? decodeToken(account as EncodedAccount).data.amount : 0n
}

const isUsable = (data: Token, owner: Address): boolean =>
  data.owner === owner && data.state === AccountState.Initialized

/**
 * Finds the account of an owner that a payout in a token goes to: the associated one, or else another one in which the
 * owner holds that token, as a payer may have paid from one. If there is none, the associated one has to be opened.
 */
const findDestination = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: Address,
  { mint, owner }: { mint: Address; owner: Address },
): Promise<{ address: Address; isOpen: boolean }> => {
  const commitment = 'confirmed'
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const account = await fetchEncodedAccount(rpc, address, { commitment })
  const isToken = account.exists && account.programAddress === TOKEN_PROGRAM_ADDRESS
  if (isToken && isUsable(decodeToken(account).data, owner)) return { address, isOpen: true }
  // The operator's others are those of orders from before orders had keys.
  if (owner === operator) return { address, isOpen: false }
  const { value } = await rpc
    .getTokenAccountsByOwner(owner, { mint }, { commitment, encoding: 'base64' })
    .send()
  const other = value.find(({ account: { data } }) =>
    isUsable(getTokenDecoder().decode(getBase64Encoder().encode(data[0])), owner),
  )
  return other ? { address: other.pubkey, isOpen: true } : { address, isOpen: false }
}

/** Returns the rent of the token account that a payout would open for its recipient. @units lamports */
export const estimateRent = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: Address,
  { mint, owner }: { mint: Address | undefined; owner: Address },
): Promise<bigint> => {
  if (!mint || (await findDestination(rpc, operator, { mint, owner })).isOpen) return 0n
  return rpc.getMinimumBalanceForRentExemption(tokenSize).send()
}

/** A node, and the operator who pays out. */
type Treasury = { rpc: Rpc<SolanaRpcApi>; operator: KeyPairSigner }

/** The same, with the keys of orders. */
type Payer = Treasury & Keys

/** How much goes where. */
type Transfer = {
  units: bigint
  recipient: Address
  /** What a recipient bears whose account has to be opened. Undefined if the operator does. @units base units */
  feeUnits?: bigint | undefined
}

/** Where a payout in a token leaves from, and whose signature moves it. */
type TokenSource = { source: Address; authority: TransactionSigner; mint: Address; decimals: number }

const createTokenTransfer = async (
  { rpc, operator }: Treasury,
  { source, authority, mint, decimals }: TokenSource,
  { units, recipient, feeUnits }: Transfer,
): Promise<Instruction[]> => {
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const owned = { mint, owner: recipient }
  const { address: destination, isOpen } = await findDestination(rpc, operator.address, owned)
  const move = (to: Address, amount: bigint) =>
    getTransferCheckedInstruction(
      { source, mint, destination: to, authority, amount, decimals },
      { programAddress: tokenProgram },
    )
  // Nothing is opened then, so that a recipient who closes the account meanwhile gains nothing.
  if (isOpen) return [move(destination, units)]
  const open = (ata: Address, owner: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({ payer: operator, ata, owner, mint, tokenProgram })
  if (feeUnits === undefined) return [open(destination, recipient), move(destination, units)]
  if (feeUnits <= 0n || feeUnits >= units) {
    const message = `${recipient} has no account for ${mint}, which costs more than it receives`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
  }
  const [treasury] = await findAssociatedTokenPda({ owner: operator.address, mint, tokenProgram })
  return [
    open(treasury, operator.address),
    open(destination, recipient),
    move(treasury, feeUnits),
    move(destination, units - feeUnits),
  ]
}

/**
 * Creates the instructions that pay out of an order's account, the payout last. An account must hold what its existence
 * costs or nothing. The operator takes a smaller rest, and adds it again when it is paid out: otherwise one lamport too
 * much would hold back the proceeds, or cost the operator what the rest lacks. Of what belongs to no order, the rest
 * stays, because the operator who sends it asked for that.
 */
const payOutCoins = async (
  keys: Payer,
  place: PaymentPlace,
  { units, recipient, isAttributed }: { units: bigint; recipient: Address; isAttributed: boolean },
): Promise<Instruction[]> => {
  const { account, seed } = place
  const { rpc, operator } = keys
  const [held, rent] = await Promise.all([
    readHeld(rpc, place),
    rpc.getMinimumBalanceForRentExemption(0n).send(),
  ])
  const rest = held - units
  const isSmall = rest > 0n && rest < rent
  const missing = rest < 0n ? -rest : isSmall && !isAttributed ? rent - rest : 0n
  const move = (destination: Address, amount: bigint) =>
    seed
      ? getTransferSolWithSeedInstruction({
          source: account,
          baseAccount: operator,
          destination,
          amount,
          fromSeed: seed.seed,
          fromOwner: seed.programAddress,
        })
      : getTransferSolInstruction({ source: authorityOf(keys, place), destination, amount })
  return [
    ...(missing > 0n
      ? [getTransferSolInstruction({ source: operator, destination: account, amount: missing })]
      : []),
    ...(isSmall && isAttributed ? [move(operator.address, rest)] : []),
    move(recipient, units),
  ]
}

/**
 * Creates the instructions of a refund that the treasury pays. The last one names the place of the refund, by which
 * the transaction is found again.
 */
export const createTreasuryRefund = async (
  from: Treasury,
  { mint, decimals, references }: PaymentPlace,
  transfer: Transfer,
): Promise<Instruction[]> => {
  const { operator } = from
  const reference = { address: references[0], role: AccountRole.READONLY }
  const name = (instruction: Instruction): Instruction => ({
    ...instruction,
    accounts: [...(instruction.accounts ?? []), reference],
  })
  if (!mint) {
    const { units, recipient } = transfer
    return [name(getTransferSolInstruction({ source: operator, destination: recipient, amount: units }))]
  }
  const [source] = await findAssociatedTokenPda({
    owner: operator.address,
    mint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const token = { source, authority: operator, mint, decimals }
  const instructions = await createTokenTransfer(from, token, transfer)
  const last = instructions.at(-1)
  return last ? [...instructions.slice(0, -1), name(last)] : []
}

/**
 * Creates the instructions of a refund or a sweep. They name the order's reference, as its payments do, which
 * distinguishes them from transfers of what paid for nothing.
 */
export const createPayOut = async (
  keys: Payer,
  place: PaymentPlace,
  input: Transfer & { isAttributed: boolean; isLast: boolean },
): Promise<Instruction[]> => {
  const { account: source, mint, decimals } = place
  const authority = authorityOf(keys, place)
  const instructions = mint
    ? await createTokenTransfer(keys, { source, authority, mint, decimals }, input)
    : await payOutCoins(keys, place, input)
  const last = instructions.at(-1)
  if (!last || !input.isAttributed) return instructions
  const reference = { address: place.references[0], role: AccountRole.READONLY }
  const attributed = { ...last, accounts: [...(last.accounts ?? []), reference] }
  return [...instructions.slice(0, -1), attributed, ...(input.isLast ? closeTokens(keys, place) : [])]
}

/** Creates the instruction that closes an empty token account. Its rent goes back to the operator. */
export const closeTokens = (keys: Keys, place: PaymentPlace): Instruction[] => {
  if (!place.mint) return []
  const { account } = place
  const closing = { account, destination: keys.operator.address, owner: authorityOf(keys, place) }
  return [getCloseAccountInstruction(closing, { programAddress: TOKEN_PROGRAM_ADDRESS })]
}
