import type { PaymentMethodList } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { readSuspended } from '#goods/collections/suspendedCurrencies.js'

type MethodDeps = Pick<Deps, 'db' | 'chains' | 'now'>

const viewMethod = async (
  deps: MethodDeps,
  { chain, currencies }: ChainPort,
): Promise<PaymentMethodList[number]> => {
  const suspended = await readSuspended(deps, chain)
  return {
    // The cast is deliberate: the deployment's own names of chains are those of the interface.
    method: chain as PaymentMethodList[number]['method'],
    currencies: currencies
      .filter(({ currency }) => !suspended.has(currency))
      .map(({ currency, decimals, address }) => ({
        currency,
        decimals,
        ...(address !== undefined && { contractAddress: address }),
      })),
  }
}

/** Lists the chains that new orders can be paid on, without the currencies that are off sale. */
export const listPaymentMethods = (deps: MethodDeps): Promise<PaymentMethodList> =>
  Promise.all(
    deps.chains.enabled.flatMap((name) => deps.chains.get(name) ?? []).map((port) => viewMethod(deps, port)),
  )
