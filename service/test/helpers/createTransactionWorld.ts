import { Transaction, Wallet, type WebhookEventType } from 'kassa/schema'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import type { Config } from '#base/config/config.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { wallets, webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
import { createCaller } from './createCaller.js'
import { createFakeChain } from './createFakeChain.js'
import { createTestService } from './createTestService.js'

export const walletsPath = '/api/2022-06-09/wallets'
/** The address of a new recipient. */
export const friend = '0x00000000000000000000000000000000000000f1'

const Event = z.looseObject({
  type: z.string(),
  actionId: z.string(),
  resource: z.string(),
  data: Transaction,
})

/** An encoded call. `data` may be what the chain in memory refuses. */
export const directCall = (data = '0x', to = friend, value = '0') => ({ to, value, data })

/** The service with wallets on a chain in memory. The test runs the jobs. */
export const createTransactionWorld = async (
  options: { config?: Partial<Config>; database?: OpenDatabase } = {},
) => {
  let now = Date.now
  const chain = createFakeChain({ now: () => now(), isLocal: false })
  const service = await createTestService({ chains: [chain.port], ...options })
  const { deps, projectId } = service
  const { db } = deps
  now = deps.now
  const handler = () => createTransactionHandlers(deps)['transactions.send']

  const { send, ask } = createCaller(service)
  const createWallet = async (body: object = {}) => {
    const wallet = z.parse(Wallet, await ask(201, 'POST', walletsPath, { type: 'evm-smart-wallet', ...body }))
    const [row] = (await db.select().from(wallets)).filter(({ address }) => address === wallet.address)
    if (!row) throw new Error('the wallet was not written')
    const path = `${walletsPath}/${wallet.address}/transactions`
    const create = async (change: object = {}) => {
      const params = { calls: [directCall()], chain: 'base-sepolia', ...change }
      return z.parse(Transaction, await ask(201, 'POST', path, { params }))
    }
    return {
      id: row.id,
      address: wallet.address,
      wallet,
      path,
      create,
      createCall: async (call: object = { to: friend, data: '0x' }) =>
        z.parse(Transaction, await ask(201, 'POST', path, { params: { call, chain: 'base-sepolia' } })),
      get: async (id: string) => z.parse(Transaction, await ask(200, 'GET', `${path}/${id}`)),
      /** Runs the job that sends due transactions, as often as another process would need to. */
      run: (chainName = 'base-sepolia') => handler()({ walletId: row.id, chain: chainName }),
    }
  }

  return {
    ...service,
    chain,
    fake: chain.wallets,
    send,
    ask,
    createWallet,
    /** Runs the job that ends expired transactions. */
    expire: (transactionId: string) =>
      createTransactionHandlers(deps)['transactions.expire']({ transactionId }),
    /** A wallet that a user's own account signs for. */
    createOwnedWallet: async () => {
      const owner = privateKeyToAccount(generatePrivateKey())
      const config = { adminSigner: { type: 'evm-keypair', address: owner.address } }
      const wallet = await createWallet({ config })
      const sign = (message: string) => owner.signMessage({ message: { raw: message as Hex } })
      return {
        ...wallet,
        owner,
        sign,
        approve: async (id: string, message: string) =>
          send('POST', `${wallet.path}/${id}/approvals`, {
            approvals: [{ signer: owner.address, signature: await sign(message) }],
          }),
      }
    },
    listen: (...eventTypes: WebhookEventType[]) =>
      db.insert(webhookEndpoints).values({
        projectId,
        url: 'https://hook.example',
        eventTypes,
        secrets: [],
        createdAt: new Date(),
      }),
    events: async () => {
      const rows = await db.select().from(webhookEvents)
      return rows.map(({ body }) => z.parse(Event, JSON.parse(body)))
    },
  }
}

export type TransactionWorld = Awaited<ReturnType<typeof createTransactionWorld>>

/** Returns the hash that a transaction's signer signs. */
export const messageOf = ({ approvals }: Transaction): string => approvals?.pending?.[0]?.message ?? ''
