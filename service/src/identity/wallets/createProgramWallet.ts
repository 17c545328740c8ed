import { explainChainAddress } from 'kassa/engine'
import { CreateWalletBody } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ProgramWalletPort } from '#base/ports/programWallets.js'
import { requireServerScope } from '../authorize.js'
import { readUser, type WalletReply } from './createWallet.js'
import { listChainsOf } from './familyOf.js'
import { findUserWallet, viewWallet, type WalletRow } from './findWallet.js'
import { insertWallet } from './insertWallet.js'
import { assertUnsanctionedWallet } from './sanctions.js'

const type = 'solana-smart-wallet' as const
const signerType = 'solana-keypair' as const

const Body = z.object({
  type: z.literal(type),
  config: z.object(
    {
      adminSigner: z.object(
        { type: z.literal(signerType, `expected ${signerType}`), address: z.string('expected an address') },
        'expected an object',
      ),
    },
    'expected an object',
  ),
  linkedUser: CreateWalletBody.shape.linkedUser,
})

/** Returns the port of smart wallets on Solana, or `undefined` if the deployment has no adapter of a program. */
const findPrograms = (deps: Pick<Deps, 'chains'>): ProgramWalletPort | undefined =>
  listChainsOf(deps, { type })[0]?.wallets.programs

/** Whether a request is for a smart wallet on Solana, on a deployment that has them. */
export const isProgramWallet = (deps: Pick<Deps, 'chains'>, body: unknown): boolean =>
  z.safeParse(z.object({ type: z.literal(type) }), body).success && findPrograms(deps) !== undefined

/**
 * Creates a smart wallet on Solana. A user has one: a repeated request returns the same one, whatever signer it
 * names.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `unprocessable`.
 * @source interface.md "Create wallet"
 */
export const createProgramWallet = async (deps: Deps, call: Call, body: unknown): Promise<WalletReply> => {
  requireServerScope(call.actor, 'wallets.create')
  const { config, linkedUser } = parseInput(Body, body, 'body')
  if (linkedUser !== undefined) requireServerScope(call.actor, 'users.create')
  const programs = findPrograms(deps)
  const [chain] = listChainsOf(deps, { type })
  const signer = chain?.parseAddress(config.adminSigner.address)
  if (!programs || signer === undefined) {
    const fault = explainChainAddress(config.adminSigner.address, chain?.chain ?? 'solana')
    throw new ServiceError('input-invalid', `config.adminSigner.address: ${fault}`)
  }
  const { projectId } = call.actor
  const user = readUser(linkedUser)
  const id = createUuid(deps.randomBytes)
  const address = programs.walletAddress({ salt: id, signer })
  assertUnsanctionedWallet(deps.config, address, signer)

  const known =
    user === undefined ? undefined : await findUserWallet(deps.db, { projectId, userLocator: user, type })
  const adminSigner = { type: signerType, address: signer, locator: `${signerType}:${signer}` } as const
  const draft = {
    id,
    projectId,
    type,
    address,
    adminSigner,
    signerType,
    encryptedKey: null,
    userLocator: user ?? null,
    createdAt: new Date(deps.now()),
  } as const
  return deps.db.transaction(async (tx) => {
    const { wallet, isNew } = known ? { wallet: known, isNew: false } : await insertWallet(tx, draft)
    const reply = { status: isNew ? 201 : 200, body: viewWallet(wallet) } as const
    await call.complete(tx, reply)
    return reply
  })
}

/** Converts a wallet to the reference that its program uses. */
export const toProgramRef = ({ id, adminSigner }: Pick<WalletRow, 'id' | 'adminSigner'>) => {
  if (adminSigner.address === undefined) throw new Error('a smart wallet on Solana without a signer')
  return { salt: id, signer: adminSigner.address }
}
