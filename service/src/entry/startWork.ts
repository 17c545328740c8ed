import { limitChains } from '#adapters/jobs/limitChains.js'
import { createIpfsNode } from '#adapters/storage/createIpfsNode.js'
import { pinFile, pinWaiting } from '#adapters/storage/pin.js'
import { watchTokens } from '#holdings/tokens/watchTokens.js'
import { watchPayments } from '#sale/payments/watchPayments.js'
import type { Environment } from './cli/group.js'
import { createHandlers } from './createHandlers.js'
import type { OpenService } from './openService.js'
import { afterwardsMs, type Stop } from './process/createStop.js'
import { takeCommands, withTimeLimit } from './process/signals.js'
import { startCleaning } from './startCleaning.js'

/** Starts what a process does without being requested: watching chains, jobs, commands and cleaning. */
export const startWork = async ({ deps, jobs }: OpenService, stop: Stop, env: Environment): Promise<void> => {
  const { config, log } = deps
  const watcher = watchPayments(deps)
  stop.during('the payment watcher', withTimeLimit(watcher.stop))
  stop.during('the token watcher', withTimeLimit(watchTokens(deps).stop))
  stop.during('jobs', (patienceMs) => jobs.stop(patienceMs, afterwardsMs))
  const limitedChains = limitChains(deps.chains, deps.now)
  await jobs.start((slots) => ({
    ...createHandlers({ ...deps, chains: limitedChains(slots) }),
    'payments.look': watcher.look,
    ...(config.ipfsRpcUrl && { 'files.pin': pinFile(deps, createIpfsNode(config.ipfsRpcUrl)) }),
  }))
  if (config.ipfsRpcUrl) {
    pinWaiting(deps).catch((err) => log.warn({ err }, 'files from before the IPFS node are not pinned yet'))
  }
  stop.during('commands', withTimeLimit(await takeCommands(deps, env)))
  const stopCleaning = startCleaning(deps)
  stop.during('cleaning', async () => stopCleaning())
}
