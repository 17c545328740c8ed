import type { Hono } from 'hono'
import { listContracts } from '#adapters/chains/evm/payments/listContracts.js'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import type { Deps } from '#base/deps.js'
import { invite } from '#identity/console/accounts.js'
import type { ServiceEnv } from '#interface/http/context.js'
import type { OpenChains } from './openChains.js'
import { toSandboxChains } from './process/toSandboxChains.js'
import { createSandbox } from './sandbox/createSandbox.js'
import type { SandboxKeys } from './sandbox/readSandboxKeys.js'
import { seed } from './sandbox/seed.js'

/** A sandbox: its paths, and what makes a link that opens its console as an owner, once. */
export type Sandbox = { app: Hono<ServiceEnv>; inviteToConsole(): Promise<string> }

/** Fills the database of a sandbox and creates its own paths, over the local chains. */
export const openSandbox = async (deps: Deps, keys: SandboxKeys, chains: OpenChains): Promise<Sandbox> => {
  const { config } = deps
  const { projectId } = await seed(deps, keys)
  const locals = toSandboxChains(chains.values(), {
    contracts: listContracts(config).contracts,
    operator: config.solanaOperatorKey && accountAddress(config.solanaOperatorKey),
  })
  return {
    app: createSandbox(deps, projectId, locals),
    inviteToConsole: () => invite(deps, { projectId, role: 'owner' }),
  }
}
