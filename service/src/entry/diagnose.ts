import { sql } from 'drizzle-orm'
import { fromBaseUnits } from 'kassa/schema'
import { verifySmtp } from '#adapters/mail/createSmtpMailer.js'
import { checkIpfsNode } from '#adapters/storage/createIpfsNode.js'
import type { Config } from '#base/config/config.js'
import { publicUrlFault } from '#base/config/parseConfig.js'
import type { Database } from '#base/db/database.js'
import { isDiskFull, runInTransaction } from '#base/db/diskState.js'
import type { ChainRegistry } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { Check } from '#base/lib/check.js'
import { withTimeout } from '#base/lib/withTimeout.js'
import type { ChainFacts, ChainPort } from '#base/ports/chain.js'

/** What a diagnosis needs. */
export type DiagnoseDeps = {
  config: Pick<
    Config,
    'environment' | 'publicUrl' | 'isBehindProxy' | 'isSandbox' | 'smtp' | 'ipfsRpcUrl' | 'databaseUrl'
  >
  db: Database
  chains: ChainRegistry
  now(): number
}

/** How long each part has to answer. */
const patienceMs = 8_000
const slowMs = 1_000
/** Most chains have a block every few seconds. */
const oldHeadMs = 5 * 60_000
const shortHistoryMs = 86_400_000
/** Below so many sales, an operator is asked to fund the account. */
const fewSales = 50n
/** Quotes and sessions end by the clock. */
const clockSkewMs = 30_000

/** Runs a check. One that fails or does not answer says so itself. */
const check = async (name: string, look: () => Promise<Omit<Check, 'name'>>): Promise<Check> => {
  try {
    const found = await withTimeout(look().catch(explain), patienceMs)
    return { name, ...(found ?? failed(`did not answer within ${patienceMs / 1000} s`)) }
  } catch (error) {
    return { name, ...explain(error) }
  }
}

const ok = (text: string): Omit<Check, 'name'> => ({ status: 'ok', text })
const warning = (text: string): Omit<Check, 'name'> => ({ status: 'warning', text })
const failed = (text: string): Omit<Check, 'name'> => ({ status: 'failed', text })
/** Errors of other programs may repeat credentials, so only their code is told. */
const explain = (error: unknown): Omit<Check, 'name'> => {
  if (error instanceof ServiceError) return failed(error.message.replace(/\.$/, ''))
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return failed(`does not answer${/^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : ''}`)
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`
const days = (ms: number): string =>
  ms >= 86_400_000 ? `${Math.floor(ms / 86_400_000)} days` : `${Math.floor(ms / 3_600_000)} hours`
const settingOf = (chain: string): string => `KASSA_RPC_${chain.toUpperCase().replaceAll('-', '_')}`

const checkDatabase = async ({ db, config }: DiagnoseDeps) => {
  const startedAtMs = performance.now()
  await db.execute(sql`select 1`)
  const tookMs = Math.round(performance.now() - startedAtMs)
  if (await isDiskFull(runInTransaction(db)))
    return failed('its disk is full, and nothing can be stored: make room on the disk of the database')
  const kind = config.databaseUrl === undefined ? 'embedded' : 'PostgreSQL'
  if (tookMs > slowMs)
    return warning(`${kind}, slow: an answer took ${tookMs} ms. Move it closer to the service`)
  return ok(`${kind}, answers in ${tookMs} ms`)
}

const checkClock = async ({ db, now }: DiagnoseDeps) => {
  const { rows } = (await db.execute(
    sql`select extract(epoch from clock_timestamp()) * 1000 as "nowMs"`,
  )) as { rows: { nowMs: unknown }[] }
  const skewMs = Math.abs(Number(rows[0]?.nowMs) - now())
  return skewMs > clockSkewMs
    ? failed(`differs from the database's by ${seconds(skewMs)}: synchronise both machines (NTP)`)
    : ok(`agrees with the database's within ${seconds(skewMs)}`)
}

const checkMail = async ({ config }: DiagnoseDeps) => {
  if (!config.smtp)
    return config.isSandbox
      ? ok('e-mails are in the mailbox of the sandbox')
      : warning('no e-mails are sent: set KASSA_SMTP_URL and KASSA_MAIL_FROM')
  if (await verifySmtp(config.smtp)) return ok(`the server takes e-mails from ${config.smtp.from}`)
  return failed('the server refuses the sign-in, or does not answer: check KASSA_SMTP_URL')
}

const checkStorage = async ({ config }: DiagnoseDeps) => {
  if (!config.ipfsRpcUrl) return ok('files are stored in the database')
  if (await checkIpfsNode(config.ipfsRpcUrl))
    return ok('files are stored in the database, and pinned by the IPFS node')
  return failed('the IPFS node does not answer, and new files are not pinned: check KASSA_IPFS_RPC_URL')
}

