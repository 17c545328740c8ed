import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack, packagesDir, runNpm } from '../../scripts/lib/pack.mjs'
import { readSource } from '../helpers/sources.js'

/** Other people's packages come over the network where npm has not kept them. */
const _slow = 300_000

type Entry = {
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
const { packages }: { packages: Record<string, Entry> } = JSON.parse(readSource('package-lock.json'))

/** Where a package finds another one, as Node looks for it. */
const resolve = (from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.replace(/\/?(node_modules\/)?[^/]*$/, '')) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[path]) return path
    if (!folder) return undefined
  }
}

/** Everything that an installation of a package brings along, by its path in the lock file. */
const installedWith = (path: string, found = new Set<string>()): Set<string> => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {}
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const next = resolve(path, name)
    if (!next || found.has(next)) continue
    found.add(next)
    installedWith(next, found)
  }
  return found
}

const telemetry = /(^|\/)@scarf\//

test.each(['', 'service'])(
  'behavior: nothing that %j depends on runs a script when it is installed',
  (path) => {
    const installed = [...installedWith(path)]
    expect(installed.length).toBeGreaterThan(path ? 40 : 3)
    expect(installed.filter((found) => packages[found]?.hasInstallScript)).toEqual([])
    expect(installed.filter((found) => telemetry.test(found))).toEqual([])
  },
)

let app: string
beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'kassa-install-'))
  writeFileSync(join(app, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  await Promise.all([pack('kassa'), pack('kassa-service')])
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

test('behavior: an installation of both packages says nothing but that it is done', async () => {
  const files = ['kassa', 'kassa-service'].map((name) => join(packagesDir, `${name}.tgz`))
  // npm reads settings of this machine and of this repository, and warns of those that it does not know.
  const env = Object.fromEntries(
    Object.entries({ ...process.env, npm_config_userconfig: join(app, '.npmrc') }).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|config_local_prefix)|^npm_config_nodedir|^(INIT_CWD|NODE_ENV)/i.test(name),
    ),
  )
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--no-progress', '--no-update-notifier']
  const said = await runNpm(['install', ...files, ...flags], { cwd: app, env, isWithComplaints: true })
  expect(said.trim()).toMatch(/^added \d+ packages in \S+$/)
  expect(existsSync(join(app, 'node_modules/@scarf'))).toBe(false)
  expect(existsSync(join(app, 'node_modules/kassa-service/dist/interface/openapi/scalar/LICENSE'))).toBe(true)
})
