import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { listSources, readImports, readSource, resolveImport } from './helpers/sources.js'

/**
 * The folders and files of one floor, from the ground up. Those of one floor stand side by side and do not import each
 * other; each imports what is below, and within itself.
 */
type Floor = readonly string[]

/** Which folders may import a package, by its specifier. One that ends in `*` stands for all that begin like it. */
type Packages = Readonly<Record<string, readonly string[]>>

type House = {
  floors: readonly Floor[]
  packages: Packages
  /** The highest floor that a folder may import, where that is not the one below its own. */
  upTo?: Readonly<Record<string, string>>
}

const library: House = {
  floors: [
    ['errors', 'schema'],
    ['engine', 'order', 'locales'],
    ['api'],
    ['chain', 'query', 'server'],
    ['pay'],
    ['internal', 'solana'],
    ['hooks'],
    ['components'],
    ['devtools', 'sandbox', 'testing', 'wallet'],
    ['engine.ts', 'panel.ts', 'parts.ts', 'query.ts', 'theme.css.d.ts'],
    ['index.ts'],
    ['index.server.ts'],
  ],
  upTo: { sandbox: 'solana' },
  // What is of no family of chains knows no library of one: wagmi and viem are used in folders named after it.
  packages: {
    '@tanstack/react-query': ['components', 'devtools', 'hooks', 'pay', 'query', 'testing', 'wallet'],
    react: ['components', 'devtools', 'hooks', 'internal', 'testing', 'wallet'],
    'react-dom/client': ['devtools'],
    'react/jsx-runtime': ['components', 'devtools', 'hooks', 'internal', 'testing', 'wallet'],
    uqr: ['components'],
    viem: [
      'chain/evm',
      'chain/solana',
      'components/checkout/evm',
      'engine/evm',
      'engine/solana',
      'hooks/evm',
      'pay/evm',
      'sandbox/evm',
      'testing',
      'wallet/evm',
    ],
    'viem/account-abstraction': ['engine/evm', 'testing', 'wallet/evm'],
    'viem/accounts': ['sandbox/evm', 'testing'],
    'viem/actions': ['chain/evm', 'components/checkout/evm', 'hooks/evm', 'pay/evm', 'testing', 'wallet/evm'],
    wagmi: ['components/checkout/evm', 'hooks/evm', 'pay/evm', 'sandbox/evm', 'testing', 'wallet/evm'],
    'wagmi/actions': ['components/checkout/evm', 'hooks/evm', 'pay/evm', 'testing', 'wallet/evm'],
    'zod/mini': ['engine', 'sandbox', 'schema', 'server', 'testing'],
  },
}

/** The rooms of the service that implement its ports. They know nothing of each other, so each has a row of its own. */
const adapters = [
  'adapters/chains/evm',
  'adapters/chains/solana',
  'adapters/guard',
  'adapters/jobs',
  'adapters/kms',
  'adapters/mail',
  'adapters/postgres',
  'adapters/rates',
  'adapters/storage',
] as const

const wings = ['adapters', 'base', 'entry', 'goods', 'holdings', 'identity', 'interface', 'notify', 'sale']
const notBase = wings.filter((wing) => wing !== 'base')

const service: House = {
  floors: [
    ['base/errors.ts', 'base/scopes.ts'],
    ['base/lib'],
    ['base/config'],
    ['base/db'],
    ['base/call.ts', 'base/ports'],
    ['base/deps.ts'],
    ['base/watch', 'identity'],
    ['notify'],
    ['goods'],
    ['holdings', 'sale'],
    ['interface', ...adapters],
    ['entry'],
    // The door, which is what the package's `bin` names.
    ['bin.ts'],
  ],
  upTo: Object.fromEntries(adapters.map((adapter) => [adapter, 'base/deps.ts'])),
  packages: {
    '@electric-sql/pglite': ['adapters/postgres'],
    '@hono/node-server': ['entry/process', 'interface/http'],
    '@hono/node-server/*': ['interface/http'],
    '@noble/curves/*': ['adapters/chains/solana'],
    '@simplewebauthn/server': ['identity/console'],
    '@solana-program/*': ['adapters/chains/solana'],
    '@solana/*': ['adapters/chains/solana'],
    'drizzle-orm': ['base/db', ...notBase],
    'drizzle-orm/*': ['adapters/postgres'],
    'drizzle-orm/pg-core': ['adapters/chains/evm', 'base/db'],
    hono: ['entry', 'interface'],
    'hono/*': ['entry', 'interface'],
    'ipaddr.js': ['adapters/guard', 'interface/http'],
    'ipfs-unixfs-importer': ['adapters/storage'],
    'ipfs-unixfs-importer/*': ['adapters/storage'],
    'kassa/chain': ['adapters/chains/evm', 'entry/pay'],
    'kassa/engine': wings,
    'kassa/schema': wings,
    litesvm: ['adapters/chains/solana'],
    'multiformats/*': ['adapters/storage'],
    'node:*': ['adapters', 'base', 'entry', 'goods', 'holdings', 'identity/keys', 'interface', 'sale'],
    nodemailer: ['adapters/mail'],
    pg: ['adapters/postgres', 'base/db', 'interface/http'],
    pino: ['entry'],
    'prom-client': ['entry/metrics'],
    'rate-limiter-flexible': ['entry/sandbox'],
    standardwebhooks: ['notify/webhooks'],
    undici: ['adapters/chains/evm', 'adapters/guard'],
    viem: ['adapters/chains/evm', 'entry/pay'],
    'viem/*': ['adapters/chains/evm', 'entry/pay'],
    ws: ['adapters/chains'],
    'zod/mini': wings,
  },
}

