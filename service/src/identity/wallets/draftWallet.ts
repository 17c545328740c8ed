import { type StoredSigner, toCustodian } from 'kassa/engine'
import type { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { walletContext } from '#base/ports/vault.js'
import type { WalletPort } from '#base/ports/wallet.js'
import { familyOf } from './familyOf.js'
import type { WalletRow } from './findWallet.js'
import { toSmartWalletRef } from './smartWalletRef.js'

/**
 * Creates the custodial key of a wallet.
 *
 * @returns The address of its account, and the key as the vault encrypted it.
 */
const createCustodialKey = async (
  { vault, randomBytes }: Pick<Deps, 'vault' | 'randomBytes'>,
  port: WalletPort,
  walletId: string,
): Promise<{ address: string; encryptedKey: string }> => {
  const key = randomBytes(32)
  try {
    const address = port.accountAddress(key)
    return { address, encryptedKey: await vault.encrypt(key, walletContext(walletId)) }
  } finally {
    key.fill(0)
  }
}

/** The types of wallets whose signers the interface of this package knows. */
type DraftedType = Exclude<WalletRow['type'], 'solana-smart-wallet'>

/**
 * The terms of a new wallet. Without a signer, the service is its custodian; without a user, it belongs to
 * none.
 */
export type WalletTerms = {
  projectId: string
  type: DraftedType
  adminSigner: StoredSigner | undefined
  userLocator: string | undefined
}

/** The dependencies of creating a wallet. */
export type WalletDeps = Pick<Deps, 'vault' | 'randomBytes' | 'now' | 'chains'>

/** A wallet that is not inserted yet. */
export type WalletDraft = typeof wallets.$inferInsert

const makeSigner = async (
  deps: WalletDeps,
  { port, id, type }: { port: WalletPort; id: string; type: DraftedType },
  given: StoredSigner | undefined,
) => {
  if (given) return { adminSigner: given, encryptedKey: null }
  const { address, encryptedKey } = await createCustodialKey(deps, port, id)
  return { adminSigner: toCustodian(address, type), encryptedKey }
}

/** Returns the wallet port of any enabled chain of a wallet's family: its address is the same on all of them. */
const findPort = ({ chains }: WalletDeps, type: WalletRow['type']): WalletPort => {
  const family = familyOf(type)
  const chain = chains.enabled.map((name) => chains.get(name)).find((each) => each?.family === family)
  if (chain) return chain.wallets
  throw new ServiceError('input-invalid', `type: no enabled chain has wallets of the type ${type}`)
}

const findAddress = (port: WalletPort, wallet: Pick<WalletRow, 'id' | 'type' | 'adminSigner'>): string => {
  if (wallet.type === 'solana-mpc-wallet' && wallet.adminSigner.address) return wallet.adminSigner.address
  const smart = toSmartWalletRef(wallet)
  if (wallet.type === 'evm-mpc-wallet' && smart.signer.kind === 'account') return smart.signer.address
  if (!port.operations) throw new Error(`the family of an ${wallet.type} has no smart wallets`)
  return port.operations.walletAddress(smart)
}

/**
 * Prepares a wallet to insert: its id, its key if the service keeps one, and its address.
 *
 * @throws {@link ServiceError} `input-invalid` if no chain of its family is enabled.
 */
export const draftWallet = async (
  deps: WalletDeps,
  { projectId, type, adminSigner: given, userLocator }: WalletTerms,
): Promise<WalletDraft> => {
  const id = createUuid(deps.randomBytes)
  const port = findPort(deps, type)
  const { adminSigner, encryptedKey } = await makeSigner(deps, { port, id, type }, given)
  return {
    id,
    projectId,
    type,
    adminSigner,
    encryptedKey,
    userLocator: userLocator ?? null,
    signerType: adminSigner.type,
    address: findAddress(port, { id, type, adminSigner }),
    createdAt: new Date(deps.now()),
  }
}
