import { randomBytes } from 'node:crypto'
import type { SaleRules } from 'kassa/engine'
import { type BuyerDetail, CreateOrderBody, type Fungibility, type Order } from 'kassa/schema'
import * as z from 'zod/mini'
import { createIssuer } from '#adapters/chains/evm/accounts/createIssuer.js'
import type { JobHandlers } from '#adapters/jobs/createJobs.js'
import { openVault } from '#adapters/kms/openVault.js'
import { createStorage } from '#adapters/storage/createStorage.js'
import type { Call } from '#base/call.js'
import type { Config } from '#base/config/config.js'
import type { Database } from '#base/db/database.js'
import { createNotices } from '#base/db/notices.js'
import { templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobName, Jobs } from '#base/ports/jobs.js'
import type { RateSource } from '#base/ports/rates.js'
import { scopes } from '#base/scopes.js'
import { createCollectionHandlers } from '#goods/collections/handlers.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { createNftHandlers } from '#goods/nfts/handlers.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
import { createProject } from '#identity/projects/projects.js'
import { createWebhookHandlers } from '#notify/webhooks/handlers.js'
import { createSettleHandler } from '#sale/authorizations/settleAuthorization.js'
import { sendTransfer } from '#sale/ledger/sendUnattributed.js'
import { createOrder } from '#sale/orders/createOrder.js'
import { createOrderStreams } from '#sale/orders/createOrderStreams.js'
import { createOrderHandlers } from '#sale/orders/handlers.js'
import { getOrder } from '#sale/orders/readOrders.js'
import { updateOrder } from '#sale/orders/updateOrder.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { testConfig } from './testConfig.js'
import { testNetwork } from './testNetwork.js'

type QueuedJob = { name: JobName; data: Record<string, unknown>; startAfterMs: number }

export const recipientAddress = '0x00000000000000000000000000000000000000bb'
export const payerAddress = '0x00000000000000000000000000000000000000aa'

/** The verbs and effects of orders on the caller's database and chains, with a queue that the test runs. */
export const createOrderWorld = async (parts: {
  db: Database
  chains: readonly ChainPort[]
  now: () => number
  config?: Partial<Config>
  rates?: RateSource
}) => {
  const { db, now } = parts
  const chains = new Map(parts.chains.map((chain) => [chain.chain, chain]))
  const queue: QueuedJob[] = []
  const jobs: Jobs = {
    enqueue: async (_tx, name, data, options) => {
      queue.push({ name, data, startAfterMs: options?.startAfter?.getTime() ?? 0 })
    },
  }
  const logged: string[] = []
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const config: Config = { ...testConfig, ...parts.config }
  const notices = createNotices('', undefined)
  const logger = { info: log, warn: log, error: log }
  const deps: Deps = {
    config,
    db,
    jobs,
    notices,
    orderStreams: createOrderStreams({ db, notices, log: logger, now, randomBytes, config }),
    chains: { enabled: [...chains.keys()], get: (name) => chains.get(name) },
    storage: createStorage(db),
    vault: openVault(config, randomBytes),
    issuer: createIssuer(config.operatorKey),
    ...testNetwork,
    ...(parts.rates && { rates: parts.rates }),
    log: logger,
    now,
    randomBytes,
  }
  const projectId = await createProject(db, `test ${randomBytes(6).toString('hex')}`)
  const serverCall: Call = {
    actor: { kind: 'server-key', keyId: 'key', projectId, scopes },
    client: {},
    complete: async () => {},
  }
  const handlers: JobHandlers = {
    ...createCollectionHandlers(deps),
    ...createNftHandlers(deps, async () => {}),
    ...createOrderHandlers(deps),
    'authorizations.settle': createSettleHandler(deps),
    'unattributed.send': sendTransfer(deps),
    ...createTransactionHandlers(deps),
    ...createWebhookHandlers(deps),
  }

  const runJob = async ({ name, data }: QueuedJob): Promise<void> => {
    // The test starts searches for payments. Webhooks and e-mails stay unsent.
    const handler = handlers[name] as ((data: Record<string, unknown>) => Promise<void>) | undefined
    await handler?.(data)
  }

  const get = (orderId: string): Promise<Order> => getOrder(deps, serverCall, { orderId })

  return {
    deps,
    projectId,
    serverCall,
    queue,
    logged,
    secretCall: (orderId: string): Call => ({
      actor: { kind: 'client-secret', projectId, orderId },
      client: {},
      complete: async () => {},
    }),
    createCollection: (input: {
      id: string
      /** @default the id */
      name?: string
      chain?: 'base-sepolia' | 'polygon-amoy' | 'solana'
      price?: string
      currency?: string
      currencies?: string[]
      supplyLimit?: number
      fungibility?: Fungibility
      isSubscription?: boolean
      isTransferable?: boolean
      /** The recipient of the proceeds; absent for the treasury. */
      recipientAddress?: string
      requires?: readonly BuyerDetail[]
      sale?: SaleRules
    }) =>
      db.transaction((tx) => {
        const {
          id,
          name = id,
          chain = 'base-sepolia',
          price = '0.01',
          currency = 'eth',
          currencies,
          recipientAddress,
          requires,
          ...rest
        } = input
        const names = { name, description: `About ${id}`, imageUrl: 'ipfs://picture', symbol: 'T' }
        const payments = { price, currency, currencies, recipientAddress, requires }
        return insertCollection(tx, { projectId, id, chain, ...names, payments, ...rest }, now())
      }),
    /** Creates a template of a collection, with its own metadata. */
    createTemplate: async (input: {
      collectionId: string
      name?: string
      supplyLimit?: number
      /** In a semi-fungible collection, the id that all copies share. */
      tokenId?: bigint
    }): Promise<string> => {
      const { name = 'Copy', ...rest } = input
      const id = createUuid(randomBytes)
      const metadata = { name, description: `About ${name}`, image: `ipfs://${name}` }
      await db.insert(templates).values({ ...rest, id, projectId, metadata, createdAt: new Date(now()) })
      return id
    },
    create: (body: Record<string, unknown>, call: Call = serverCall) =>
      createOrder(
        deps,
        call,
        z.parse(CreateOrderBody, {
          recipient: { walletAddress: recipientAddress },
          payment: { method: 'base-sepolia', currency: 'eth', payerAddress },
          ...body,
        }),
      ),
    get,
    /**
     * Ends an order's quote, as if payments had been looked for up to its end. What that enqueues waits.
     */
    endQuote: async (orderId: string): Promise<void> => {
      const endMs = Date.parse((await get(orderId)).quote.expiresAt ?? '')
      const event = { type: 'time-passed', searchedUntilMs: endMs + 1 } as const
      await db.transaction((tx) => updateOrder({ ...deps, now: () => endMs }, tx, orderId, event))
    },
    look: async () => {
      for (const chain of chains.values()) await lookForPayments(deps, chain, defaultWatchOptions)
    },
    /** Runs the due jobs until none are left. A failed one stays and throws. */
    drain: async () => {
      for (;;) {
        const at = queue.findIndex(({ startAfterMs }) => startAfterMs <= now())
        const job = queue[at]
        if (!job) return
        await runJob(job)
        // A concurrent drain may have run it too.
        const done = queue.indexOf(job)
        if (done >= 0) queue.splice(done, 1)
      }
    },
  }
}

export type OrderWorld = Awaited<ReturnType<typeof createOrderWorld>>
