import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { ServiceEnv } from '../http/context.js'

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const script = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null })`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kassa: the interface</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <main id="docs"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** Swagger UI: the build copies it beside this file. Before a build it is read from its package. */
const findSwaggerUi = (): string => {
  const copy = fileURLToPath(new URL('./swagger-ui', import.meta.url))
  if (existsSync(copy)) return copy
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** Shows the OpenAPI document as a page, all of it served from here. */
export const serveDocs = (): Hono<ServiceEnv> => {
  const folder = findSwaggerUi()
  const app = new Hono<ServiceEnv>()
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set(
      'content-security-policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    )
  })
  app.get('/', (c) => c.html(page))
  app.get('/start.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/${name}`, async (c) =>
      c.body(Uint8Array.from(await readFile(join(folder, name))), 200, {
        'content-type': type,
        'cache-control': 'public, max-age=86400',
      }),
    )
  }
  return app
}
