import type { AdminSignerInput } from 'kassa/schema'
import { ServiceError } from '../errors.js'
import type { WalletRow } from './findWallet.js'
import { isP256Point } from './isP256Point.js'
import { isSameSigner } from './isSameSigner.js'
import { readAddress } from './readAddress.js'

/** A wallet's signer, as stored and returned. */
export type StoredSigner = WalletRow['adminSigner'] & { type: WalletRow['signerType'] }

const field = 'config.adminSigner'

const refuse = (message: string): never => {
  throw new ServiceError('input-invalid', `${field}.${message}`)
}

/** Formats a coordinate in the caller's notation: decimal, or 32 bytes in hex. */
const toCoordinate = (given: string, value: bigint): string =>
  /^0x/i.test(given) ? `0x${value.toString(16).padStart(64, '0')}` : value.toString()

const readPublicKey = (key: { x: string; y: string }) => {
  const [x, y] = [BigInt(key.x), BigInt(key.y)]
  if (!isP256Point(x, y)) refuse('publicKey: not a point of the curve P-256')
  return { x: toCoordinate(key.x, x), y: toCoordinate(key.y, y) }
}

/** Returns the service as custodian, by the address of the key that it keeps. */
export const toCustodian = (address: string): StoredSigner => {
  const type = 'evm-kassa-custodial' as const
  return { type, address, locator: `${type}:${address}` }
}

/** A caller may send a signer as an answer showed it. Its locator must then match its other fields. */
const assertLocator = (given: string | undefined, { locator }: StoredSigner): void => {
  if (given === undefined || isSameSigner(given, locator)) return
  refuse(`locator: the locator of this signer is ${locator}`)
}

const readKeypair = ({ type, address: text }: Extract<AdminSignerInput, { type: 'evm-keypair' }>) => {
  const address = readAddress(`${field}.address`, text)
  return { type, address, locator: address }
}

const readPasskey = ({ type, id, name, ...key }: Extract<AdminSignerInput, { type: 'evm-passkey' }>) => {
  const publicKey = readPublicKey(key.publicKey)
  return { type, id, publicKey, ...(name !== undefined && { name }), locator: `${type}:${id}` }
}

/**
 * Refuses a custodial signer with an address, which is unknown before the service creates the key.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const assertUnmade = (input: AdminSignerInput | undefined): void => {
  if (input?.type !== 'evm-kassa-custodial') return
  const named = (['address', 'locator'] as const).find((name) => input[name] !== undefined)
  if (named) refuse(`${named}: the service makes the key of a new wallet, and its address with it`)
}

/**
 * Reads the signer of a wallet.
 *
 * @returns The signer, or `undefined` if it is the service, which must first create a key.
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const readAdminSigner = (
  type: WalletRow['type'],
  input: AdminSignerInput | undefined,
): StoredSigner | undefined => {
  if (!input || input.type === 'evm-kassa-custodial') return undefined
  if (type === 'evm-mpc-wallet') refuse(`type: an ${type} has no other signer than evm-kassa-custodial`)
  const signer = input.type === 'evm-keypair' ? readKeypair(input) : readPasskey(input)
  assertLocator(input.locator, signer)
  return signer
}
