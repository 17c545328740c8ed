import { and, eq } from 'drizzle-orm'
import { explainChainAddress, explainDisabled } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import { unattributedTransfers } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid, isUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import { lockOrder } from '../orders/store.js'

type TransferRow = typeof unattributedTransfers.$inferSelect

/** Which unattributed funds to send, and where. */
export type UnattributedInput = {
  /** The order at whose deposit address they are. */
  order: string
  chain: string
  /** The native currency's name, or a token's address. */
  currency: string
  to: string
}

const invalid = (message: string): ServiceError => new ServiceError('input-invalid', message)

/** Returns the currency in the spelling of the books. It is never one that the deployment accepts at deposit addresses. */
const readCurrency = (
  { chain, family, currencies, parseAddress }: ChainPort,
  text: string,
): { currency: string; token?: string } => {
  const native = currencies.find(({ address }) => !address)
  if (text === native?.currency) return { currency: text }
  const token = parseAddress(text)
  if (token === undefined) {
    const fault =
      family === 'evm' && text.startsWith('0x')
        ? explainChainAddress(text, chain)
        : `expected ${native?.currency} or the address of a token on ${chain}`
    throw invalid(`currency: ${fault}`)
  }
  const taken = currencies.find(({ address }) => address?.toLowerCase() === token.toLowerCase())
  if (taken)
    throw invalid(`currency: ${taken.currency} is accepted for payments, so what arrived is refunded`)
  return { currency: token, token }
}

/** Reads how much is at an order's deposit address. @units base units of the currency */
const readUnits = async (
  chain: ChainPort,
  orderId: string,
  { currency, token }: { currency: string; token?: string },
): Promise<bigint> => {
  const foreignTokens = token === undefined ? [] : [token]
  const { unattributedFunds } = await chain.getStatement([{ orderId, payOutKeys: [], foreignTokens }])
  return (
    unattributedFunds.find((stray) => stray.orderId === orderId && stray.currency === currency)?.units ?? 0n
  )
}

/**
 * Starts a transfer of all money of one currency that is at an order's deposit address and pays for nothing. A second
 * call returns the same transfer, also after its end.
 *
 * @throws {@link ServiceError} `input-invalid`, `not-found`, `unprocessable` for a sanctioned address; `conflict`
 * while the same funds are on their way to another address.
 */
export const sendUnattributed = async (
  deps: Pick<Deps, 'db' | 'jobs' | 'chains' | 'now' | 'randomBytes'> & {
    config: Pick<Config, 'sanctionedAddresses'>
  },
  input: UnattributedInput,
): Promise<TransferRow> => {
  const { order: orderId } = input
  if (!isUuid(orderId)) throw invalid(`order: ${orderId} is not an order id`)
  const chain = deps.chains.get(input.chain)
  if (!chain) throw invalid(`chain: ${explainDisabled(input.chain, deps.chains.enabled)}`)
  const recipient = chain.parseAddress(input.to)
  if (recipient === undefined) throw invalid(`to: ${explainChainAddress(input.to, input.chain)}`)
  assertUnsanctioned(deps.config, recipient)
  const read = readCurrency(chain, input.currency)
  const { currency } = read
  const units = await readUnits(chain, orderId, read)
  return deps.db.transaction(async (tx) => {
    if (!(await lockOrder(tx, orderId))) throw new ServiceError('not-found', `there is no order ${orderId}`)
    const isSame = and(
      eq(unattributedTransfers.orderId, orderId),
      eq(unattributedTransfers.chain, chain.chain),
      eq(unattributedTransfers.currency, currency),
    )
    const known = await tx
      .select()
      .from(unattributedTransfers)
      .where(isSame)
      .orderBy(unattributedTransfers.createdAt)
    const pending = known.find(({ status }) => status === 'pending')
    if (pending && pending.recipient !== recipient) {
      throw new ServiceError('conflict', `these funds are on their way to ${pending.recipient}`)
    }
    if (pending) return pending
    if (units === 0n) {
      const sent = known.findLast((one) => one.status === 'sent' && one.recipient === recipient)
      if (sent) return sent
      throw new ServiceError('not-found', `the deposit address of the order ${orderId} has no ${currency}`)
    }
    const [added] = await tx
      .insert(unattributedTransfers)
      .values({
        // Random: a number would be given out again after a backup was restored, and the chain pays an id once.
        id: `unattributed:${chain.chain}:${orderId}:${currency}:${createUuid(deps.randomBytes)}`,
        orderId,
        chain: chain.chain,
        currency,
        units: `${units}`,
        recipient,
        status: 'pending',
        createdAt: new Date(deps.now()),
      })
      .returning()
    if (!added) throw new Error('the transfer was not written')
    await deps.jobs.enqueue(tx, 'unattributed.send', { transferId: added.id })
    return added
  })
}

/** Sends unattributed funds. It may run any number of times, because the transfer's id is the key of the chain write. */
export const sendTransfer =
  (deps: Deps): JobHandler<'unattributed.send'> =>
  async ({ transferId }) => {
    const isPending = and(
      eq(unattributedTransfers.id, transferId),
      eq(unattributedTransfers.status, 'pending'),
    )
    const [row] = await deps.db.select().from(unattributedTransfers).where(isPending)
    if (!row) return
    const chain = deps.chains.get(row.chain)
    if (!chain) throw new Error(`${row.chain} is no longer enabled`)
    await chain.ready()
    const { orderId, currency, recipient } = row
    const sent = await chain.sendUnattributed(transferId, {
      orderId,
      currency,
      units: BigInt(row.units),
      recipient,
    })
    const { txId = null } = sent
    const outcome =
      sent.status === 'succeeded'
        ? { status: 'sent' as const, txId }
        : { status: 'failed' as const, txId, failure: sent.reason }
    if (sent.status === 'failed') {
      deps.log.error({ transferId, reason: sent.reason }, 'the chain refused to send unattributed funds')
    }
    await deps.db.update(unattributedTransfers).set(outcome).where(isPending)
  }
