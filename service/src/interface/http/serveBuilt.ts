import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { ServiceError } from '#base/errors.js'
import type { ServiceEnv } from './context.js'

/** Answers with an app's page, given the text of its document. */
export type WritePage = (c: Context<ServiceEnv>, html: string) => Promise<Response>

type BuiltFile = { type: string; bytes: Uint8Array<ArrayBuffer>; compressed: Uint8Array<ArrayBuffer> }

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const compress = promisify(brotliCompress)
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const readFiles = async (folder: string): Promise<ReadonlyMap<string, BuiltFile>> => {
  const names = await readdir(folder, { recursive: true })
  const files = names.flatMap((name) => {
    const type = types[name.split('.').at(-1) ?? '']
    return type ? [{ name: name.replaceAll('\\', '/'), type }] : []
  })
  const read = files.map(async ({ name, type }) => {
    const bytes = Uint8Array.from(await readFile(join(folder, name)))
    const compressed = Uint8Array.from(await compress(bytes, quality))
    return [name, { type, bytes, compressed }] as const
  })
  return new Map(await Promise.all(read))
}

const send = (c: Context<ServiceEnv>, { type, bytes, compressed }: BuiltFile, caching: string): Response => {
  const isCompressed = /\bbr\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(isCompressed ? compressed : bytes, 200, {
    'content-type': type,
    'cache-control': caching,
    vary: 'Accept-Encoding',
    ...(isCompressed && { 'content-encoding': 'br' }),
  })
}

/**
 * Serves a built single-page app. Files below `assets` have a hash in their name, so browsers keep them for a year.
 * They are read with the first request: a service whose pages are not opened starts without them.
 *
 * @param location - The folder of the app.
 * @param pages - The paths at which the app shows a page.
 * @param write - Writes what a page says before its scripts run. Without it, all pages are the same document.
 */
export const serveBuilt = (location: URL, pages: readonly string[], write?: WritePage): Hono<ServiceEnv> => {
  const folder = fileURLToPath(location)
  let files: ReturnType<typeof readFiles> | undefined
  const find = async (path: string): Promise<BuiltFile | undefined> => {
    files ??= readFiles(folder).catch((cause: unknown) => {
      files = undefined
      throw new ServiceError('not-found', 'These pages are not built: run npm run build', { cause })
    })
    return (await files).get(path)
  }
  const app = new Hono<ServiceEnv>()
  app.get('/assets/:file', async (c) => {
    const file = await find(`assets/${c.req.param('file')}`)
    return file ? send(c, file, 'public, max-age=31536000, immutable') : c.notFound()
  })
  for (const page of pages) {
    app.get(page, async (c) => {
      const file = await find('index.html')
      if (!file) return c.notFound()
      return write ? write(c, new TextDecoder().decode(file.bytes)) : send(c, file, 'no-store')
    })
  }
  return app
}
