import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { privateDir, stateDir } from '../../scripts/lib/paths.mjs'
import { isKassaError } from '../../src/errors/KassaError.js'
import { root } from '../helpers/sources.js'

const isClient = /^(\s|\/\/.*|\/\*[\s\S]*?\*\/)*'use client'/
const exported = /^export (?:const|function|declare namespace) (\w+)/gm

/** Does what a bundler does for server components: a client module becomes references to its exports. */
const clientReferences: Plugin = {
  name: 'client-references',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!isClient.test(text)) return undefined
      const names = new Set([...text.matchAll(exported)].map(([, name]) => name))
      return {
        contents: [...names].map((name) => `export const ${name} = 'reference of ${name}'`).join('\n'),
      }
    }),
}

let entries: Record<'kassa' | 'wallet', Record<string, unknown>>
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * as kassa from 'kassa'\nexport * as wallet from 'kassa/wallet'",
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['react-server', '@kassa/source'],
    plugins: [clientReferences],
    write: false,
    logLevel: 'silent',
  })
  const file = join(privateDir(join(stateDir, 'serverComponents')), 'entries.mjs')
  writeFileSync(file, outputFiles.map(({ text }) => text).join(''))
  entries = await import(/* @vite-ignore */ file)
})

test.each([
  ['kassa', 'CheckoutProvider'],
  ['wallet', 'WalletProvider'],
] as const)('error: config.provider-in-server-component from %s, as %s', (entry, name) => {
  const provider = entries[entry][name]
  if (typeof provider !== 'function') throw new Error(`${name} is ${provider}`)
  const thrown = (() => {
    try {
      return provider({ children: null })
    } catch (error) {
      return error
    }
  })()
  expect(isKassaError(thrown, 'config.provider-in-server-component')).toBe(true)
  expect(thrown).toMatchObject({
    context: { name },
    message: expect.stringContaining('kassa/errors/config.provider-in-server-component.md'),
  })
})

test('behavior: everything else of the entries is what it is elsewhere', () => {
  expect(entries.kassa.useOrder).toBe('reference of useOrder')
  expect(entries.kassa.Checkout).toMatchObject({ Panel: expect.anything(), Pay: 'reference of CheckoutPay' })
  expect(entries.kassa.createClient).toBeInstanceOf(Function)
  expect(entries.wallet.useWallet).toBe('reference of useWallet')
})
