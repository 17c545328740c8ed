// Writes service/src/adapters/chains/evm/connection/publishedTokens.ts from token lists that others publish on npm. A token is taken when
// two lists agree on its name, address and decimals. Of two such addresses, the one in the first list is taken, and
// without it neither is.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getAddress } from 'viem'
import { runTool } from './lib/build.mjs'
import { loadSchemas } from './lib/loadSchemas.mjs'
import { root } from './lib/paths.mjs'

const { evmChains } = await loadSchemas()
const target = join(root, 'service/src/adapters/chains/evm/connection/publishedTokens.ts')

/** @type {(readonly [string, string])[]} */
const lists = [
  ['@uniswap/default-token-list@22.21.0', 'build/uniswap-default.tokenlist.json'],
  ['@eth-optimism/tokenlist@10.0.1757', 'dist/optimism.tokenlist.mjs'],
  ['@superfluid-finance/tokenlist@5.38.0', 'dist/superfluid.extended.tokenlist.json'],
  ['@bgd-labs/aave-address-book@4.44.22', 'tokenlist.json'],
  ['@sushiswap/default-token-list@43.3.0', 'build/sushiswap-default.tokenlist.json'],
]

// Names that mean one token on every EVM chain. Names of native coins are left out, because lists use them for wrapped
// coins too. So are names that several tokens share, such as `bitcoin`.
const names = [
  'ape',
  'brett',
  'busd',
  'credit',
  'degen',
  'eurc',
  'mog',
  'pirate',
  'spx',
  'superverse',
  'toshi',
  'usdc',
  'usdce',
  'usdt',
  'weth',
  'wld',
]

/** The names of the main networks, by their ids. @type {Record<number, string>} */
const chains = Object.fromEntries(
  Object.entries(evmChains)
    .filter(([, { isTestnet }]) => !isTestnet)
    .map(([name, { chainId }]) => [chainId, name]),
)

/**
 * @param {string | undefined} chain
 * @param {string} symbol
 */
const nameOf = (chain, symbol) => {
  // Tether renamed its token on Arbitrum. Some lists have the new symbol, others the old one.
  if (chain === 'arbitrum' && ['usdt0', 'usd₮0'].includes(symbol)) return 'usdt'
  return symbol === 'usdc.e' ? 'usdce' : symbol
}

/**
 * Returns the tokens of a published list, each as `chain currency address decimals`.
 * @param {string} folder
 * @param {readonly [string, string]} list its package, and its file in there
 * @returns {Promise<string[]>}
 */
const download = async (folder, [source, path]) => {
  const [archive] = JSON.parse(
    execFileSync('npm', ['pack', '--json', source], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }),
  )
  execFileSync('tar', ['xzf', archive.filename], { cwd: folder })
  const file = join(folder, 'package', path)
  /** @type {{ tokens: { chainId: number, symbol: string, address: string, decimals: number }[] }} */
  const { tokens } = path.endsWith('.json')
    ? JSON.parse(readFileSync(file, 'utf8'))
    : await import(pathToFileURL(file).href)
  rmSync(join(folder, 'package'), { recursive: true })
  return tokens.flatMap(({ chainId, symbol, address, decimals }) => {
    const chain = chains[chainId]
    const currency = nameOf(chain, symbol.toLowerCase())
    return chain && names.includes(currency)
      ? [`${chain} ${currency} ${getAddress(address)} ${decimals}`]
      : []
  })
}

const folder = mkdtempSync(join(tmpdir(), 'kassa-tokens-'))
try {
  /** @type {Set<string>[]} */
  const published = []
  for (const list of lists) published.push(new Set(await download(folder, list)))
  const entries = [...new Set(published.flatMap((list) => [...list]))]
  const confirmed = entries.filter((entry) => published.filter((list) => list.has(entry)).length > 1)
  const unique = confirmed.filter((entry) => {
    const [chain, currency] = entry.split(' ')
    const rivals = confirmed.filter((other) => other.startsWith(`${chain} ${currency} `))
    return rivals.length === 1 || published[0]?.has(entry)
  })
  const lines = Object.values(chains)
    .sort()
    .flatMap((chain) => {
      const own = unique.filter((entry) => entry.startsWith(`${chain} `)).sort()
      if (!own.length) return []
      const tokens = own.map((entry) => {
        const [, currency, address, decimals] = entry.split(' ')
        return `    { currency: '${currency}', address: '${address}', decimals: ${decimals} },`
      })
      return [`  '${chain}': [`, ...tokens, '  ],']
    })
  writeFileSync(
    target,
    [
      "import type { ChainCurrency } from '../../../ports/currency.js'",
      '',
      '/**',
      ' * Tokens of main networks whose balances the service shows. They are no means of payment: those are configured.',
      ' *',
      ' * Written by `node scripts/tokens.mjs`. Two of these lists agree on each name, address and decimals:',
      ...lists.map(([source]) => ` * - ${source}`),
      ' *',
      ' * The lists are licensed under MIT, and those of Uniswap and SushiSwap under GPL-3.0-or-later. What is here are',
      ' * facts about the chains, and nothing of their text, logos or code.',
      ' */',
      'export const publishedTokens: Readonly<Record<string, readonly ChainCurrency[]>> = {',
      ...lines,
      '}',
      '',
    ].join('\n'),
  )
  await runTool('@biomejs/biome/bin/biome', ['check', '--write', target])
} finally {
  rmSync(folder, { recursive: true })
}
