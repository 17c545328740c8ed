import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
const wagmi3 = lowest.map((peer) => peer.replace(/^wagmi@.*/, 'wagmi@3.0.0'))

// What npm tells the scripts that it runs is about this repository, and not about an app elsewhere.
const isForeign = ([name]: [string, unknown]): boolean =>
  !/^npm_(package|lifecycle|config_local_prefix)|^(INIT_CWD|NODE_ENV|VITEST)/.test(name)
const env: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(process.env).filter(isForeign))

const entries = Object.keys(manifest.exports)
  .filter((entry) => !/\*|\.(css|json)$/.test(entry))
  .map((entry) => entry.replace('.', 'kassa'))

/** An app in TypeScript that uses every entry, and passes wagmi's own objects to the library and back. */
const typed = `${entries.map((entry, index) => `import * as entry${index} from '${entry}'`).join('\n')}
import { createTestService, createTestWallet } from 'kassa/testing'
import { sandboxWallet } from 'kassa/sandbox'
import type { ComponentProps } from 'react'
import { type Config, type Connector, createConfig, http, type WagmiProvider } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'

export const all = [${entries.map((_, index) => `entry${index}`).join(', ')}]
export const provided: ComponentProps<typeof WagmiProvider>['config'] = createTestWallet({
  service: createTestService(),
}).config
export const config: Config = createConfig({
  chains: [baseSepolia],
  connectors: [sandboxWallet({ baseUrl: 'http://shop.test/api' })],
  transports: { [baseSepolia.id]: http() },
})
export const toWallet = (connector: Connector) => entry0.Checkout.Wallet({ connector })
`
const compilerOptions = {
  strict: true,
  noEmit: true,
  jsx: 'react-jsx',
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

/** What the compiler says of the app and of the library's declarations; of those of other packages it says theirs. */
const compile = (app: string): string[] => {
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', app, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => /error TS\d+/.test(line) && !/^node_modules\/(?!kassa\/)/.test(line))
}

describe.each([
  ['the lowest version of every peer', lowest],
  ['the lowest version of wagmi 3', wagmi3],
])('%s', (_, peers) => {
  let app: string
  beforeAll(async () => {
    app = mkdtempSync(join(tmpdir(), 'kassa-peers-'))
    const write = (name: string, text: string) => writeFileSync(join(app, name), text)
    write('package.json', '{ "name": "shop", "private": true, "type": "module" }')
    write('typed.ts', typed)
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    copyFileSync(join(root, 'test/package/peers/program.mjs'), join(app, 'program.mjs'))
    const flags = ['--save-exact', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    const packages = [...peers, '@types/react@19', await pack('kassa', app)]
    await runNpm(['install', ...packages, ...flags], { cwd: app, env })
  })
  afterAll(() => rmSync(app, { recursive: true, force: true }))

  test('behavior: each entry loads, renders and works', () => {
    const output = execFileSync(process.execPath, ['program.mjs'], { cwd: app, env, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual({
      versions: peers,
      entries,
      html: expect.stringMatching(/data-kassa="pay".*<i>idle idle idle<\/i>/),
      order: 'cached',
      wallet: 'cached',
    })
  })

  test('behavior: its types and the library’s go together', () => {
    expect(compile(app)).toEqual([])
    writeFileSync(join(app, 'typed.ts'), `${typed}export const wrong: Config = 1\n`)
    expect(compile(app)).toEqual([expect.stringContaining('TS2322')])
  })
})