/** Asks for the service where its clients do. */
const checkPublicUrl = async ({ config }: DiagnoseDeps) => {
  const { publicUrl, isBehindProxy } = config
  const fault = publicUrlFault(config)
  if (fault) return warning(fault)
  const answer = await fetch(`${publicUrl}/live`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs / 2),
  }).catch(() => undefined)
  const what = `${publicUrl}/live`
  if (!answer)
    return warning(`this machine cannot reach ${what}: check the name, the certificate and the proxy`)
  if (answer.status !== 200 || !answer.headers.has('x-request-id'))
    return failed(
      `${what} answers ${answer.status}, and not as this service: point the proxy at it, or set KASSA_PUBLIC_URL`,
    )
  if (publicUrl.startsWith('https:') && !isBehindProxy)
    return warning(
      'is https, so a proxy is in front, and every caller counts as the proxy: set KASSA_BEHIND_PROXY=1 if all requests pass it',
    )
  return ok(`${publicUrl} leads here`)
}

const checkNode = (chain: ChainPort, { caip2, head, latencyMs, historyMs }: ChainFacts, nowMs: number) => {
  const fact = `${caip2}, block ${head.number}`
  // A local chain makes a block only for a transaction, and forgets its past.
  if (chain.isLocal) return ok(`${fact}, local`)
  const ageMs = Math.max(0, nowMs - head.timestampMs)
  const whole = `${fact} is ${seconds(ageMs)} old, answers in ${latencyMs} ms, history of ${days(historyMs)}`
  const setting = settingOf(chain.chain)
  if (ageMs > oldHeadMs)
    return failed(`${whole}: the node is behind, or the chain makes no block. Set ${setting} to another node`)
  if (head.timestampMs - nowMs > clockSkewMs)
    return failed(`${whole}: the clock of this machine is behind. Use NTP`)
  if (latencyMs > slowMs) return warning(`${whole}: slow. Set ${setting} to a node that is closer`)
  if (historyMs < shortHistoryMs)
    return warning(
      `${whole}: payments of an outage may not be found. Set ${setting} to a node with older blocks`,
    )
  return ok(whole)
}

const checkOperator = ({ chain, currencies }: ChainPort, { operator }: ChainFacts) => {
  const [native] = currencies
  const write = (units: bigint) => `${fromBaseUnits(units, native?.decimals ?? 0)} ${native?.currency ?? ''}`
  const { address, units, saleUnits, setUpUnits } = operator
  const fact = `${address} has ${write(units)}, a sale costs ${write(saleUnits)}`
  const wanted = setUpUnits + saleUnits * fewSales
  const send = `send ${write(wanted - units)} to ${address} on ${chain}`
  if (units < setUpUnits) return failed(`${fact}, and its contracts cannot be deployed: ${send}`)
  if (units < saleUnits) return failed(`${fact}, and nothing can be sold: ${send}`)
  if (units < wanted) return warning(`${fact}, enough for ${(units - setUpUnits) / saleUnits} sales: ${send}`)
  return ok(fact)
}

const checkChain = async (deps: DiagnoseDeps, name: string): Promise<Check[]> => {
  const port = deps.chains.get(name)
  const node = `node of ${name}`
  if (!port?.isStarted()) return [{ name: node, ...ok('local, starts when it is used') }]
  const asked = port.inspect()
  const first = await check(node, async () => checkNode(port, await asked, deps.now()))
  // It has answered by now, or it is late.
  const facts = await withTimeout(asked, 1)
  if (!facts) {
    const todo = `${first.text}: check ${settingOf(name)}, and whether it is a node of this chain`
    return [{ ...first, text: todo }]
  }
  return [first, await check(`operator on ${name}`, async () => checkOperator(port, facts))]
}

/** Checks all that a deployment needs: its database, chains, e-mails, storage, public URL and clock. */
export const diagnose = async (deps: DiagnoseDeps): Promise<Check[]> => {
  const { config, chains } = deps
  const checks = await Promise.all([
    check('settings', async () =>
      chains.enabled.length
        ? ok(`${config.environment}, ${chains.enabled.join(', ')}`)
        : warning('no chain is enabled, so nothing can be sold: set KASSA_CHAINS'),
    ),
    check('database', () => checkDatabase(deps)),
    check('clock', () => checkClock(deps)),
    ...chains.enabled.map((name) => checkChain(deps, name)),
    check('mail', () => checkMail(deps)),
    check('storage', () => checkStorage(deps)),
    check('public URL', () => checkPublicUrl(deps)),
  ])
  return checks.flat()
}
