import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MeasuredRequest } from '#interface/http/measure.js'

/** The buckets of response times. Most answers are quick, and those that wait for a chain take seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * The metrics of this process. Every label has few values, so none is an id, an address or a requested path.
 */
export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics of this process. */
export const createMetrics = (version: string) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })

  const requests = new Histogram({
    name: 'kassa_http_request_duration_seconds',
    help: 'How long requests took, by the pattern of their path.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const chainErrors = new Counter({
    name: 'kassa_chain_errors_total',
    help: 'How often the node of a chain did not answer this process.',
    labelNames: ['chain'],
    registers,
  })
  gauge('kassa_build_info', 'Which release this is; always 1.', 'version').set({ version }, 1)
  return {
    registry,
    recordRequest: ({ seconds, method, route, status }: MeasuredRequest) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    countChainError: (chain: string) => chainErrors.inc({ chain }),
    chainErrors,
    ready: gauge('kassa_ready', 'Whether this process is ready for requests: 1 or 0.'),
    databaseUp: gauge('kassa_database_up', 'Whether the database answered this scrape: 1 or 0.'),
    orders: gauge('kassa_orders', 'Number of orders, by phase.', 'phase'),
    jobs: gauge(
      'kassa_jobs',
      'Number of jobs: active, waiting for a process, or delayed to a later time.',
      'name',
      'state',
    ),
    oldestJob: gauge('kassa_job_oldest_age_seconds', 'How long the oldest waiting job has been due.', 'name'),
    deliveries: gauge(
      'kassa_webhook_deliveries',
      'Deliveries of webhook events that are kept, by outcome.',
      'outcome',
    ),
    lostPayments: gauge(
      'kassa_payments_lost',
      'Payments that were final and that a deep reorganisation took back.',
      'chain',
    ),
    chainUp: gauge('kassa_chain_up', 'Whether the node of a chain answered this scrape: 1 or 0.', 'chain'),
    headAge: gauge(
      'kassa_chain_head_age_seconds',
      'How old the newest block of a chain is that the service has seen.',
      'chain',
    ),
    /** The time of that block, by chain. @units ms since the epoch */
    headTimesMs: new Map<string, number>(),
    lagBlocks: gauge(
      'kassa_payments_lag_blocks',
      'Blocks in which payments were not looked for yet.',
      'chain',
    ),
    lookAge: gauge(
      'kassa_payments_look_age_seconds',
      'How long ago payments were last looked for: up to ten minutes while no order can be paid.',
      'chain',
    ),
    balance: gauge(
      'kassa_operator_balance',
      'What the operator key has left for fees, in whole native coins.',
      ...(['chain', 'currency'] as const),
    ),
  }
}
