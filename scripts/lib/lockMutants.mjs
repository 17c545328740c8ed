import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './paths.mjs'

const source = join(root, 'service/src')

/** Which tests on PostgreSQL see the locks of a room. */
const testsOf = {
  actions: ['service/test/locks.test.ts'],
  authorizations: ['service/test/locks.test.ts'],
  chains: ['service/test/locks.test.ts'],
  collections: ['service/test/goods/nfts/mintRaces.test.ts', 'service/test/locks.test.ts'],
  db: ['service/test/base/db/migrations.test.ts'],
  http: ['service/test/interface/http/idempotency.test.ts'],
  keys: ['service/test/locks.test.ts', 'service/test/identity/keys/rotateMasterKey.test.ts'],
  nfts: ['service/test/locks.test.ts', 'service/test/goods/nfts/mintRaces.test.ts'],
  orders: ['service/test/sale/orders/orderRaces.test.ts', 'service/test/locks.test.ts'],
  templates: ['service/test/locks.test.ts'],
  transactions: ['service/test/holdings/transactions/transactionRaces.test.ts', 'service/test/locks.test.ts'],
  webhooks: ['service/test/locks.test.ts'],
}

/** Ways to lock, and what is there without one. */
const locks = /** @type {const} */ ([
  [/\.for\('[a-z ]+'\)/g, ''],
  [/, eq\(orders\.revision, revision\)/g, ''],
  [/lock table \$\{masterKeyChecks\} in share row exclusive mode/g, 'select 1'],
  [/pg_advisory_lock\(\$1\)/g, '$1::bigint'],
  [/pg_advisory_xact_lock\(hashtext\('authorizations'\)\)/g, '1'],
  [/ and \$\{lt\(idempotencyKeys\.leaseExpiresAt, new Date\(nowMs\)\)\}/g, ''],
  [/, eq\(idempotencyKeys\.claim, claim\)\)\)\n {4}\.returning/g, '))\n    .returning'],
])

/** @param {string} folder @returns {string[]} */
const listFiles = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? listFiles(path) : path.endsWith('.ts') ? [path] : []
  })

/**
 * Makes one mutant per lock of the service: the lock is gone.
 * @returns {import('./mutants.mjs').Mutant[]}
 */
export const lockMutants = () =>
  listFiles(source).flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const [, room = ''] = relative(source, path).split('/')
    const tests = Object.entries(testsOf).find(([name]) => name === room)?.[1]
    return locks.flatMap(([lock, without]) =>
      [...text.matchAll(lock)].map((found) => {
        const file = relative(root, path)
        if (!tests) throw new Error(`Name the tests that see the locks of ${file}.`)
        const mutated = text.slice(0, found.index) + without + text.slice(found.index + found[0].length)
        const line = text.slice(0, found.index).split('\n').length
        const before = found[0].replace(/\s+/g, ' ').trim()
        return { file, line, before, after: without.trim(), tests, load: () => ({ [path]: mutated }) }
      }),
    )
  })
