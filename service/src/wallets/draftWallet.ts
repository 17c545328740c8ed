import { type StoredSigner, toCustodian } from 'kassa/engine'
import { getAddress, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { wallets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { walletContext } from '../keys/vault.js'
import { createUuid } from '../lib/uuid.js'
import type { WalletRow } from './findWallet.js'
import { toSmartWalletRef } from './smartWalletRef.js'

/**
 * Creates the custodial key of a wallet.
 *
 * @returns The address of its account, and the key as the vault encrypted it.
 */
const createCustodialKey = async (
  { vault, randomBytes }: Pick<Deps, 'vault' | 'randomBytes'>,
  walletId: string,
): Promise<{ address: string; encryptedKey: string }> => {
  const key = randomBytes(32)
  try {
    const address = privateKeyToAddress(toHex(key))
    return { address, encryptedKey: await vault.encrypt(key, walletContext(walletId)) }
  } finally {
    key.fill(0)
  }
}

/**
 * The terms of a new wallet. Without a signer, the service is its custodian; without a user, it belongs to
 * none.
 */
export type WalletTerms = {
  projectId: string
  type: WalletRow['type']
  adminSigner: StoredSigner | undefined
  userLocator: string | undefined
}

/** The dependencies of creating a wallet. */
export type WalletDeps = Pick<Deps, 'vault' | 'randomBytes' | 'now' | 'chains'>

/** A wallet that is not inserted yet. */
export type WalletDraft = typeof wallets.$inferInsert

const makeSigner = async (deps: WalletDeps, id: string, given: StoredSigner | undefined) => {
  if (given) return { adminSigner: given, encryptedKey: null }
  const { address, encryptedKey } = await createCustodialKey(deps, id)
  return { adminSigner: toCustodian(address), encryptedKey }
}

const findAddress = (
  { chains }: WalletDeps,
  wallet: Pick<WalletRow, 'id' | 'type' | 'adminSigner'>,
): string => {
  const smart = toSmartWalletRef(wallet)
  if (wallet.type === 'evm-mpc-wallet' && smart.signer.kind === 'account') return smart.signer.address
  const [name = ''] = chains.enabled
  const chain = chains.get(name)
  if (!chain) throw new ServiceError('input-invalid', 'type: no chain is enabled on this deployment')
  // The address is the same on all chains.
  return getAddress(chain.wallets.smartWalletAddress(smart))
}

/**
 * Prepares a wallet to insert: its id, its key if the service keeps one, and its address.
 *
 * @throws {@link ServiceError} `input-invalid` for a smart wallet if no chain is enabled.
 */
export const draftWallet = async (
  deps: WalletDeps,
  { projectId, type, adminSigner: given, userLocator }: WalletTerms,
): Promise<WalletDraft> => {
  const id = createUuid(deps.randomBytes)
  const { adminSigner, encryptedKey } = await makeSigner(deps, id, given)
  return {
    ...{ id, projectId, type, adminSigner, encryptedKey },
    userLocator: userLocator ?? null,
    signerType: adminSigner.type,
    address: findAddress(deps, { id, type, adminSigner }),
    createdAt: new Date(deps.now()),
  }
}
