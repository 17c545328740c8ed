import { hexToBytes, sha256, stringToBytes } from 'viem'
import { decodeBase58, encodeBase58 } from './base58.js'
import { addToPublicKey, isOnCurve, readLittleEndian } from './curve.js'

/** The programs that payments use. */
export const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
} as const

const hash = (bytes: Uint8Array): Uint8Array => hexToBytes(sha256(bytes))

const bytesOf = (address: string): Uint8Array => decodeBase58(address) ?? new Uint8Array()

const concat = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** Derives an address from a base and a seed, as `SystemProgram.createWithSeed` does. */
const derive = (base: string, name: string): string => {
  // 192 bits of the name's hash: seeds have at most 32 bytes.
  const seed = base64url(hash(stringToBytes(name))).slice(0, 32)
  return encodeBase58(hash(concat(bytesOf(base), stringToBytes(seed), bytesOf(programs.system))))
}

/**
 * Returns what the key of an order adds to the key of its operator. Everybody can compute it, and with it the order's
 * address. The order's private key is the operator's plus this.
 */
export const getOrderScalar = (operator: string, orderId: string): bigint =>
  readLittleEndian(hash(concat(stringToBytes('kassa order'), bytesOf(operator), stringToBytes(orderId))))

/**
 * Returns the address at which an order is paid on Solana: in SOL, and by its associated token accounts in tokens. It is
 * that of a key, as of any wallet, and only the operator can compute the private one.
 *
 * @throws {RangeError} if the operator's address is not that of a key.
 */
export const getOrderOwner = (operator: string, orderId: string): string => {
  const key = addToPublicKey(bytesOf(operator), getOrderScalar(operator, orderId))
  if (!key) throw new RangeError(`${operator} is not the address of a key on Solana`)
  return encodeBase58(key)
}

/** Returns the address of the account in which an owner holds a token, as wallets and programs derive it. */
export const getAssociatedTokens = (
  owner: string,
  mint: string,
  tokenProgram: string = programs.token,
): string => {
  const seeds = concat(bytesOf(owner), bytesOf(tokenProgram), bytesOf(mint))
  const end = concat(bytesOf(programs.associatedToken), stringToBytes('ProgramDerivedAddress'))
  for (let bump = 255; bump >= 0; bump--) {
    const address = hash(concat(seeds, Uint8Array.of(bump), end))
    // A program's address is one that no key has.
    if (!isOnCurve(address)) return encodeBase58(address)
  }
  throw new RangeError('no address can be derived')
}

/** Returns an order's reference: an address that its payments name, and at which there is never an account. */
export const getOrderReference = (operator: string, orderId: string): string =>
  derive(operator, `reference:${orderId}`)

/**
 * Returns what every payment of a service names beside its order's reference, so that one query finds the payments of all
 * orders.
 */
export const getPaymentsKey = (operator: string): string => derive(operator, 'payments')

/** Returns the memo of an order's payment, which the buyer sees in the wallet. */
export const toMemo = (orderId: string): string => `Order ${orderId}`

/** Where an order is paid on Solana, and the addresses that its payment names. */
export type OrderAccounts = {
  /** The order's own address, for a transfer from any wallet or exchange. */
  owner: string
  /** What receives the payment: the owner itself, or its associated token account. */
  account: string
  references: readonly [order: string, deployment: string]
}

/**
 * Returns where a service is paid for an order on Solana, without asking it.
 *
 * @param operator - The address of the service's operator, from `kassa-service contracts`.
 * @param mint - The mint of the token; undefined for SOL.
 * @throws {RangeError} if the operator's address is not that of a key.
 */
export const getOrderAccounts = (
  operator: string,
  orderId: string,
  mint: string | undefined,
): OrderAccounts => {
  const owner = getOrderOwner(operator, orderId)
  return {
    owner,
    account: mint === undefined ? owner : getAssociatedTokens(owner, mint),
    references: [getOrderReference(operator, orderId), getPaymentsKey(operator)],
  }
}
