import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { fields } from 'kassa/schema'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod/mini'
import { findCollection } from '../collections/findCollection.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { ServiceEnv } from '../http/context.js'
import { readBody } from '../http/readBody.js'
import { parseInput } from '../lib/parseInput.js'
import { listMails } from '../mails/sendMail.js'
import { catalog } from './catalog.js'
import { proxyRpc } from './proxyRpc.js'
import type { SandboxChain } from './sandboxChain.js'

const FundBody = z.object({ chain: z.string(), address: fields.WalletAddress })

/** Faucet calls per hour, for one address on one chain. */
const fundsPerHour = 20

const describeChain = ({ chain, chainId, currencies, contracts }: SandboxChain) => ({
  rpcPath: `/rpc/${chain}`,
  chainId,
  tokens: Object.fromEntries(
    currencies.flatMap(({ currency, address, decimals }) =>
      address ? [[currency, { address, decimals }]] : [],
    ),
  ),
  contracts,
})

const describeShop = async ({ db, config }: Pick<Deps, 'db' | 'config'>, projectId: string) => {
  const found = await Promise.all(catalog.map(({ id }) => findCollection(db, projectId, id)))
  return found.flatMap((collection) =>
    collection && Object.hasOwn(config.chains, collection.chain)
      ? {
          id: collection.id,
          locator: `${config.namespace}:${collection.id}`,
          chain: collection.chain,
          name: collection.name,
          description: collection.description,
          imageUrl: collection.imageUrl,
          price: collection.price,
          currency: collection.priceCurrency,
          supplyLimit: collection.supplyLimit,
        }
      : [],
  )
}

/**
 * Creates the sandbox's own paths: its contents, its chains for browsers to call, their faucets, and its
 * mailbox.
 */
export const createSandbox = (
  deps: Pick<Deps, 'db' | 'config'>,
  projectId: string,
  chains: ReadonlyMap<string, SandboxChain>,
): Hono<ServiceEnv> => {
  const faucet = new RateLimiterMemory({ points: fundsPerHour, duration: 3_600 })
  const find = (name: string): SandboxChain => {
    const chain = chains.get(name)
    if (!chain) throw new ServiceError('not-found', `Chain ${name} not found`)
    return chain
  }
  const app = new Hono<ServiceEnv>()
  // The mailbox is excluded, because other pages must not read its e-mails.
  app.use('/sandbox', cors())
  app.use('/sandbox/fund', cors())
  app.use('/rpc/*', cors())

  app.get('/sandbox', async (c) =>
    c.json({
      chains: Object.fromEntries([...chains].map(([name, chain]) => [name, describeChain(chain)])),
      collections: await describeShop(deps, projectId),
    }),
  )
  app.post('/sandbox/fund', async (c) => {
    const { chain, address } = parseInput(FundBody, await readBody(c), 'body')
    const local = find(chain)
    if (!/^0x/.test(address)) throw new ServiceError('input-invalid', 'address: expected an EVM address')
    try {
      await faucet.consume(`${chain}:${address.toLowerCase()}`)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new ServiceError('rate-limited', 'That address has had enough for now', {
        retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000),
      })
    }
    await local.fund(address)
    return c.json({ chain, address })
  })
  app.get('/sandbox/mails', async (c) => c.json({ mails: await listMails(deps.db, projectId) }))
  app.post('/rpc/:chain', (c) => proxyRpc(c, find(c.req.param('chain')).rpcUrl))
  return app
}
