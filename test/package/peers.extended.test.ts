import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack, runNpm } from '../../scripts/lib/pack.mjs'
import { readSource, root } from '../helpers/sources.js'

/** Other people's packages come over the network where npm has not kept them. */
const _slow = 300_000

type Manifest = { exports: Record<string, unknown>; peerDependencies: Record<string, string> }
const manifest: Manifest = JSON.parse(readSource('package.json'))

/** The lowest version of a range such as `>=5.89 <6` or `3.x`. */
const lowestOf = (range: string): string => {
  const [major = '', minor = '0', patch = '0'] = /\d+(\.\d+)*/.exec(range)?.[0].split('.') ?? []
  return [major, minor, patch].join('.')
}

// Which TypeScript reads the types is tried with the types.
const lowest = Object.entries(manifest.peerDependencies)
  .filter(([name]) => name !== 'typescript')
  .map(([name, range]) => `${name}@${lowestOf(range)}`)

// What npm tells the scripts that it runs is about this repository, and not about an app elsewhere.
const isForeign = ([name]: [string, unknown]): boolean =>
  !/^npm_(package|lifecycle|config_local_prefix)|^(INIT_CWD|NODE_ENV|VITEST)/.test(name)
const env: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(process.env).filter(isForeign))

let app: string
beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'kassa-peers-'))
  writeFileSync(join(app, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  copyFileSync(join(root, 'test/package/peers/program.mjs'), join(app, 'program.mjs'))
  const flags = ['--save-exact', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await runNpm(['install', ...lowest, await pack('kassa', app), ...flags], { cwd: app, env })
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

test('behavior: with the lowest version of every peer, each entry loads, renders and works', () => {
  const output = execFileSync(process.execPath, ['program.mjs'], { cwd: app, env, encoding: 'utf8' })
  const entries = Object.keys(manifest.exports).filter((entry) => !/\*|\.(css|json)$/.test(entry))
  expect(JSON.parse(output)).toEqual({
    versions: lowest,
    entries: entries.map((entry) => entry.replace('.', 'kassa')),
    html: expect.stringMatching(/data-kassa="pay".*<i>idle idle idle<\/i>/),
    order: 'cached',
    wallet: 'cached',
  })
})
