import { createDevtools, type Devtools, type DevtoolsParameters } from './createDevtools.js'

type Shared = { parameters: DevtoolsParameters; devtools: Devtools }

const shared = new WeakMap<DevtoolsParameters['listeners'], Shared>()

/**
 * Returns the data of one provider, the same for every panel and hook below it while the parameters stay the
 * same.
 */
export const getDevtools = (parameters: DevtoolsParameters): Devtools => {
  const { client, queryClient, ledger, listeners } = parameters
  const known = shared.get(listeners)
  const isSame =
    known?.parameters.client === client &&
    known.parameters.queryClient === queryClient &&
    known.parameters.ledger === ledger
  if (known && isSame) return known.devtools
  const devtools = createDevtools(parameters)
  shared.set(listeners, { parameters, devtools })
  return devtools
}
