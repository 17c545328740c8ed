import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { ServiceEnv } from '../http/context.js'

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2436c2"/><path d="M11 7v18M22 7l-9 9 9 9" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kassa: the interface</title>
    <link rel="icon" href="${icon}">
  </head>
  <body>
    <main id="docs"></main>
    <script src="/docs/standalone.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** Scalar’s bundle: the build copies it beside this file. Before a build it is read from its package. */
const findBundle = (): string => {
  const copy = fileURLToPath(new URL('./scalar/standalone.cjs', import.meta.url))
  if (existsSync(copy)) return copy
  const { resolve } = createRequire(import.meta.url)
  return join(dirname(resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
}

/** The colours of the example storefront. */
const customCss = `
.light-mode { --scalar-color-accent: #2436c2; --scalar-background-1: #fcfcfb; --scalar-background-2: #f4f4f1; --scalar-background-3: #e9e9e4; --scalar-color-1: #17181c; --scalar-color-2: #5a5d65; --scalar-color-3: #6c6f77; --scalar-border-color: #dfdfd9; }
.dark-mode { --scalar-color-accent: #aab4ff; --scalar-background-1: #121317; --scalar-background-2: #191b20; --scalar-background-3: #23252b; --scalar-color-1: #f1f1ee; --scalar-color-2: #a9acb4; --scalar-color-3: #9195a0; --scalar-border-color: #2d3037; }
`

/** Starts the page. Nothing that it shows comes from another server, and nothing that it knows goes to one. */
const writeStart = (key: string | undefined): string => {
  const configuration = {
    url: '/openapi.json',
    theme: 'none',
    customCss,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    // Each operation has samples of its own, in curl and TypeScript.
    hiddenClients: true,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      ...(key !== undefined && { securitySchemes: { apiKey: { value: key } } }),
    },
  }
  return `Scalar.createApiReference('#docs', ${JSON.stringify(configuration)})`
}

/**
 * Shows the OpenAPI document as a page, all of it served from here.
 *
 * @param sandboxKey - Fills the page, for requests to the sandbox's own address: a name that a stranger points to
 * this machine gets a page without it.
 */
export const serveDocs = ({
  publicUrl,
  sandboxKey,
}: {
  publicUrl: string
  sandboxKey: string | undefined
}): Hono<ServiceEnv> => {
  const bundle = findBundle()
  const { host } = new URL(publicUrl)
  const app = new Hono<ServiceEnv>()
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set('cross-origin-resource-policy', 'same-origin')
    c.res.headers.set(
      'content-security-policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
    )
  })
  app.get('/', (c) => c.html(page))
  app.get('/start.js', (c) => {
    const isOwn = new URL(c.req.url).host === host
    return c.body(writeStart(isOwn ? sandboxKey : undefined), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
    })
  })
  app.get('/standalone.js', async (c) =>
    c.body(Uint8Array.from(await readFile(bundle)), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    }),
  )
  return app
}
