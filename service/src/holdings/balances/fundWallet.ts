import { assertIsOn, explainDisabled, readFunding } from 'kassa/engine'
import type { Balance, FundBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { assertUnsanctionedWallet } from '#identity/wallets/sanctions.js'
import { readBalances } from './readBalances.js'

const refuse = (message: string): ServiceError => new ServiceError('input-invalid', message)

const readChain = (deps: Deps, name: string): ChainPort => {
  const chain = deps.chains.get(name)
  if (!chain) throw refuse(`chain: ${explainDisabled(name, deps.chains.enabled)}`)
  return chain
}

/**
 * Gives a wallet test tokens, and waits until it has them. A repeated request under an idempotency key gives
 * them once, however far the first request came.
 *
 * @returns The wallet's balance of the token on the chain.
 * @throws {@link ServiceError} `forbidden`, also in production; `input-invalid`, `not-found`,
 * `unprocessable`, `chain-unavailable`.
 * @source interface.md "Fund wallet (staging only, alpha)"
 */
export const fundWallet = async (
  deps: Deps,
  call: Call,
  { walletLocator, body }: { walletLocator: string; body: FundBody },
): Promise<Balance[]> => {
  requireServerScope(call.actor, 'wallets.fund')
  if (deps.config.environment !== 'staging') {
    throw new ServiceError('forbidden', 'Wallets are funded with test tokens in staging only')
  }

  const chain = readChain(deps, body.chain)
  const { units } = checkInput(() => readFunding(body, body.chain, chain.currencies))
  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  checkInput(() => assertIsOn(wallet, chain, 'chain'))
  const { id, address, adminSigner } = wallet
  assertUnsanctionedWallet(deps.config, address, adminSigner.address ?? '')

  const key = `fund:${id}:${call.requestHash ?? createUuid(deps.randomBytes)}`
  const result = await chain.wallets.fund(key, { currency: body.token, units, recipient: address })
  if (result.status === 'failed') {
    const { message = `${body.token} could not be sent on ${body.chain}` } = result.error
    throw new ServiceError('unprocessable', message)
  }
  return readBalances([chain], address, [body.token])
}
