import { assertUnmade, readAdminSigner, readLinkedUser, readWalletType, viewWallet } from 'kassa/engine'
import type { CreateWalletBody, Wallet } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import { requireServerScope } from '../authorize.js'
import { draftWallet, type WalletTerms } from './draftWallet.js'
import { findUserWallet, type WalletRow } from './findWallet.js'
import { insertWallet } from './insertWallet.js'
import { assertUnsanctionedWallet } from './sanctions.js'

/** A wallet, with status 201 if it is new and 200 if its user already had it. */
export type WalletReply = { status: 200 | 201; body: Wallet }

/** Reads the user of a wallet. */
export const readUser = (linkedUser: string | undefined): string | undefined =>
  linkedUser === undefined ? undefined : checkInput(() => readLinkedUser(linkedUser))

const readTerms = (deps: Deps, projectId: string, body: CreateWalletBody): WalletTerms => {
  const type = checkInput(() => readWalletType(body.type))
  const adminSigner = checkInput(() => readAdminSigner(type, body.config?.adminSigner))
  assertUnsanctionedWallet(deps.config, adminSigner?.address ?? '')
  const owner = { projectId, userLocator: readUser(body.linkedUser) }
  return adminSigner ? { ...owner, type, adminSigner } : { ...owner, type }
}

/** Finds the wallet that the user of a new one already has. */
export const findKnownWallet = async (
  { db }: Pick<Deps, 'db'>,
  { projectId, type, userLocator }: WalletTerms,
): Promise<WalletRow | undefined> =>
  userLocator === undefined ? undefined : findUserWallet(db, { projectId, type, userLocator })

const prepareWrite = async (deps: Deps, terms: WalletTerms) => {
  const draft = await draftWallet(deps, terms)
  assertUnsanctionedWallet(deps.config, draft.address)
  return (tx: Transaction) => insertWallet(tx, draft)
}

/** Inserts a wallet unless its user has one, and completes the call with it. */
export const completeWithWallet = async (
  deps: Deps,
  call: Call,
  { known, terms }: { known: WalletRow | undefined; terms: WalletTerms },
): Promise<WalletReply> => {
  const write = known ? async () => ({ wallet: known, isNew: false }) : await prepareWrite(deps, terms)
  return deps.db.transaction(async (tx) => {
    const { wallet, isNew } = await write(tx)
    const reply = { status: isNew ? 201 : 200, body: viewWallet(wallet) } as const
    await call.complete(tx, reply)
    return reply
  })
}

/**
 * Creates a wallet. A user has one wallet per type: a repeated request returns the same one, whatever signer
 * it names.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `unprocessable`.
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const createWallet = async (deps: Deps, call: Call, body: CreateWalletBody): Promise<WalletReply> => {
  requireServerScope(call.actor, 'wallets.create')
  if (body.linkedUser !== undefined) requireServerScope(call.actor, 'users.create')

  const terms = readTerms(deps, call.actor.projectId, body)
  const known = await findKnownWallet(deps, terms)
  if (!known) checkInput(() => assertUnmade(body.config?.adminSigner))
  return completeWithWallet(deps, call, { known, terms })
}
