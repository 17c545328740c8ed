import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { fields, findLocale } from 'kassa/schema'
import * as z from 'zod/mini'
import type { PaymentLinkRow } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { type OpenedLink, openLink, orderByLink, requireLink } from '#sale/links/openLink.js'
import { readCaller } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import type { Limit, RateLimits } from '../http/rateLimit.js'
import { readBody } from '../http/readBody.js'
import { secureHeaders } from '../http/secureHeaders.js'
import { serveBuilt } from '../http/serveBuilt.js'
import { unfurl } from '../http/unfurl.js'

// The same folder for the compiled service and for its sources.
const builtApp = new URL('../../../dist/payApp/', import.meta.url)

const LinkOrderBody = z.object({
  quantity: z.optional(
    z
      .int('expected a whole number')
      .check(z.gte(1, 'expected 1 or more'), z.lte(100, 'expected 100 or fewer')),
  ),
  recipient: z.optional(fields.RecipientInput),
  locale: z.optional(fields.LocaleTag),
})

/** Returns the language that a buyer reads: of the address, or the first of the browser. */
const localeOf = (c: Context<ServiceEnv>): string => {
  const [first = ''] = (c.req.header('accept-language') ?? '').split(/[,;]/)
  return findLocale((c.req.query('lang') ?? first).trim())
}

/** Returns the address of a picture for programs that know no `ipfs://`. */
const toWebUrl = (publicUrl: string, imageUrl: string | undefined): string | undefined => {
  if (imageUrl?.startsWith('ipfs://')) return `${publicUrl}/ipfs/${imageUrl.slice('ipfs://'.length)}`
  return imageUrl && /^https?:\/\//.test(imageUrl) ? imageUrl : undefined
}

/** A link that sells no more is gone; one that never was is not found. */
const httpStatusOf = ({ status }: OpenedLink): 200 | 410 => (status === 'active' ? 200 : 410)

/** Where the deployment takes payments, which pages verify before a wallet signs. */
export type PayRules = Readonly<Record<string, unknown>>

/** Serves the pages of payment links. Everything acts with the id of a link alone. */
export const servePay = (deps: Deps, limits: RateLimits, rules: PayRules = {}): Hono<ServiceEnv> => {
  const { config } = deps
  const app = new Hono<ServiceEnv>()
  const networkOf = (c: Context<ServiceEnv>) => callerNetwork(c, config.isBehindProxy)
  const count = async (limit: Limit, key: string): Promise<void> => {
    const { isAllowed, resetSeconds } = await limits.count(limit, key)
    if (isAllowed) return
    throw new ServiceError('rate-limited', 'Too many requests: wait before the next one', {
      retryAfterSeconds: resetSeconds,
    })
  }
  const find = (c: Context<ServiceEnv>): Promise<PaymentLinkRow> =>
    requireLink(deps, c.req.param('paymentLinkId') ?? '')

  app.use(secureHeaders)
  const counted = createMiddleware<ServiceEnv>(async (c, next) => {
    if (c.req.method !== 'POST') await count('addressSecretReadsPerMinute', networkOf(c))
    await next()
  })
  // No look-up follows another form of id.
  app.use('/:paymentLinkId{pl_[^/]+}', counted)
  app.use('/:paymentLinkId{pl_[^/]+}/*', counted)

  app.get('/:paymentLinkId/link', async (c) => c.json({ ...(await openLink(deps, await find(c))), rules }))
  app.post('/:paymentLinkId/orders', async (c) => {
    const network = networkOf(c)
    // Strangers are limited as they are with a client key, and for each link.
    const link = await find(c)
    await count('addressLinkOrdersPerMinute', `${link.id}:${network}`)
    await count('linkOrdersPerMinute', link.id)
    await count('addressWritesPerMinute', `${link.projectId}:${network}`)
    await count('clientWritesPerMinute', link.projectId)
    const body = parseInput(LinkOrderBody, await readBody(c), 'body')
    const client = readCaller(c, config.isBehindProxy)
    return c.json(await orderByLink(deps, { link, client }, body), 201)
  })
  app.route(
    '/',
    serveBuilt(builtApp, ['/:paymentLinkId'], async (c, html) => {
      const link = await find(c).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'not-found') return undefined
        throw error
      })
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      if (!link) return c.body(html, 404, headers)
      const opened = await openLink(deps, link)
      const [item] = opened.lineItems
      const imageUrl = toWebUrl(config.publicUrl, item?.imageUrl)
      const page = unfurl(html, {
        locale: localeOf(c),
        title: opened.title,
        description: item?.description || opened.shop,
        siteName: opened.shop,
        url: `${config.publicUrl}/pay/${link.id}`,
        ...(imageUrl !== undefined && { imageUrl }),
      })
      return c.body(page, httpStatusOf(opened), headers)
    }),
  )
  return app
}
