import { hexToBytes, sha256, stringToBytes } from 'viem'
import { decodeBase58, encodeBase58 } from '../../engine/solana/base58.js'

/** The programs that payments use. */
export const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
} as const

const hash = (bytes: Uint8Array): Uint8Array => hexToBytes(sha256(bytes))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

const concat = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

/** Derives an address from a base and a seed, as `SystemProgram.createWithSeed` does. */
const derive = (base: string, name: string, program: string): string => {
  // 192 bits of the name's hash: seeds have at most 32 bytes.
  const seed = base64url(hash(stringToBytes(name))).slice(0, 32)
  const owner = decodeBase58(program) ?? new Uint8Array()
  return encodeBase58(hash(concat(decodeBase58(base) ?? new Uint8Array(), stringToBytes(seed), owner)))
}

/** Where an order is paid on Solana, and the addresses that its payment names. */
export type OrderAccounts = { account: string; references: readonly [order: string, deployment: string] }

/**
 * Returns where a service is paid for an order on Solana, without asking it.
 *
 * @param operator - The address of the service's operator, from `kassa-service contracts`.
 * @param mint - The mint of the token; undefined for SOL.
 */
export const getOrderAccounts = (
  operator: string,
  orderId: string,
  mint: string | undefined,
): OrderAccounts => {
  const reference = derive(operator, `reference:${orderId}`, programs.system)
  const account =
    mint === undefined
      ? derive(operator, `order:${reference}`, programs.system)
      : derive(operator, `order:${reference}:${mint}`, programs.token)
  return { account, references: [reference, derive(operator, 'payments', programs.system)] }
}
