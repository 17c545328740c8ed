import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { listSources, readImports, readSource } from './helpers/sources.js'

/** A floor: its number, the folders and files that stand on it, and the packages it may use. */
type Floor = {
  level: number
  paths: string[]
  /** By their exact specifier; one that ends in `*` stands for all that begin like it. */
  packages: string[]
  /** The highest floor that it may import from, where that is not the one right below. */
  upTo?: number
}

const react = ['react', 'react/jsx-runtime']
const query = ['@tanstack/react-query']
const wagmi = ['wagmi', 'wagmi/actions', 'viem', 'viem/actions', ...query]

const library: Floor[] = [
  { level: 0, paths: ['errors'], packages: [] },
  { level: 1, paths: ['schema'], packages: ['zod/mini'] },
  { level: 3, paths: ['engine/evm'], packages: ['viem'] },
  { level: 4, paths: ['engine/wallet'], packages: ['zod/mini'] },
  { level: 2, paths: ['order', 'locales'], packages: [] },
  { level: 2, paths: ['engine'], packages: ['zod/mini'] },
  { level: 3, paths: ['api'], packages: [] },
  { level: 1, paths: ['chain/line.ts'], packages: [] },
  { level: 2, paths: ['chain/refusals.ts'], packages: [] },
  { level: 3, paths: ['chain/transferRequest.ts'], packages: [] },
  { level: 3, paths: ['chain/amountDue.ts'], packages: [] },
  { level: 4, paths: ['chain/evm'], packages: ['viem', 'viem/actions'] },
  { level: 4, paths: ['chain/solana'], packages: ['viem'] },
  { level: 5, paths: ['chain'], packages: [] },
  { level: 4, paths: ['server'], packages: ['zod/mini'] },
  { level: 4, paths: ['query'], packages: query },
  // What is of no family of chains knows no library of one: wagmi and viem are used in folders named `evm`.
  { level: 6, paths: ['pay/evm'], packages: wagmi },
  { level: 6, paths: ['pay'], packages: query },
  { level: 7, paths: ['solana'], packages: [] },
  { level: 7, paths: ['internal'], packages: react },
  { level: 8, paths: ['hooks/evm'], packages: [...wagmi, ...react] },
  { level: 8, paths: ['hooks'], packages: [...query, ...react] },
  { level: 9, paths: ['components/checkout/evm'], packages: [...wagmi, ...react] },
  { level: 9, paths: ['components'], packages: [...query, ...react, 'uqr'] },
  { level: 10, paths: ['wallet/evm'], packages: [...wagmi, 'viem/account-abstraction'] },
  { level: 10, paths: ['wallet'], packages: [...query, ...react] },
  { level: 10, paths: ['devtools'], packages: [...query, ...react, 'react-dom/client'] },
  { level: 10, paths: ['sandbox/evm'], packages: ['viem', 'viem/accounts', 'wagmi', 'zod/mini'], upTo: 7 },
  { level: 10, paths: ['sandbox'], packages: ['zod/mini'], upTo: 7 },
  {
    level: 10,
    paths: ['testing'],
    packages: [...wagmi, ...react, 'viem/accounts', 'viem/account-abstraction', 'zod/mini'],
  },
  {
    level: 11,
    paths: ['index.ts', 'index.server.ts', 'engine.ts', 'query.ts', 'theme.css.d.ts'],
    packages: [],
  },
]

const inputs = ['zod/mini', 'kassa/schema']
const web = ['hono', 'hono/*', '@hono/node-server', '@hono/node-server/*', 'rate-limiter-flexible']

