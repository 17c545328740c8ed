import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { claim } from '../../scripts/lib/presence.mjs'
import { openSandbox, saveSandbox, urlsOf } from '../../scripts/lib/sandbox.mjs'
import { root } from '../helpers/sources.js'

const clones: string[] = []
afterEach(() => {
  for (const clone of clones.splice(0)) rmSync(clone, { recursive: true })
})

/** A clone in which one package is to be installed, as far as `npm start` reads it before it installs. */
const createClone = (): string => {
  const clone = mkdtempSync(join(tmpdir(), 'kassa-start-'))
  clones.push(clone)
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  const own = { name: 'clone', version: '1.0.0', type: 'module', engines: { node: '>=20' } }
  const described = { ...own, dependencies: { 'some-package': '1.0.0' } }
  writeFileSync(join(clone, 'package.json'), JSON.stringify(described))
  const packages = { '': described, 'node_modules/some-package': { version: '1.0.0' } }
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ ...own, lockfileVersion: 3, packages }))
  return clone
}

type Ended = { status: number | null; out: string; err: string }

const start = (clone: string, code: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: clone, env: { ...process.env, ...env } }
    const child = execFile(process.execPath, ['--input-type=module', '-e', code], options, (_, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    )
  })

test('behavior: a clone that is started already tells its addresses', async () => {
  const clone = createClone()
  const dataDir = join(clone, '.kassa')
  const storefront = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(storefront, 'listening')
  const { port } = storefront.address() as AddressInfo
  saveSandbox(dataDir, { ...openSandbox(dataDir), ports: { service: 4000, storefront: port } })
  const release = await claim(dataDir, () => urlsOf(openSandbox(dataDir)))
  const { status, out, err } = await start(clone, `await import('./scripts/start.mjs')`)
  await release()
  storefront.close()
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(out).toContain('This clone is already started.')
  for (const address of [
    `http://localhost:${port}\n`,
    `http://localhost:${port}/sandbox/mails`,
    `http://localhost:${port}/orders`,
    'http://localhost:4000/docs',
    'npm run storybook',
  ])
    expect(out).toContain(address)
})

test('error: no registry answers', async () => {
  const registry = createServer().listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  await new Promise((resolve) => registry.close(resolve))
  const clone = createClone()
  const { status, err } = await start(clone, `await import('./scripts/start.mjs')`, {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: '0',
    npm_config_cache: join(clone, 'cache'),
  })
  expect(status).toBe(1)
  expect(err.trim()).toBe(
    `npm cannot reach the registry at http://127.0.0.1:${port} (ECONNREFUSED), so the packages are not installed. Check the network and npm's setting "registry", and run this again.`,
  )
})

test('error: the folder is read-only', async () => {
  const clone = createClone()
  chmodSync(clone, 0o555)
  // The superuser can write into any folder.
  const asOther = 'if (process.getuid?.() === 0) process.setuid(65534);'
  const { status, out, err } = await start(clone, `${asOther} await import('./scripts/start.mjs')`)
  chmodSync(clone, 0o755)
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(err.trim().split('\n')).toEqual([expect.stringMatching(/^\/\S+ cannot be written\./)])
})
