import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChild } from '../../scripts/lib/child.mjs'
import { layOut, writeImageLock } from '../../scripts/lib/imageLock.mjs'
import { pack, runNpm } from '../../scripts/lib/pack.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox, saveSandbox, urlsOf } from '../../scripts/lib/sandbox.mjs'
import { waitFor } from '../../scripts/lib/waitFor.mjs'
import { readSource, root } from '../helpers/sources.js'
import { buyToken } from './buyToken.mjs'

/** Other people's packages come over the network where npm has not kept them. */
const slow = 600_000

type Entry = { name?: string; version: string; integrity?: string; link?: boolean; resolved?: string }
type Lock = { packages: Record<string, Entry> }
const repository: Lock = JSON.parse(readSource('package-lock.json'))

const nameOf = (location: string): string => location.replace(/^.*node_modules\//, '')

let folder: string
let context: string
let app: string
let registry: Server
let env: NodeJS.ProcessEnv

/** The instructions of the Dockerfile's first stage, with its continued lines joined. */
const firstStage = (): string[] =>
  readSource('service/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split(/^FROM .*\n/m)[1]
    ?.split('\n')
    .filter(Boolean) ?? []

const readInstalled = (): Lock =>
  JSON.parse(readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8'))

/** Fetches the packages of the image as their authors published them, and returns the files by their integrity. */
const fetchTarballs = async (): Promise<Map<string, string>> => {
  const into = join(folder, 'tarballs')
  mkdirSync(into)
  const specifiers = Object.entries(layOut(repository.packages))
    .filter(([, entry]) => !entry.optional && !entry.resolved)
    .map(([location, { version }]) => `${nameOf(location)}@${version}`)
  const flags = ['--prefer-offline', '--json', '--pack-destination', into]
  const packed: { integrity: string; filename: string }[] = JSON.parse(
    await runNpm(['pack', ...new Set(specifiers), ...flags], { cwd: folder }),
  )
  return new Map(packed.map(({ integrity, filename }) => [integrity, join(into, filename)]))
}

/** Serves every version of the repository's lock file and, as the latest, one that is newer. */
const serveRegistry = async (tarballs: Map<string, string>): Promise<Server> => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const file = tarballs.get(Buffer.from(path.replace(/\.tgz$/, ''), 'hex').toString())
    if (file) return response.end(readFileSync(file))
    const found = Object.entries(repository.packages).filter(
      ([location, { name, link }]) => location && nameOf(location) === path && !name && !link,
    )
    if (!found.length) return response.writeHead(404).end('{}')
    const published = found.flatMap(([, { integrity = '', version, ...entry }]) => {
      const hex = Buffer.from(integrity).toString('hex')
      const dist = { integrity, tarball: `http://${request.headers.host}/${hex}.tgz` }
      return [version, version.replace(/\.\d+(-.*)?$/, '.999')].map((version) => ({
        ...entry,
        name: path,
        version,
        dist,
      }))
    })
    const versions = Object.fromEntries(published.map((each) => [each.version, each]))
    const latest = published.findLast(({ version }) => version.endsWith('.999'))?.version
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ name: path, 'dist-tags': { latest }, versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-image-'))
  context = join(folder, 'context')
  app = join(folder, 'app')
  mkdirSync(app)
  registry = await serveRegistry(await fetchTarballs())
  await pack('kassa', context)
  await pack('kassa-service', context)
  writeImageLock(context)
  const { port } = registry.address() as AddressInfo
  const isForeign = ([name]: [string, unknown]) => !/^(npm_|INIT_CWD|NODE_ENV|VITEST)/i.test(name)
  env = {
    ...Object.fromEntries(Object.entries(process.env).filter(isForeign)),
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_userconfig: join(folder, '.npmrc'),
  }
  for (const instruction of firstStage()) {
    const [, name, rest = ''] = /^(\w+) +(.*)$/.exec(instruction) ?? []
    if (name === 'COPY')
      for (const file of rest.split(' ').slice(0, -1)) cpSync(join(context, file), join(app, file))
    // The registry answers from this process, so the wait is not synchronous.
    else if (name === 'RUN') await promisify(execFile)('sh', ['-c', rest], { cwd: app, env })
  }
}, slow)

afterAll(async () => {
  await new Promise((resolve) => registry?.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

test('behavior: installs the versions of the lock file, though newer ones are published', () => {
  const installed = readInstalled().packages
  const wanted = Object.entries(layOut(repository.packages)).filter(([, { optional }]) => !optional)
  const versionOf = ([location, { version }]: [string, { version?: string }]) => `${location}@${version}`
  expect(Object.entries(installed).map(versionOf).sort()).toEqual(wanted.map(versionOf).sort())
  expect(wanted.length).toBeGreaterThan(100)
})

test('behavior: has one viem, one generation of @solana, and nothing that only a browser needs', () => {
  const installed = Object.entries(readInstalled().packages)
  const versionsOf = (pattern: RegExp) => [
    ...new Set(
      installed.filter(([location]) => pattern.test(nameOf(location))).map(([, { version }]) => version),
    ),
  ]
  expect(installed.map(([location]) => location).filter((location) => nameOf(location) === 'viem')).toEqual([
    'node_modules/viem',
  ])
  expect(versionsOf(/^@solana\//)).toHaveLength(1)
  expect(versionsOf(/^(react|react-dom|wagmi|typescript|litesvm)$|^@foundry-rs\//)).toEqual([])
})

test('behavior: the lock file follows from the repository’s alone, and names no registry', () => {
  const written = readFileSync(join(context, 'package-lock.json'), 'utf8')
  const again = join(folder, 'again')
  mkdirSync(again)
  writeImageLock(again)
  expect(readFileSync(join(again, 'package-lock.json'), 'utf8')).toBe(written)
  const resolved = Object.values((JSON.parse(written) as Lock).packages).flatMap(
    (entry) => entry.resolved ?? [],
  )
  expect(resolved.sort()).toEqual(['file:kassa-service.tgz', 'file:kassa.tgz'])
  expect(written).not.toMatch(/https?:\/\/(registry|127|localhost)/)
})

test('behavior: keeps a list of its contents', () => {
  const { bomFormat, components } = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8'))
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map(({ group, name }: { group?: string; name: string }) =>
    group ? `${group}/${name}` : name,
  )
  expect(names).toEqual(expect.arrayContaining(['kassa', 'kassa-service', 'viem', '@solana/kit']))
})

test('behavior: starts, and sells a token', { timeout: slow }, async () => {
  // The image has no local chains. Those of the repository stand in for a node elsewhere.
  symlinkSync(join(root, 'node_modules/@foundry-rs'), join(app, 'node_modules/@foundry-rs'))
  const [, script = ''] = /ENTRYPOINT \["node", "(.*)"\]/.exec(readSource('service/Dockerfile')) ?? []
  const dataDir = join(folder, 'data')
  const sandbox = openSandbox(dataDir)
  saveSandbox(dataDir, { ...sandbox, ports: { ...sandbox.ports, service: await findPort(4700) } })
  const moved = openSandbox(dataDir)
  const { serviceUrl } = urlsOf(moved)
  const program = serviceProgram(moved, dataDir, { KASSA_CHAINS: 'base-sepolia' })
  const service = startChild({ ...program, script: join(app, script), cwd: app })
  try {
    await waitFor(`${serviceUrl}/health`, service)
    expect(await buyToken({ serviceUrl, serverKey: moved.serverKey })).toBe('completed')
  } finally {
    await service.stop()
  }
})
