import { createCollectionHandlers } from '../../service/src/goods/collections/handlers.js'
import { createNftHandlers } from '../../service/src/goods/nfts/handlers.js'
import { createTransactionHandlers } from '../../service/src/holdings/transactions/handlers.js'
import { createWebhookHandlers } from '../../service/src/notify/webhooks/handlers.js'
import { createTestChain } from '../../service/test/helpers/createTestChain.js'
import { createTestService } from '../../service/test/helpers/createTestService.js'
import { type Network, testNetwork } from '../../service/test/helpers/testNetwork.js'
import { createClient } from '../../src/api/index.js'

/** The service in this process, on a real chain, for a merchant who puts things on it. */
export const createTokenShop = async (network: Partial<Network> = {}) => {
  const world = await createTestChain()
  const service = await createTestService({
    chains: [world.chain],
    database: world.database,
    network: { ...testNetwork, ...network },
    handlers: (deps) => ({
      ...createCollectionHandlers(deps),
      ...createNftHandlers(deps),
      ...createTransactionHandlers(deps),
      ...createWebhookHandlers(deps),
    }),
  })
  const client = createClient({
    baseUrl: 'http://service.test/api',
    apiKey: service.serverKey,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      return service.app.request(String(input), init)
    },
  })
  return {
    world,
    service,
    client,
    close: async () => {
      await service.close()
      await world.close()
    },
  }
}

export type TokenShop = Awaited<ReturnType<typeof createTokenShop>>
