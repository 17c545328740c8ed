import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { explainChainAddress, getRate, toFiat, viewSale } from 'kassa/engine'
import { type Amount, fields, toBaseUnits } from 'kassa/schema'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import type { Rates } from '#base/ports/rates.js'
import { countAvailable } from '#goods/collections/countAvailable.js'
import { listForSale } from '#goods/collections/listForSale.js'
import { type Collection, namedStandardOf } from '#goods/collections/viewCollection.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { readBody } from '#interface/http/readBody.js'
import { listMails } from '#notify/mails/sendMail.js'
import { catalog } from './catalog.js'
import { proxyRpc } from './proxyRpc.js'
import type { SandboxChain } from './sandboxChain.js'
import { showTransaction } from './showTransaction.js'

/** What the address needs of one currency, if that is more than the faucet gives. */
const Least = z.object({
  currency: z.string(),
  amount: z
    .string()
    .check(z.regex(/^\d{1,6}(\.\d{1,36})?$/, 'expected an amount below a million, such as 2520.5')),
})

const FundBody = z.object({
  chain: z.string(),
  address: fields.WalletAddress,
  least: z.optional(Least),
})

/** Faucet calls per hour, for one address on one chain. */
const fundsPerHour = 20

const describeChain = ({ chain, currencies, ...rules }: SandboxChain) => ({
  rpcPath: `/rpc/${chain}`,
  explorerPath: `/sandbox/explorer/${chain}`,
  tokens: Object.fromEntries(
    currencies.flatMap(({ currency, address, decimals }) =>
      address ? [[currency, { address, decimals }]] : [],
    ),
  ),
  ...('operator' in rules
    ? { operator: rules.operator }
    : { chainId: rules.chainId, contracts: rules.contracts }),
})

/** Returns the WebSocket of a local node. On Solana, clients expect it on the port after that of HTTP. */
const webSocketOf = (rpcUrl: string, chain: SandboxChain): string => {
  const { hostname, port } = new URL(rpcUrl)
  return `ws://${hostname}:${'operator' in chain ? Number(port) + 1 : port}`
}

/** The most decimals that a list price has. */
const priceDecimals = 18

/** Returns a list price's worth in US dollars, if its currency has a rate. */
const priceInDollars = ({ price, priceCurrency }: Collection, rates: Rates['usd']): Amount | undefined => {
  const units = price === null ? undefined : toBaseUnits(price, priceDecimals)
  const rate = priceCurrency === null ? undefined : getRate(rates, priceCurrency)
  return units === undefined || rate === undefined ? undefined : toFiat(units, priceDecimals, rate)
}

/** The place of a collection in the shop: those of the catalog in its order, then the merchant's own. */
const placeOf = ({ id }: Collection): number => {
  const place = catalog.findIndex((demo) => demo.id === id)
  return place === -1 ? catalog.length : place
}

const describeShop = async (deps: Pick<Deps, 'db' | 'config' | 'rates' | 'now'>, projectId: string) => {
  const [{ usd }, forSale] = await Promise.all([deps.rates.read(), listForSale(deps, projectId)])
  const inOrder = forSale.toSorted((one, other) => placeOf(one) - placeOf(other))
  return inOrder.map((collection) => ({
    id: collection.id,
    locator: `${deps.config.namespace}:${collection.id}`,
    chain: collection.chain,
    standard: namedStandardOf(collection),
    name: collection.name,
    description: collection.description,
    imageUrl: collection.imageUrl,
    price: collection.price,
    currency: collection.priceCurrency,
    // Absent where orders are paid in every currency of the deployment.
    currencies: collection.paymentCurrencies ?? undefined,
    fiat: priceInDollars(collection, usd),
    supplyLimit: collection.supplyLimit,
    available: countAvailable(collection),
    sale: collection.sale ? viewSale(collection.sale, deps.now()) : undefined,
  }))
}

/**
 * Creates the sandbox's own paths: its contents, its chains for browsers to call, their explorers and faucets, and its
 * mailbox.
 */
export const createSandbox = (
  deps: Pick<Deps, 'db' | 'config' | 'rates' | 'now'>,
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
    const { chain, address, least } = parseInput(FundBody, await readBody(c), 'body')
    const local = find(chain)
    const owner = local.parseAddress(address)
    if (!owner) throw new ServiceError('input-invalid', `address: ${explainChainAddress(address, chain)}`)
    try {
      await faucet.consume(`${chain}:${owner}`)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new ServiceError('rate-limited', 'This address has received enough test funds for now', {
        retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000),
      })
    }
    await local.fund(owner, least)
    return c.json({ chain, address })
  })
  app.get('/sandbox/mails', async (c) => c.json({ mails: await listMails(deps.db, projectId) }))
  app.get('/sandbox/explorer/:chain/tx/:hash{[0-9a-zA-Z]{32,100}}', (c) =>
    showTransaction(c, find(c.req.param('chain')), c.req.param('hash')),
  )
  app.get('/sandbox/nodes/:chain', async (c) => {
    const chain = find(c.req.param('chain'))
    const rpcUrl = await chain.rpcUrl()
    return c.json({ rpcUrl, wsUrl: webSocketOf(rpcUrl, chain) })
  })
  app.post('/rpc/:chain', (c) => proxyRpc(c, find(c.req.param('chain')).rpcUrl))
  return app
}
