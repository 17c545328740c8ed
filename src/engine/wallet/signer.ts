import type { AdminSigner } from '../../schema/wallet.js'
import type { AdminSignerInput } from '../../schema/walletInput.js'
import { evmSignerTypes, type SignerType, type WalletType } from '../../schema/walletMembers.js'
import { readAddress } from '../evm/parseAddress.js'
import { InvalidInput } from '../invalidInput.js'

/** The type of an EVM wallet. */
export type EvmWalletType = 'evm-smart-wallet' | 'evm-mpc-wallet'

/** A wallet's signer, as stored and returned. `locator` is how transactions name it. */
export type StoredSigner = AdminSigner & { type: SignerType; locator: string }

/**
 * Normalizes a signer locator as wallets store it: an address in lower case, and that of a keypair without
 * its prefix.
 */
const normalize = (locator: string): string => {
  const bare = locator.replace(/^evm-keypair:(?=0x)/i, '')
  return /^(evm-kassa-custodial:)?0x/i.test(bare) ? bare.toLowerCase() : bare
}

/**
 * Whether two locators name one signer. The prefix of a keypair is optional, and the case of an address is
 * free.
 */
export const isSameSigner = (one: string, other: string): boolean => normalize(one) === normalize(other)

/**
 * Refuses a signer that is not the wallet's, if the caller names one.
 *
 * @throws {@link InvalidInput}
 */
export const assertWalletSigner = (signer: string | undefined, locator: string): void => {
  if (signer === undefined || isSameSigner(signer, locator)) return
  throw new InvalidInput(`params.signer: expected ${locator}, the signer of this wallet`)
}

const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether a point is on the curve P-256, as every passkey's public key is. */
export const isP256Point = (x: bigint, y: bigint): boolean =>
  x >= 0n && x < prime && y >= 0n && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n

const field = 'config.adminSigner'

const refuse = (message: string): never => {
  throw new InvalidInput(`${field}.${message}`)
}

/** Formats a coordinate in the caller's notation: decimal, or 32 bytes in hex. */
const toCoordinate = (given: string, value: bigint): string =>
  /^0x/i.test(given) ? `0x${value.toString(16).padStart(64, '0')}` : value.toString()

const readPublicKey = (key: { x: string; y: string }) => {
  const [x, y] = [BigInt(key.x), BigInt(key.y)]
  if (!isP256Point(x, y)) refuse('publicKey: not a point of the curve P-256')
  return { x: toCoordinate(key.x, x), y: toCoordinate(key.y, y) }
}

/** The type of a wallet that sends transactions here. */
export type ActingWalletType = EvmWalletType | 'solana-mpc-wallet'

/**
 * Refuses the wallets of a type that cannot be created here.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const readWalletType = (type: WalletType): ActingWalletType => {
  if (type !== 'solana-smart-wallet') return type
  throw new InvalidInput(
    'type: a solana-smart-wallet needs a program that this service has no adapter for; create a solana-mpc-wallet',
  )
}

/** The signers that a wallet of each type can have. */
const signerTypesOf: Readonly<Record<ActingWalletType, readonly SignerType[]>> = {
  'evm-smart-wallet': evmSignerTypes,
  'evm-mpc-wallet': ['evm-kassa-custodial'],
  'solana-mpc-wallet': ['solana-kassa-custodial'],
}

/**
 * Refuses a signer that a wallet of a type cannot have.
 *
 * @throws {@link InvalidInput} naming the field and the signers that the wallet can have.
 */
export const assertSignerType = (wallet: ActingWalletType, signer: string): void => {
  const types: readonly string[] = signerTypesOf[wallet]
  if (types.includes(signer)) return
  const list = types.join(', ').replace(/, ([^,]+)$/, ' or $1')
  const article = wallet.startsWith('evm') ? 'an' : 'a'
  refuse(`type: expected ${list} for ${article} ${wallet}`)
}

/** Returns the service as custodian, by the address of the key that it keeps. */
export const toCustodian = (address: string, wallet: ActingWalletType): StoredSigner => {
  const type = wallet === 'solana-mpc-wallet' ? 'solana-kassa-custodial' : 'evm-kassa-custodial'
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
 * @throws {@link InvalidInput} naming the field.
 */
export const assertUnmade = (input: AdminSignerInput | undefined): void => {
  if (input?.type !== 'evm-kassa-custodial' && input?.type !== 'solana-kassa-custodial') return
  const named = (['address', 'locator'] as const).find((name) => input[name] !== undefined)
  if (named) refuse(`${named}: the service makes the key of a new wallet, and its address with it`)
}

/**
 * Reads the signer of a wallet.
 *
 * @returns The signer, or `undefined` if it is the service, which must first create a key.
 * @throws {@link InvalidInput} naming the field.
 */
export const readAdminSigner = (
  type: ActingWalletType,
  input: AdminSignerInput | undefined,
): StoredSigner | undefined => {
  if (!input) return undefined
  assertSignerType(type, input.type)
  if (input.type === 'solana-kassa-custodial' || input.type === 'evm-kassa-custodial') return undefined
  const signer = input.type === 'evm-keypair' ? readKeypair(input) : readPasskey(input)
  assertLocator(input.locator, signer)
  return signer
}
