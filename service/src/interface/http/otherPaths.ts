import { type OperationName, operations } from 'kassa/schema'
import { findMethods } from './findMethods.js'

/** Paths of this family of interfaces that the service does not serve, and the operations that do the same. */
type OtherPath = {
  methods: readonly string[]
  /** Below the base URL, with `{parameters}` in braces. `*` is any rest of a path. */
  path: string
  /** What to call in place of it. */
  instead: readonly OperationName[]
  /** Where in those operations the caller finds it. */
  how?: string
}

const collection = '/2022-06-09/collections/{collectionId}'
const anyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Paths that published clients of this family of interfaces call, and what the service has in place of them. */
export const otherPaths: readonly OtherPath[] = [
  {
    methods: ['POST'],
    path: `${collection}/sfts`,
    instead: ['mintNft'],
    how: 'with the templateId of a semi-fungible collection',
  },
  {
    methods: ['GET'],
    path: `${collection}/royalties`,
    instead: ['getCollection'],
    how: 'and read payments.royaltyBasisPoints',
  },
  {
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    path: `${collection}/royalties`,
    instead: ['updateCollection'],
    how: 'with payments.royaltyBasisPoints',
  },
  {
    methods: ['GET'],
    path: `${collection}/base-uri`,
    instead: ['listNfts'],
    how: 'because each token has its own metadata',
  },
  {
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    path: `${collection}/base-uri`,
    instead: ['updateNft'],
    how: 'because each token has its own metadata',
  },
  {
    methods: ['GET'],
    path: `${collection}/transferable`,
    instead: ['getCollection'],
    how: 'and read transferable',
  },
  {
    methods: ['POST', 'PUT', 'PATCH'],
    path: `${collection}/transferable`,
    instead: ['updateCollection'],
    how: 'with transferable',
  },
  { methods: ['POST'], path: '/v1-alpha1/wallets', instead: ['createWallet'] },
  { methods: ['GET'], path: '/v1-alpha1/wallets', instead: ['getWallet'] },
  {
    methods: anyMethod,
    path: '/v1-alpha1/wallets/{walletLocator}',
    instead: ['getWallet', 'createWallet'],
  },
  {
    methods: anyMethod,
    path: '/v1-alpha1/wallets/{walletLocator}/*',
    instead: ['listTransactions', 'createTransaction', 'getBalances', 'listWalletTokens'],
  },
  ...(['/v1-alpha1', '/2022-06-09'] as const).flatMap((version): OtherPath[] => [
    {
      methods: ['GET'],
      path: `${version}/nfts/{nftLocator}`,
      instead: ['getNft'],
      how: 'by its collection and id',
    },
    {
      methods: ['PATCH', 'PUT'],
      path: `${version}/nfts/{nftLocator}`,
      instead: ['updateNft'],
      how: 'by its collection and id',
    },
    {
      methods: ['DELETE'],
      path: `${version}/nfts/{nftLocator}`,
      instead: ['burnNft'],
      how: 'by its collection and id',
    },
  ]),
  { methods: ['GET'], path: '/2022-06-09/nfts/{nftLocator}/credentials', instead: ['getCredential'] },
]

const served = otherPaths.map((row) => ({
  ...row,
  patterns: row.methods.map((method) => ({
    method,
    path: `/api${row.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  })),
}))

/** Says what to call in place of a request whose path the service does not serve, or `undefined` if nothing is. */
export const findInstead = (method: string, path: string): string | undefined => {
  const row = served.find(({ patterns }) => findMethods(patterns, path).includes(method))
  if (!row) return undefined
  const calls = row.instead.map((name) => `${operations[name].method} ${operations[name].path}`)
  return `use ${calls.join(', or ')}${row.how === undefined ? '' : ` ${row.how}`}`
}

/** A path with a version of this family of interfaces, with or without the `/api` before it. */
const versioned = /^(?:\/api)?\/(v\d[\w-]*|\d{4}-\d{2}-\d{2})\/(.+)$/

const known = Object.values(operations).map(({ method, path }) => ({
  method,
  path,
  version: path.split('/')[1] ?? '',
  pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'),
}))
const versions = [...new Set(known.map(({ version }) => version))].sort()

/**
 * Says which version of the interface has a path that the service does not serve.
 *
 * @returns `undefined` for a path without a version, and for one that no version has under a version that is served.
 */
export const findVersion = (method: string, path: string): string | undefined => {
  const [, asked, rest] = versioned.exec(path) ?? []
  if (asked === undefined) return undefined
  const same = known.filter(
    ({ version, ...one }) =>
      findMethods([{ method: one.method, path: one.pattern }], `/${version}/${rest}`).length > 0,
  )
  const fitting = same.filter((one) => one.method === method)
  const calls = (fitting.length ? fitting : same).map((one) => `${one.method} ${one.path}`)
  if (calls.length) return `use ${calls.join(', or ')}, the version that is served here`
  if (versions.includes(asked)) return undefined
  const list = versions.join(', ').replace(/, ([^,]+)$/, ' and $1')
  return `${asked} is not served here; the versions of the interface are ${list}`
}
