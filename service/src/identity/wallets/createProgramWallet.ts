import { explainChainAddress } from 'kassa/engine'
import { CreateWalletBody } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import type { ProgramWalletPort } from '#base/ports/programWallets.js'
import { requireServerScope } from '../authorize.js'
import { completeWithWallet, findKnownWallet, readUser, type WalletReply } from './createWallet.js'
import { listChainsOf } from './kinds.js'
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
  const [chain] = listChainsOf(deps, { type })
  const signer = chain?.parseAddress(config.adminSigner.address)
  if (!chain?.wallets.programs || signer === undefined) {
    const fault = explainChainAddress(config.adminSigner.address, chain?.chain ?? 'solana')
    throw new ServiceError('input-invalid', `config.adminSigner.address: ${fault}`)
  }
  const userLocator = readUser(linkedUser)
  assertUnsanctionedWallet(deps.config, signer)
  const adminSigner = { type: signerType, address: signer, locator: `${signerType}:${signer}` } as const
  const terms = { projectId: call.actor.projectId, type, adminSigner, userLocator }
  return completeWithWallet(deps, call, { known: await findKnownWallet(deps, terms), terms })
}
