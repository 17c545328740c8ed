import { createHash } from 'node:crypto'
import { type Address, address, getAddressDecoder, getAddressEncoder } from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022'
import type { CollectionRef } from '#base/ports/collections.js'

/** The classic Token program, which `usdc` and its like belong to. */
export const TOKEN_PROGRAM_ADDRESS = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')

/**
 * An address that is derived from a base address and a seed, as `SystemProgram.createWithSeed` does. Only the
 * base's key can create an account there, or send coins from it.
 */
export type Derived = { address: Address; seed: string; programAddress: Address }

const encoder = getAddressEncoder()

const derive = (base: Address, name: string, programAddress: Address): Derived => {
  // The programs take seeds of up to 32 bytes: these are 192 bits of the name's hash.
  const seed = createHash('sha256').update(name).digest('base64url').slice(0, 32)
  const bytes = createHash('sha256')
    .update(Uint8Array.from(encoder.encode(base)))
    .update(seed)
    .update(Uint8Array.from(encoder.encode(programAddress)))
    .digest()
  return { address: getAddressDecoder().decode(bytes), seed, programAddress }
}

/** Returns the account at which the order of a reference was paid before orders had keys of their own. */
export const deriveSeededAccount = (operator: Address, reference: string, mint?: string): Derived =>
  mint === undefined
    ? derive(operator, `order:${reference}`, SYSTEM_PROGRAM_ADDRESS)
    : derive(operator, `order:${reference}:${mint}`, TOKEN_PROGRAM_ADDRESS)

/** Returns the mint of a collection, which is the group of its tokens. */
export const deriveCollection = (operator: Address, { key, standard }: CollectionRef): Derived =>
  derive(operator, `collection:${standard}:${key}`, TOKEN_2022_PROGRAM_ADDRESS)

/** Returns the mint of a token. The copies of a semi-fungible token share it. */
export const deriveToken = (operator: Address, collection: string, tokenId: bigint): Derived =>
  derive(operator, `token:${collection}:${tokenId}`, TOKEN_2022_PROGRAM_ADDRESS)

/** Returns the Merkle tree of a collection's compressed tokens. */
export const deriveTree = (operator: Address, collection: string, compression: Address): Derived =>
  derive(operator, `tree:${collection}`, compression)

/** Returns the mint of a test token of the sandbox. */
export const deriveTestToken = (operator: Address, currency: string): Derived =>
  derive(operator, `test-token:${currency}`, TOKEN_PROGRAM_ADDRESS)

/** Returns the account that a write creates so that it cannot happen twice. */
export const deriveGuard = (operator: Address, key: string): Derived =>
  derive(operator, `guard:${key}`, SYSTEM_PROGRAM_ADDRESS)
