import { toHex } from 'viem'
import type { AdminSignerInput } from '../../../schema/walletInput.js'
import { badInput } from '../refusal.js'
import { isP256Point } from './isP256Point.js'
import { readAddress } from './readAddress.js'
import type { TestSigner, TestUserWallet } from './testUserWallet.js'

const field = 'config.adminSigner'

const readPublicKey = (key: { x: string; y: string }) => {
  const [x, y] = [BigInt(key.x), BigInt(key.y)]
  if (!isP256Point(x, y)) throw badInput(`${field}.publicKey: not a point of the curve P-256`)
  return { x: toHex(x, { size: 32 }), y: toHex(y, { size: 32 }) }
}

/**
 * Reads who is to control a wallet.
 *
 * @returns The signer; undefined where it is the service itself.
 * @throws {@link Refusal} naming the field.
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
    return { type: input.type, address, locator: address }
  }
  const { type: passkey, id, name } = input
  const publicKey = readPublicKey(input.publicKey)
  return { type: passkey, id, publicKey, ...(name !== undefined && { name }), locator: `${passkey}:${id}` }
}
