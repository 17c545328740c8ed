import type { AdminSignerInput } from 'kassa/schema'
import { ServiceError } from '../errors.js'
import type { WalletRow } from './findWallet.js'
import { isP256Point } from './isP256Point.js'
import { readAddress } from './readAddress.js'

/** Who controls a wallet, as it is stored and answered. */
export type StoredSigner = WalletRow['adminSigner'] & { type: WalletRow['signerType'] }

const field = 'config.adminSigner'

const refuse = (message: string): never => {
  throw new ServiceError('input-invalid', `${field}.${message}`)
}

const toCoordinate = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

const readPublicKey = (key: { x: string; y: string }) => {
  const [x, y] = [BigInt(key.x), BigInt(key.y)]
  if (!isP256Point(x, y)) refuse('publicKey: not a point of the curve P-256')
  return { x: toCoordinate(x), y: toCoordinate(y) }
}

/** The service as custodian, by the address of the key that it keeps. */
export const toCustodian = (address: string): StoredSigner => {
  const type = 'evm-kassa-custodial' as const
  return { type, address, locator: `${type}:${address}` }
}

/**
 * Reads who is to control a wallet.
 *
 * @returns The signer; undefined where it is the service, which has to make a key first.
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const readAdminSigner = (
  type: WalletRow['type'],
  input: AdminSignerInput | undefined,
): StoredSigner | undefined => {
  if (!input || input.type === 'evm-kassa-custodial') return undefined
  if (type === 'evm-mpc-wallet') refuse(`type: an ${type} has no other signer than evm-kassa-custodial`)
  if (input.type === 'evm-keypair') {
    const address = readAddress(`${field}.address`, input.address)
    return { type: input.type, address, locator: address }
  }
  const { type: passkey, id, name } = input
  const publicKey = readPublicKey(input.publicKey)
  return { type: passkey, id, publicKey, ...(name !== undefined && { name }), locator: `${passkey}:${id}` }
}
