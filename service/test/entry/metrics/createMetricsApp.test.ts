import { beforeAll, expect, test } from 'vitest'
import { ServiceError } from '#base/errors.js'
import { jobNames } from '#base/ports/jobNames.js'
import { createMetrics } from '#entry/metrics/createMetrics.js'
import { createMetricsApp } from '#entry/metrics/createMetricsApp.js'
import { readCounts } from '#entry/metrics/readCounts.js'
import { updateMetrics } from '#entry/metrics/updateMetrics.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createShop, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

/** One line of a scrape with a value. */
type Sample = { name: string; labels: Record<string, string>; value: number }
/** One metric of a scrape. */
type Family = { help: string; type: string; samples: Sample[] }

const helpLine = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/
const typeLine = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const label = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {}
  for (let rest = text; rest; ) {
    const [whole, name, value] = label.exec(rest) ?? []
    if (!whole || !name || value === undefined || name in labels) throw new Error(`bad labels: ${text}`)
    labels[name] = value
    rest = rest.slice(whole.length)
  }
  return labels
}

const readValue = (text: string): number => {
  if (/^nan$/i.test(text)) return Number.NaN
  const value = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
  if (Number.isNaN(value)) throw new Error(`bad value: ${text}`)
  return value
}

/**
 * Parses Prometheus text strictly: every line is valid, every metric is described once before its first
 * value, and no value appears twice.
 */
const parseMetrics = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  const helps = new Map<string, string>()
  const seen = new Set<string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [, helped, help] = helpLine.exec(line) ?? []
    const [, typed, type] = typeLine.exec(line) ?? []
    if (helped && help) helps.set(helped, help)
    else if (typed && type) {
      const said = helps.get(typed)
      if (!said || families.has(typed)) throw new Error(`${typed}: no help, or twice a type`)
      families.set(typed, { help: said, type, samples: [] })
    } else {
      const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
      if (!family || seen.has(`${name}{${labels}}`)) throw new Error(`not understood, or told twice: ${line}`)
      seen.add(`${name}{${labels}}`)
      family.samples.push({ name, labels: readLabels(labels), value: readValue(value) })
    }
  }
  return families
}

const metrics = createMetrics('1.2.3')
const fake = createFakeChain({ now: Date.now })
let isDown = false
let isStopping = false
const shop = openBeforeAll(() => createShop({ chains: [fake.port], record: metrics.recordRequest }))
let app: ReturnType<typeof createMetricsApp>
beforeAll(async () => {
  const { deps, database } = shop
  app = createMetricsApp(metrics, {
    ...deps,
    readCounts: () => (isDown ? Promise.reject(new Error('down')) : readCounts(database.watchSql)),
    isStarted: () => true,
    checkReadiness: async () => ({
      status: isStopping ? 'not-ready' : 'ready',
      database: isDown ? 'down' : 'up',
      migrations: 'current',
      jobs: 'up',
      isStopping,
    }),
  })
})

const scrape = async (): Promise<Map<string, Family>> => {
  const response = await app.request('/metrics')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return parseMetrics(await response.text())
}
const readMetric = (families: Map<string, Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name)
    ?.samples.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    ?.value

test('default', async () => {
  const order = await shop.createOrder()
  await shop.send('GET', order.path)
  const families = await scrape()
  expect(readMetric(families, 'kassa_build_info', { version: '1.2.3' })).toBe(1)
  expect(readMetric(families, 'kassa_ready')).toBe(1)
  expect(readMetric(families, 'kassa_database_up')).toBe(1)
  expect(readMetric(families, 'kassa_orders', { phase: 'payment' })).toBe(1)
  expect(readMetric(families, 'kassa_orders', { phase: 'completed' })).toBe(0)
  expect(readMetric(families, 'kassa_jobs', { name: 'orders.expire', state: 'delayed' })).toBe(1)
  expect(readMetric(families, 'kassa_webhook_deliveries', { outcome: 'failed' })).toBe(0)
  const chain = { chain: 'base-sepolia' }
  expect(readMetric(families, 'kassa_chain_up', chain)).toBe(1)
  expect(readMetric(families, 'kassa_operator_balance', { ...chain, currency: 'eth' })).toBe(1)
  expect(readMetric(families, 'kassa_chain_errors_total', chain)).toBe(0)
  expect(families.get('process_cpu_seconds_total')?.type).toBe('counter')
})

