import { createHash } from 'node:crypto'
import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getU32Decoder,
  type MaybeEncodedAccount,
  type Transaction,
} from '@solana/kit'
import {
  ADVANCE_NONCE_ACCOUNT_DISCRIMINATOR,
  getNonceDecoder,
  getNonceSize,
  NonceState,
  NonceVersion,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import type { LiteSVM } from 'litesvm'

/** Where a nonce account holds its nonce. */
const nonceAt = 40

/** What a nonce account holds. */
export type NonceData = { authority: Address; nonce: Address; lamportsPerSignature: bigint }

/** Reads a nonce account, or returns `undefined` if the account is none or was not initialized. */
export const readNonce = (account: EncodedAccount | MaybeEncodedAccount): NonceData | undefined => {
  if (('exists' in account && !account.exists) || account.programAddress !== SYSTEM_PROGRAM_ADDRESS)
    return undefined
  if (account.data.length !== getNonceSize()) return undefined
  const { version, state, authority, blockhash, lamportsPerSignature } = getNonceDecoder().decode(
    account.data,
  )
  if (version !== NonceVersion.Current || state !== NonceState.Initialized) return undefined
  return { authority, nonce: blockhash, lamportsPerSignature }
}

/** Returns the nonce that an account gets by an advance while a blockhash is the latest. */
const nextNonce = (blockhash: string): Buffer =>
  createHash('sha256')
    .update('DURABLE_NONCE')
    .update(Uint8Array.from(getBase58Encoder().encode(blockhash)))
    .digest()

/** The nonce account that a transaction advances by its first instruction, who signs for it, and its lifetime. */
const readNonceAdvance = ({ messageBytes }: Pick<Transaction, 'messageBytes'>) => {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) return undefined
  const [first] = message.instructions
  if (!first?.data || message.staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM_ADDRESS) {
    return undefined
  }
  const { data, accountIndices = [] } = first
  const isAdvance = data.length >= 4 && getU32Decoder().decode(data) === ADVANCE_NONCE_ACCOUNT_DISCRIMINATOR
  const address = message.staticAccounts[accountIndices[0] ?? -1]
  if (!isAdvance || address === undefined) return undefined
  const signers = accountIndices
    .filter((index) => index < message.header.numSignerAccounts)
    .flatMap((index) => message.staticAccounts[index] ?? [])
  return { address, signers, lifetime: message.lifetimeToken }
}

/**
 * Returns the nonce account whose nonce is the lifetime of a transaction, or `undefined` if there is none: the
 * account must hold the nonce, and its authority must sign.
 */
export const findNonceAccount = (
  machine: LiteSVM,
  transaction: Pick<Transaction, 'messageBytes'>,
): Address | undefined => {
  const advance = readNonceAdvance(transaction)
  if (!advance) return undefined
  const { address, signers, lifetime } = advance
  const held = readNonce(machine.getAccount(address))
  if (held?.nonce !== lifetime || !signers.includes(held.authority)) return undefined
  // A nonce is not advanced twice in one block.
  const isAdvanced = lifetime === getAddressDecoder().decode(nextNonce(machine.latestBlockhash()))
  return isAdvanced ? undefined : address
}

/**
 * Gives the nonce accounts that a transaction has initialized or advanced the nonce of the block, as a node does. The
 * virtual machine derives it from the transaction. If the transaction failed, its own nonce account is advanced too.
 */
export const settleNonces = (
  machine: LiteSVM,
  accounts: readonly Address[],
  { lifetime, nonceAccount }: { lifetime: string; nonceAccount: Address | undefined },
): void => {
  const derived = getAddressDecoder().decode(nextNonce(lifetime))
  const nonce = nextNonce(machine.latestBlockhash())
  for (const address of accounts) {
    const account = machine.getAccount(address)
    const held = readNonce(account)?.nonce
    const isDue = held === derived || (held === lifetime && address === nonceAccount)
    if (!account.exists || !isDue) continue
    const data = Uint8Array.from(account.data)
    data.set(nonce, nonceAt)
    machine.setAccount({ ...account, data })
  }
}
