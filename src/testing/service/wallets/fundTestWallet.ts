import { toBaseUnits } from '../../../schema/baseUnits.js'
import { FundBody } from '../../../schema/fundInput.js'
import { listCurrencies } from '../../network.js'
import { badInput, readInput } from '../httpError.js'
import type { Answer } from '../orderVerbs.js'
import type { TestWorld } from '../testWorld.js'
import { requireTestWallet } from './findTestWallet.js'
import { readBalances } from './getTestBalances.js'
import { readChain } from './readChain.js'

/** Gives a wallet test tokens, at once. */
export const fundTestWallet = (world: TestWorld, locator: string, input: unknown): Answer => {
  const { chain: asked, token, amount } = readInput(FundBody, input, 'body')
  const chain = readChain(world, 'chain', asked)
  const known = listCurrencies(chain.name).find(({ currency }) => currency === token)
  if (!known) throw badInput(`token: ${token} is not known on ${chain.name} on this deployment`)
  const { address: coin, decimals } = known
  const units = toBaseUnits(String(amount), decimals)
  if (units === undefined) throw badInput(`amount: ${token} has ${decimals} decimals on ${chain.name}`)
  const { address } = requireTestWallet(world, locator)
  const { bank } = world.chains
  bank.set(chain.chainId, address, coin, bank.get(chain.chainId, address, coin, decimals) + units)
  return { status: 201, body: readBalances(world, address, [chain], [token]) }
}
