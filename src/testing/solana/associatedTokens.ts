import { hexToBytes, sha256, stringToBytes } from 'viem'
import { decodeBase58, encodeBase58 } from '../../engine/solana/base58.js'
import { associatedTokenProgram } from './network.js'

const prime = 2n ** 255n - 19n

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  let square = base % prime
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % prime
    square = (square * square) % prime
  }
  return result
}

const invert = (value: bigint): bigint => power(value, prime - 2n)
const curveD = (prime - ((121665n * invert(121666n)) % prime)) % prime

/** Whether 32 bytes are a point of the curve ed25519, as the address of every key pair is. */
const isOnCurve = (bytes: Uint8Array): boolean => {
  const encoded = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const y = encoded & (2n ** 255n - 1n)
  const ySquare = (y * y) % prime
  const xSquare = ((ySquare + prime - 1n) * invert((curveD * ySquare + 1n) % prime)) % prime
  return xSquare === 0n || power(xSquare, (prime - 1n) / 2n) === 1n
}

const bytesOf = (address: string): Uint8Array => decodeBase58(address) ?? new Uint8Array()

/** Returns the address of the account in which an owner holds a token, as wallets and programs derive it. */
export const getAssociatedTokens = (owner: string, mint: string, tokenProgram: string): string => {
  const seeds = [owner, tokenProgram, mint].flatMap((address) => [...bytesOf(address)])
  for (let bump = 255; bump >= 0; bump--) {
    const end = [...bytesOf(associatedTokenProgram), ...stringToBytes('ProgramDerivedAddress')]
    const hash = hexToBytes(sha256(Uint8Array.from([...seeds, bump, ...end])))
    // An address without a key is one that is not on the curve.
    if (!isOnCurve(hash)) return encodeBase58(hash)
  }
  throw new Error('no address can be derived')
}
