import { CreateWalletBody } from '../../../schema/walletInput.js'
import { badInput, readInput } from '../httpError.js'
import type { Answer } from '../orderVerbs.js'
import type { TestWorld } from '../testWorld.js'
import { requireTestWallet } from './findTestWallet.js'
import { findUserWallet, openTestUserWallet } from './openTestUserWallet.js'
import { assertUnmade, readAdminSigner } from './readAdminSigner.js'
import { viewTestUserWallet } from './testUserWallet.js'
import { readUserLocator } from './userLocator.js'

/** Creates a wallet, or answers the one that its user has of that type. */
export const createTestUserWallet = (world: TestWorld, input: unknown): Answer => {
  const { type, config, linkedUser } = readInput(CreateWalletBody, input, 'body')
  if (type !== 'evm-smart-wallet' && type !== 'evm-mpc-wallet')
    throw badInput('type: Solana is not enabled on this deployment')
  const terms = {
    type,
    adminSigner: readAdminSigner(type, config?.adminSigner),
    userLocator: linkedUser === undefined ? undefined : readUserLocator(linkedUser),
  }
  const known = findUserWallet(world, terms)
  if (!known) assertUnmade(config?.adminSigner)
  return { status: known ? 200 : 201, body: viewTestUserWallet(known ?? openTestUserWallet(world, terms)) }
}

/** Tells of a wallet. */
export const getTestUserWallet = (world: TestWorld, locator: string): Answer => ({
  status: 200,
  body: viewTestUserWallet(requireTestWallet(world, locator)),
})
