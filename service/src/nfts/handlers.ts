import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { gatherMints } from './gatherMints.js'
import { mintBatch } from './mintBatch.js'
import { sendNftUpdate } from './sendNftUpdate.js'

/** The handlers of all jobs for tokens, by name. */
export type NftHandlers = {
  [Name in 'nfts.gather' | 'nfts.mint' | 'nfts.update']: JobHandler<Name>
}

/** How long a mint waits for others to share its transaction. */
export const gatherMs = 100

/** Creates the handlers of the jobs for tokens. */
export const createNftHandlers = (
  deps: Deps,
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): NftHandlers => ({
  'nfts.gather': gatherMints(deps, () => wait(gatherMs)),
  'nfts.mint': mintBatch(deps),
  'nfts.update': sendNftUpdate(deps),
})
