import { expect, test } from 'vitest'
import { checkReadiness, type ReadinessParameters } from '#interface/http/health.js'

const check = (given: Partial<ReadinessParameters> = {}) =>
  checkReadiness({
    readSchemaState: async () => 'current',
    isDiskFull: async () => false,
    isWorking: () => true,
    isStopping: () => false,
    ...given,
  })

test('default', async () => {
  expect(await check()).toEqual({
    status: 'ready',
    database: 'up',
    migrations: 'current',
    jobs: 'up',
    isStopping: false,
  })
})

test('behavior: a newer build that is being rolled out keeps old processes ready', async () => {
  expect(await check({ readSchemaState: async () => 'ahead' })).toMatchObject({ status: 'ready' })
})

test.each<[string, Partial<ReadinessParameters>, object]>([
  [
    'the database is away',
    { readSchemaState: () => Promise.reject(new Error('away')) },
    { database: 'down' },
  ],
  ['the disk of the database is full', { isDiskFull: async () => true }, { database: 'full' }],
  ['tables are missing', { readSchemaState: async () => 'behind' }, { migrations: 'behind' }],
  ['no job is worked off', { isWorking: () => false }, { jobs: 'down' }],
  ['the process is stopping', { isStopping: () => true }, { isStopping: true }],
])('error: %s', async (_, given, why) => {
  expect(await check(given)).toMatchObject({ status: 'not-ready', ...why })
})
