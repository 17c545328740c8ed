import { userLocator } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WalletPort } from '#base/ports/wallet.js'
import { draftWallet, type WalletDeps } from './draftWallet.js'
import { findUserWallet } from './findWallet.js'
import { insertWallet } from './insertWallet.js'

/** The owner of a custodial wallet. `userLocator` is for example `email:ada@example.com`. */
export type CustodialOwner = { projectId: string; userLocator: string }

/**
 * Returns the type of the wallets that the service keeps for users on a chain.
 *
 * @param field - The field that names the user.
 * @throws {@link ServiceError} `input-invalid` if it keeps none there.
 */
export const requireCustody = (chain: ChainPort, field: string): NonNullable<WalletPort['custodialType']> => {
  const { custodialType } = chain.wallets
  if (custodialType !== undefined) return custodialType
  const message = `${field}: the service does not keep wallets for users on ${chain.chain}: use an address`
  throw new ServiceError('input-invalid', message)
}

/** Inserts a wallet if it does not exist yet. */
type WriteWallet = (db: Database | Transaction) => Promise<{ address: string }>

/** Returns the locator of an e-mail user, the same for every spelling of the address. */
export const emailLocator = (email: string): string => userLocator('email', email)

/**
 * Finds the custodial wallet of a user, or creates its key, before the transaction that may need it, because
 * the vault may be across a network. It is the user's one wallet of the chain's type, even if another process
 * creates it at the same time.
 *
 * @returns A function that inserts the wallet. The wallet exists if, and only if, that transaction commits.
 */
export const prepareCustodialWallet = async (
  deps: WalletDeps & Pick<Deps, 'db'>,
  chain: ChainPort,
  owner: CustodialOwner,
): Promise<WriteWallet> => {
  const terms = { ...owner, type: requireCustody(chain, 'recipient') }
  const known = await findUserWallet(deps.db, terms)
  if (known) return async () => known
  const draft = await draftWallet(deps, { ...terms, adminSigner: undefined })
  return async (db) => (await insertWallet(db, draft)).wallet
}

/** Finds the custodial wallet of a user, or creates it on first use. */
export const getOrCreateCustodialWallet = async (
  deps: WalletDeps & Pick<Deps, 'db'>,
  chain: ChainPort,
  owner: CustodialOwner,
): Promise<{ address: string }> => (await prepareCustodialWallet(deps, chain, owner))(deps.db)