/** Whether a path is a file or lies in a folder. */
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** The place of a path in a house, and the number of its floor. Every file must have one. */
const placeOf = ({ floors }: House, path: string): { place: string; level: number } | undefined => {
  for (const [level, floor] of floors.entries()) {
    const place = floor.find((each) => isIn(path, each))
    if (place !== undefined) return { place, level }
  }
  return undefined
}

const mayUse = ({ packages }: House, path: string, specifier: string): boolean =>
  Object.entries(packages).some(
    ([name, places]) =>
      (name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : name === specifier) &&
      places.some((place) => isIn(path, place)),
  )

const mayImport = (house: House, path: string, target: string): boolean => {
  const from = placeOf(house, path)
  const to = placeOf(house, target)
  if (!from || !to) return false
  if (from.place === to.place) return true
  const highest = house.upTo?.[from.place]
  return to.level <= (highest ? (placeOf(house, highest)?.level ?? 0) : from.level - 1)
}

/** Every import that goes up or sideways, or to a package its folder may not use, as `file → import`. */
const findBreaches = (tree: string, house: House, read = readSource): string[] =>
  listSources(tree, /\.tsx?$/).flatMap((file) => {
    const path = posix.relative(tree, file)
    if (!placeOf(house, path)) return [`${file} stands on no floor`]
    return readImports(read(file))
      .filter((specifier) => {
        const target = resolveImport(path, specifier)
        return target === undefined ? !mayUse(house, path, specifier) : !mayImport(house, path, target)
      })
      .map((specifier) => `${file} → ${specifier}`)
  })

test('behavior: the library imports only downwards, and only the packages of each folder', () => {
  expect(findBreaches('src', library)).toEqual([])
})

test('behavior: the service imports only downwards, and only the packages of each wing', () => {
  expect(findBreaches('service/src', service)).toEqual([])
})

/** Imports of the service from one of some folders to one of others. */
const findImports = (from: readonly string[], to: readonly string[], read = readSource): string[] =>
  listSources('service/src', /\.ts$/).flatMap((file) => {
    const path = posix.relative('service/src', file)
    if (!from.some((place) => isIn(path, place))) return []
    return readImports(read(file))
      .filter((specifier) => to.some((place) => isIn(resolveImport(path, specifier) ?? '', place)))
      .map((specifier) => `${path} → ${specifier}`)
  })

test('behavior: goods never know a sale', () => {
  expect(findImports(['goods'], ['sale'])).toEqual([])
  const read = (file: string) =>
    file === 'service/src/goods/files/uploadFile.ts' ? "import '#sale/orders/refund.js'" : ''
  expect(findImports(['goods'], ['sale'], read)).toEqual([
    'goods/files/uploadFile.ts → #sale/orders/refund.js',
  ])
})

test('behavior: a sale and the holdings of a wallet do not know each other', () => {
  expect(findImports(['sale'], ['holdings'])).toEqual([])
  expect(findImports(['holdings'], ['sale'])).toEqual([])
})

test('behavior: only entry knows an adapter', () => {
  expect(
    findImports(
      wings.filter((wing) => wing !== 'entry' && wing !== 'adapters'),
      ['adapters'],
    ),
  ).toEqual([])
  expect(findImports(['entry'], ['adapters'])).not.toEqual([])
})

test('behavior: what tells people of goods, sales and holdings knows none of them', () => {
  expect(findImports(['notify'], ['goods', 'sale', 'holdings'])).toEqual([])
})

test('behavior: no rooms of a wing import one another in a ring', () => {
  const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')
  const rooms = new Map<string, Set<string>>()
  for (const file of listSources('service/src', /\.ts$/)) {
    const path = posix.relative('service/src', file)
    const targets = readImports(readSource(file)).flatMap((specifier) => resolveImport(path, specifier) ?? [])
    rooms.set(
      roomOf(path),
      new Set([
        ...(rooms.get(roomOf(path)) ?? []),
        ...targets.map(roomOf).filter((room) => room !== roomOf(path)),
      ]),
    )
  }
  const reaches = (from: string, to: string, passed = new Set<string>()): boolean =>
    [...(rooms.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (passed.has(next)) return false
      return reaches(next, to, passed.add(next))
    })
  expect(rooms.size).toBeGreaterThan(40)
  expect([...rooms.keys()].filter((room) => reaches(room, room))).toEqual([])
})

/** Finds modules of a tree that import one another in a ring, by value or by type. */
const findCycle = (tree: string, read = readSource): string[] | undefined => {
  const files = listSources(tree, /\.tsx?$/)
  const modules = new Map(files.map((file) => [posix.relative(tree, file).replace(/\.tsx?$/, ''), file]))
  const ended = new Set<string>()
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (ended.has(file)) return undefined
    for (const specifier of readImports(read(file))) {
      const target = resolveImport(posix.relative(tree, file), specifier)
      const module = target && modules.get(target.replace(/\.tsx?$/, ''))
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
  .filter((name) => name !== '')
  .concat('EvmChainName', 'evmChains', 'isEvmChainName')
const evmPaths =
  /^service\/src\/(adapters\/chains\/|entry\/openChain\.ts$|entry\/pay\/|base\/config\/readChains\.ts$)/

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

test('behavior: only the EVM adapter, the registry of chains and the payer use what is of EVM chains alone', () => {
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
    'service/src/interface/routes/orders.ts': "export * from '#adapters/chains/evm/evmChain.js'",
    'service/src/sale/orders/readOrders.ts': "import { Hono } from 'hono'",
  }
  const read = (file: string) => files[file] ?? ''
  expect(
    [...findBreaches('src', library, read), ...findBreaches('service/src', service, read)].sort(),
  ).toEqual([
    'service/src/interface/routes/orders.ts → #adapters/chains/evm/evmChain.js',
    'service/src/sale/orders/readOrders.ts → hono',
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