test('behavior: every metric of the service is named as Prometheus asks, and described in a sentence', async () => {
  const own = [...(await scrape())].filter(([name]) => name.startsWith('kassa_'))
  expect(own.length).toBeGreaterThan(10)
  for (const [name, { help, type }] of own) {
    expect({ name, isCounter: type === 'counter' }).toEqual({ name, isCounter: name.endsWith('_total') })
    expect(name).toMatch(/^kassa_[a-z]+(_[a-z]+)*$/)
    expect(name).not.toMatch(/milliseconds|minutes|_ms|_gauge|_histogram|_counter/)
    expect(help).toMatch(/^[A-Z].*\.$/)
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})

test('behavior: no id, no address, no requested path, and a constant number of labels', async () => {
  const orders = [await shop.createOrder(), await shop.createOrder()]
  for (const { path, clientSecret } of orders)
    await shop.send('GET', path, { key: null, headers: { authorization: clientSecret } })
  await shop.app.request('/no-such-path')
  await shop.app.request(`${ordersPath}/`)
  const before = await (await app.request('/metrics')).text()
  for (const name of ['a', 'b', 'c']) {
    await shop.app.request(`/wp-admin/${name}.php`)
    await shop.app.request(`${ordersPath}/${name}`, { method: name.repeat(5) })
    await shop.send('GET', `${ordersPath}/ada-${name}@example.com`)
  }
  const after = await (await app.request('/metrics')).text()
  const secrets = [
    shop.serverKey,
    shop.projectId,
    ...orders.flatMap((order) => [order.orderId, order.clientSecret]),
  ]
  for (const text of [...secrets, 'example.com', 'wp-admin', '0x']) expect(after).not.toContain(text)
  const labelsOf = (text: string) =>
    [...parseMetrics(text).values()].flatMap(({ samples }) =>
      samples.flatMap(({ labels: { route, method } }) => (route ? [`${method} ${route}`] : [])),
    )
  const added = [...new Set(labelsOf(after))].filter((each) => !labelsOf(before).includes(each))
  expect(added).toEqual(['other none'])
  expect(labelsOf(after)).toContain(`GET ${ordersPath}/:orderId`)
  expect(labelsOf(after)).toContain('GET none')
})

test('behavior: a job that waits too long shows', async () => {
  const { database, deps, jobs } = shop
  await deps.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'base-sepolia' }))
  await database.executeSql(
    `update jobs set start_after = now() - interval '90 seconds' where name = 'payments.look'`,
  )
  const families = await scrape()
  expect(readMetric(families, 'kassa_jobs', { name: 'payments.look', state: 'waiting' })).toBe(1)
  expect(
    readMetric(families, 'kassa_job_oldest_age_seconds', { name: 'payments.look' }),
  ).toBeGreaterThanOrEqual(90)
  expect(families.get('kassa_job_oldest_age_seconds')?.samples).toHaveLength(jobNames.length)
})

test('behavior: the newest block grows older while the chain makes none, and while its node is away', async () => {
  const chain = { chain: 'base-sepolia' }
  const lateMetrics = createMetrics('')
  let nowMs = Date.now()
  const late = createFakeChain({ now: () => nowMs })
  const scrapeAge = async (chainPort = late.port) => {
    await updateMetrics(lateMetrics, {
      db: shop.deps.db,
      chains: { enabled: ['base-sepolia'], get: () => chainPort },
      now: () => nowMs,
      readCounts: () => readCounts(shop.database.watchSql),
      isStarted: () => true,
      checkReadiness: async () => ({
        ...({ status: 'ready', database: 'up', migrations: 'current', jobs: 'up' } as const),
        isStopping: false,
      }),
    })
    return readMetric(
      parseMetrics(await lateMetrics.registry.metrics()),
      'kassa_chain_head_age_seconds',
      chain,
    )
  }
  late.state.isAway = true
  expect(await scrapeAge()).toBe(0)
  nowMs += 60_000
  // A node that was away from the start: it counts from the first look.
  expect(await scrapeAge()).toBe(60)
  late.state.isAway = false
  expect(await scrapeAge()).toBe(60)
  late.mine()
  expect(await scrapeAge()).toBe(0)
  nowMs += 600_000
  expect(await scrapeAge()).toBe(600)
  late.state.isAway = true
  nowMs += 600_000
  expect(await scrapeAge()).toBe(1200)
})

test('error: a source that does not answer keeps its last value, and its outage shows', async () => {
  const before = await scrape()
  fake.port.getHead = () => Promise.reject(new ServiceError('chain-unavailable', 'away'))
  metrics.countChainError('base-sepolia')
  isDown = true
  isStopping = true
  const families = await scrape()
  expect(readMetric(families, 'kassa_ready')).toBe(0)
  expect(readMetric(families, 'kassa_database_up')).toBe(0)
  expect(readMetric(families, 'kassa_chain_up')).toBe(0)
  expect(readMetric(families, 'kassa_chain_errors_total')).toBe(1)
  for (const name of [
    'kassa_orders',
    'kassa_jobs',
    'kassa_job_oldest_age_seconds',
    'kassa_operator_balance',
  ]) {
    expect(before.get(name)?.samples.length).toBeGreaterThan(0)
    expect(families.get(name)?.samples.map(({ labels }) => labels)).toEqual(
      before.get(name)?.samples.map(({ labels }) => labels),
    )
  }
  const ready = await app.request('/ready')
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 503,
    body: { status: 'not-ready', isStopping: true },
  })
})