const service: Floor[] = [
  { level: 0, paths: ['errors.ts'], packages: ['kassa/schema'] },
  { level: 1, paths: ['lib'], packages: ['node:crypto', ...inputs] },
  { level: 2, paths: ['config'], packages: ['node:*', ...inputs] },
  {
    level: 3,
    paths: ['call.ts', 'db'],
    packages: ['node:*', 'drizzle-orm', 'drizzle-orm/pg-core', 'pg', 'kassa/schema'],
  },
  { level: 4, paths: ['ports'], packages: ['kassa/schema'] },
  { level: 5, paths: ['authorize.ts', 'deps.ts'], packages: [] },
  // Verbs, by what they build on: keys and messages, actions, collections, tokens, orders.
  { level: 6, paths: ['keys', 'projects'], packages: ['node:crypto', 'drizzle-orm', ...inputs] },
  { level: 7, paths: ['wallets', 'files', 'mails'], packages: ['drizzle-orm', ...inputs] },
  { level: 7, paths: ['webhooks'], packages: ['node:crypto', 'drizzle-orm', 'standardwebhooks', ...inputs] },
  { level: 8, paths: ['actions'], packages: ['drizzle-orm', ...inputs] },
  { level: 8, paths: ['console'], packages: ['drizzle-orm', '@simplewebauthn/server', ...inputs] },
  { level: 9, paths: ['collections'], packages: ['node:*', 'drizzle-orm', ...inputs] },
  { level: 10, paths: ['templates'], packages: ['node:*', 'drizzle-orm', ...inputs] },
  { level: 11, paths: ['balances'], packages: [...inputs] },
  { level: 11, paths: ['nfts'], packages: ['node:*', 'drizzle-orm', ...inputs] },
  { level: 12, paths: ['orders'], packages: ['node:*', 'drizzle-orm', ...inputs] },
  { level: 12, paths: ['transactions'], packages: ['drizzle-orm', ...inputs] },
  {
    level: 13,
    paths: ['payments', 'ledger', 'restore', 'tokens', 'credentials'],
    packages: ['node:*', 'drizzle-orm', ...inputs],
  },
  { level: 14, paths: ['http'], packages: ['node:*', 'drizzle-orm', 'ipaddr.js', 'pg', ...inputs, ...web] },
  { level: 15, paths: ['routes'], packages: ['node:crypto', ...inputs, ...web] },
  { level: 16, paths: ['openapi', 'sandbox'], packages: ['node:*', ...inputs, ...web] },
  { level: 17, paths: ['app.ts', 'createHandlers.ts'], packages: web },
  // Adapters: they know the ports and what is below, and only main knows them.
  {
    level: 18,
    paths: ['storage'],
    packages: ['node:*', 'drizzle-orm', 'multiformats/*', 'ipfs-unixfs-importer', 'ipfs-unixfs-importer/*'],
    upTo: 5,
  },
  { level: 18, paths: ['guard'], packages: ['node:*', 'undici', 'ipaddr.js'], upTo: 5 },
  { level: 18, paths: ['rates'], packages: ['zod/mini'], upTo: 5 },
  { level: 18, paths: ['mail'], packages: ['node:*', 'nodemailer'], upTo: 5 },
  { level: 18, paths: ['kms'], packages: ['node:crypto'], upTo: 6 },
  // Beside `chains`, on a level of its own: the families of chains know nothing of each other.
  {
    level: 17.5,
    paths: ['chains/solana'],
    packages: ['node:*', 'drizzle-orm', '@solana/*', '@solana-program/*', 'litesvm', 'ws', ...inputs],
    upTo: 5,
  },
  {
    level: 18,
    paths: ['chains'],
    packages: [
      'node:*',
      'drizzle-orm',
      'drizzle-orm/pg-core',
      'viem',
      'viem/*',
      'ws',
      'kassa/schema',
      'kassa/chain',
    ],
    upTo: 5,
  },
  {
    level: 18,
    paths: ['postgres'],
    packages: ['node:*', 'drizzle-orm', 'drizzle-orm/*', '@electric-sql/pglite', 'pg'],
    upTo: 5,
  },
  { level: 18, paths: ['jobs'], packages: ['drizzle-orm', 'node:*'], upTo: 5 },
  // They know the adapters: to open a chain, to hide the keys of one, and to examine a deployment.
  { level: 19, paths: ['openChain.ts'], packages: ['node:*', 'kassa/schema'] },
  { level: 19, paths: ['diagnose.ts'], packages: ['drizzle-orm', 'kassa/schema'] },
  { level: 19, paths: ['createLog.ts'], packages: ['node:*', 'pino'] },
  { level: 20, paths: ['cli'], packages: ['node:*', 'kassa/schema'] },
  { level: 20, paths: ['metrics'], packages: ['prom-client', 'kassa/schema', ...web] },
  { level: 21, paths: ['process'], packages: ['node:*', ...web] },
  { level: 22, paths: ['main.ts'], packages: ['node:*', ...inputs, ...web] },
  { level: 23, paths: ['bin.ts'], packages: [] },
]

/** The floor of a path below its tree's root, or undefined: every file must stand on one. */
const floorOf = (floors: Floor[], path: string): Floor | undefined =>
  floors.find(({ paths }) => paths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))

// The order's rules are pure, so every floor of the service may use them.
const mayUse = ({ packages }: Floor, specifier: string): boolean =>
  specifier === 'kassa/engine' ||
  packages.some((name) => (name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : name === specifier))

/** Whether two floors are parts of one room, side by side. */
const isSameRoom = (a: Floor, b: Floor): boolean =>
  a.level === b.level && a.paths[0]?.split('/')[0] === b.paths[0]?.split('/')[0]

const mayImport = (floor: Floor, target: Floor): boolean =>
  target === floor || isSameRoom(floor, target) || target.level <= (floor.upTo ?? floor.level - 1)

