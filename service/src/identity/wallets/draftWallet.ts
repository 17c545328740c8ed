import { type StoredSigner, toCustodian } from 'kassa/engine'
import type { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { walletContext } from '#base/ports/vault.js'
import type { WalletPort } from '#base/ports/wallet.js'
import type { WalletRow } from './findWallet.js'
import { kindOf, listChainsOf } from './kinds.js'

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

/** The signer of a wallet. The service is the custodian of wallets of some types only. */
type WalletSigning =
  | { type: WalletRow['type']; adminSigner: StoredSigner }
  | { type: Exclude<WalletRow['type'], 'solana-smart-wallet'>; adminSigner?: undefined }

/**
 * The terms of a new wallet. Without a signer, the service is its custodian; without a user, it belongs to
 * none.
 */
export type WalletTerms = WalletSigning & { projectId: string; userLocator: string | undefined }

/** The dependencies of creating a wallet. */
export type WalletDeps = Pick<Deps, 'vault' | 'randomBytes' | 'now' | 'chains'>

/** A wallet that is not inserted yet. */
export type WalletDraft = typeof wallets.$inferInsert

const makeSigner = async (
  deps: WalletDeps,
  { port, id }: { port: WalletPort; id: string },
  signing: WalletSigning,
) => {
  if (signing.adminSigner) return { adminSigner: signing.adminSigner, encryptedKey: null }
  const { address, encryptedKey } = await createCustodialKey(deps, port, id)
  return { adminSigner: toCustodian(address, signing.type), encryptedKey }
}

/**
 * Prepares a wallet to insert: its id, its key if the service keeps one, and its address.
 *
 * @throws {@link ServiceError} `input-invalid` if no chain of its family is enabled.
 */
export const draftWallet = async (deps: WalletDeps, terms: WalletTerms): Promise<WalletDraft> => {
  const { projectId, type, userLocator } = terms
  const id = createUuid(deps.randomBytes)
  // A wallet has the same address on every chain of its family.
  const [chain] = listChainsOf(deps, terms)
  if (!chain) {
    throw new ServiceError('input-invalid', `type: no enabled chain has wallets of the type ${type}`)
  }
  const port = chain.wallets
  const { adminSigner, encryptedKey } = await makeSigner(deps, { port, id }, terms)
  return {
    id,
    projectId,
    type,
    adminSigner,
    encryptedKey,
    userLocator: userLocator ?? null,
    signerType: adminSigner.type,
    address: kindOf(type).addressOf(port, { id, adminSigner }),
    createdAt: new Date(deps.now()),
  }
}
