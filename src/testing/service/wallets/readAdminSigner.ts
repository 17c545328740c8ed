import { toHex } from 'viem'
import type { AdminSignerInput } from '../../../schema/walletInput.js'
import { badInput } from '../httpError.js'
import { isSameSigner } from './isSameSigner.js'
import { readAddress } from './readAddress.js'
import type { TestSigner, TestUserWallet } from './testUserWallet.js'

const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether a point is one of the curve P-256, as the public key of every passkey is. */
const isP256Point = (x: bigint, y: bigint): boolean =>
  x >= 0n && x < prime && y >= 0n && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n

const field = 'config.adminSigner'

/** Writes a coordinate in the notation that the caller chose: decimal, or 32 bytes in hex. */
const toCoordinate = (given: string, value: bigint): string =>
  /^0x/i.test(given) ? toHex(value, { size: 32 }) : value.toString()

const readPublicKey = (key: { x: string; y: string }) => {
  const [x, y] = [BigInt(key.x), BigInt(key.y)]
  if (!isP256Point(x, y)) throw badInput(`${field}.publicKey: not a point of the curve P-256`)
  return { x: toCoordinate(key.x, x), y: toCoordinate(key.y, y) }
}

/** A signer may be sent as an answer showed it, its locator too, which then says the same as the rest. */
const withLocator = (given: string | undefined, signer: TestSigner): TestSigner => {
  if (given !== undefined && !isSameSigner(given, signer.locator))
    throw badInput(`${field}.locator: the locator of this signer is ${signer.locator}`)
  return signer
}

/**
 * Refuses a custodial signer that is named by its address, which is unknown before its key exists.
 *
 * @throws {@link HttpError} naming the field.
 */
export const assertUnmade = (input: AdminSignerInput | undefined): void => {
  if (input?.type !== 'evm-kassa-custodial') return
  const named = (['address', 'locator'] as const).find((name) => input[name] !== undefined)
  if (named)
    throw badInput(`${field}.${named}: the service makes the key of a new wallet, and its address with it`)
}

/**
 * Reads who is to control a wallet.
 *
 * @returns The signer; undefined where it is the service itself.
 * @throws {@link HttpError} naming the field.
 */
export const readAdminSigner = (
  type: TestUserWallet['type'],
  input: AdminSignerInput | undefined,
): TestSigner | undefined => {
  if (!input || input.type === 'evm-kassa-custodial') return undefined
  if (type === 'evm-mpc-wallet')
    throw badInput(`${field}.type: an ${type} has no other signer than evm-kassa-custodial`)
  if (input.type === 'evm-keypair') {
    const address = readAddress(`${field}.address`, input.address)
    return withLocator(input.locator, { type: input.type, address, locator: address })
  }
  const { type: passkey, id, name } = input
  const publicKey = readPublicKey(input.publicKey)
  const locator = `${passkey}:${id}`
  const signer = { type: passkey, id, publicKey, ...(name !== undefined && { name }), locator }
  return withLocator(input.locator, signer)
}