/** Every import that goes up or sideways, or to a package its floor may not use, as `file → import`. */
const findBreaches = (tree: string, floors: Floor[], read = readSource): string[] =>
  listSources(tree, /\.tsx?$/).flatMap((file) => {
    const path = posix.relative(tree, file)
    const floor = floorOf(floors, path)
    if (!floor) return [`${file} stands on no floor`]
    return readImports(read(file))
      .filter((specifier) => {
        if (!specifier.startsWith('.')) return !mayUse(floor, specifier)
        const target = floorOf(floors, posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts')))
        return !target || !mayImport(floor, target)
      })
      .map((specifier) => `${file} → ${specifier}`)
  })

test('behavior: the library imports only downwards, and only the packages of each floor', () => {
  expect(findBreaches('src', library)).toEqual([])
})

test('behavior: the service imports only downwards, and main alone knows the adapters', () => {
  expect(findBreaches('service/src', service)).toEqual([])
})

/** Finds modules of a tree that import one another in a ring, by value or by type. */
const findCycle = (tree: string, read = readSource): string[] | undefined => {
  const files = listSources(tree, /\.tsx?$/)
  const ended = new Set<string>()
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (ended.has(file)) return undefined
    for (const specifier of readImports(read(file))) {
      if (!specifier.startsWith('.')) continue
      const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '')
      const module = files.find((each) => each === `${target}.ts` || each === `${target}.tsx`)
      const cycle = module && visit(module, [...path, file])
      if (cycle) return cycle
    }
    ended.add(file)
    return undefined
  }
  for (const file of files) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}

test.each(['src', 'service/src'])('behavior: no modules of %s import one another in a ring', (tree) => {
  expect(findCycle(tree)).toBeUndefined()
  const [one = '', other = ''] = listSources(tree, /index\.ts$/)
  const read = (file: string) => {
    if (file !== one && file !== other) return ''
    const target = posix.relative(posix.dirname(file), file === one ? other : one).replace(/\.ts$/, '.js')
    return `import type { Any } from '${target.startsWith('.') ? target : `./${target}`}'`
  }
  expect(findCycle(tree, read)).toEqual([one, other, one])
})

/** The names of EVM chains in what the service imports of the library, and where they may be used. */
const evmNames = [
  ...readSource('src/engine.ts').matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/engine\/evm\//gm),
]
  .flatMap(([, names = '']) => names.split(','))
  .map((name) => name.replace(/\btype\b/, '').trim())
  .concat('EvmChainName', 'evmChains', 'isEvmChainName')
const evmPaths = /^service\/src\/(chains\/|openChain\.ts$|config\/readChains\.ts$)/

const findEvmNames = (read = readSource): string[] =>
  listSources('service/src', /\.ts$/)
    .filter((file) => !evmPaths.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/import (?:type )?\{([^}]*)\} from 'kassa\/(?:engine|schema)'/g)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.replace(/\btype\b/, '').trim())
        .filter((name) => evmNames.includes(name))
        .map((name) => `${file} → ${name}`),
    )

test('behavior: only the EVM adapter and the registry of chains use what is of EVM chains alone', () => {
  expect(evmNames).toContain('readAddress')
  expect(findEvmNames()).toEqual([])
  const read = (file: string) =>
    file === 'service/src/sale/orders/refund.ts' ? "import { clip, readAddress } from 'kassa/engine'" : ''
  expect(findEvmNames(read)).toEqual(['service/src/sale/orders/refund.ts → readAddress'])
})

test('behavior: an import that goes up, sideways, or to a foreign package is found', () => {
  const files: Record<string, string> = {
    'src/schema/amount.ts': "import type { Client } from '../api/client.js'\nimport { z } from 'zod'",
    'src/chain/index.ts': "export const a = () => import('../pay/payment.js')",
    'service/src/interface/routes/orders.ts': "export * from '../chains/evm/evmChain.js'",
    'service/src/sale/orders/readOrders.ts': "import { Hono } from 'hono'",
  }
  const read = (file: string) => files[file] ?? ''
  expect(
    [...findBreaches('src', library, read), ...findBreaches('service/src', service, read)].sort(),
  ).toEqual([
    'service/src/sale/orders/readOrders.ts → hono',
    'service/src/interface/routes/orders.ts → ../chains/evm/evmChain.js',
    'src/chain/index.ts → ../pay/payment.js',
    'src/schema/amount.ts → ../api/client.js',
    'src/schema/amount.ts → zod',
  ])
})

test('behavior: no two modules of a folder differ only by case, so that a Mac and every bundler tell them apart', () => {
  const modules = ['src', 'service/src', 'stories', 'test', 'examples/next'].flatMap((folder) =>
    listSources(folder, /\.m?[jt]sx?$/).map((path) => path.replace(/\.[jt]sx?$/, '.js').toLowerCase()),
  )
  expect(modules.length).toBeGreaterThan(300)
  expect(modules.filter((path, index) => modules.indexOf(path) !== index)).toEqual([])
})
