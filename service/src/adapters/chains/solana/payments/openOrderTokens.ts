import { fetchEncodedAccounts, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token-2022'
import { and, eq, gt, like, lt, ne, sql } from 'drizzle-orm'
import { networkPart } from '#base/config/advances.js'
import type { Database } from '#base/db/database.js'
import { rateLimits } from '#base/db/tables/rateLimits.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { chunk } from '#base/lib/chunk.js'
import type { PreparePaymentInput } from '#base/ports/chain.js'
import type { Operator } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { OpeningCaps } from '../solanaChainOptions.js'
import type { PaymentPlace } from './paymentTerms.js'
import { closeTokens, tokenSize, unitsOf } from './payOuts.js'

/** Creates the instructions that open the token account of an order. Its rent comes back once it is closed. */
export const createOpening = (
  payer: KeyPairSigner,
  { account: ata, owner, mint }: PaymentPlace,
): Instruction[] => {
  if (!mint) return []
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  return [getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram })]
}

type Written = { db: Database; chain: string }

const hourMs = 60 * 60_000

/** What the operator keeps for refunds: of twenty, with their guards and the accounts that they open. @units lamports */
const refundReserve = 20n * 3_500_000n

/** Lists the keys of the openings of an hour. */
const listOpened = async ({ db, chain }: Written): Promise<string[]> => {
  const rows = await db
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(
      and(
        like(solanaTransactions.key, `${chain}:open:%`),
        ne(solanaTransactions.status, 'failed'),
        gt(solanaTransactions.createdAt, new Date(Date.now() - hourMs)),
      ),
    )
  return rows.map(({ key }) => key)
}

/** Counts an opening against the network that asks for it. Returns how many that network has asked for within an hour. */
const countAsked = async ({ db, chain }: Written, { projectId, network }: OpeningOf): Promise<number> => {
  if (network === undefined) return 0
  const nowMs = Date.now()
  const { points, expire } = rateLimits
  await db.delete(rateLimits).where(and(like(rateLimits.key, 'opening:%'), lt(expire, nowMs)))
  const [window] = await db
    .insert(rateLimits)
    .values({ key: `opening:${chain}:${projectId}:${network}`, points: 1, expire: nowMs + hourMs })
    .onConflictDoUpdate({ target: rateLimits.key, set: { points: sql`${points} + 1` } })
    .returning({ points })
  return window?.points ?? 0
}

/**
 * Creates the limit of openings. It counts those under way in this process too, which may count one twice: too few are
 * opened then, never too many.
 */
export const createOpeningLimit = (written: Written, caps: OpeningCaps, log: Pick<Log, 'error'>) => {
  const underWay: (string | undefined)[] = []
  const refuse = (currency: string): ServiceError => {
    const message = `payment.currency: too many orders wait for a payment in ${currency} on ${written.chain}. Pay in another currency, or try again later.`
    return new ServiceError('rate-limited', message, { retryAfterSeconds: 600 })
  }
  const assertAllowed = async ({ rpc, operator }: Connection, of: OpeningOf) => {
    const { projectId, currency } = of
    if ((await countAsked(written, of)) > networkPart(caps.perProject)) throw refuse(currency)
    const [opened, { value }, rent] = await Promise.all([
      listOpened(written),
      rpc.getBalance(operator.address, { commitment: 'confirmed' }).send(),
      rpc.getMinimumBalanceForRentExemption(tokenSize).send(),
    ])
    const isFull = (count: number, at: readonly unknown[], cap: number) => count + at.length > cap
    const ofProject = opened.filter((key) => key.includes(`:${projectId}`))
    const underWayOfProject = underWay.filter((each) => each === projectId)
    if (isFull(ofProject.length, underWayOfProject, caps.perProject)) throw refuse(currency)
    if (isFull(opened.length, underWay, caps.perChain)) throw refuse(currency)
    if (value - rent * BigInt(underWay.length) >= refundReserve) return
    const fields = { chain: written.chain, operator: operator.address, balance: `${value}` }
    log.error(
      fields,
      'the operator has no more than refunds need: no account of an order is opened until it is funded',
    )
    throw refuse(currency)
  }
  /**
   * Opens an account of an order, unless that is one too many.
   *
   * @throws {ServiceError} `rate-limited`, naming the currency of the payment.
   */
  return async (connection: Connection, of: OpeningOf, open: () => Promise<void>): Promise<void> => {
    underWay.push(of.projectId)
    try {
      await assertAllowed(connection, of)
      await open()
    } finally {
      underWay.splice(underWay.indexOf(of.projectId), 1)
    }
  }
}

type OpeningOf = Pick<PreparePaymentInput, 'projectId' | 'network' | 'currency'>

/** The key of an account's next opening, after as many closings. */
export const findOpeningKey = async (
  { db, chain }: Written,
  name: string,
  projectId = '',
): Promise<string> => {
  const isClosing = like(solanaTransactions.key, `${chain}:close:${name}:%`)
  const closings = await db
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(and(isClosing, eq(solanaTransactions.status, 'succeeded')))
  return `open:${name}:${closings.length}${projectId && `:${projectId}`}`
}

/** How often idle accounts are closed. */
export const closeEveryMs = hourMs / 6
/** An account that is empty after this time is closed. Its message expired long ago. */
const idleMs = hourMs
/** Until when it is tried. */
const forgottenMs = 7 * 24 * hourMs
const accountsAtOnce = 100
const closingsAtOnce = 10

/** Closes the token accounts of orders that were not paid, so that their rent comes back. */
export const closeIdle = async (
  { rpc, operator, outbox }: Connection,
  { db, chain }: Written,
  { terms, signerOf }: Pick<Operator, 'terms' | 'signerOf'>,
): Promise<void> => {
  const rows = await db
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(
      and(
        like(solanaTransactions.key, `${chain}:open:%`),
        eq(solanaTransactions.status, 'succeeded'),
        lt(solanaTransactions.createdAt, new Date(Date.now() - idleMs)),
        gt(solanaTransactions.createdAt, new Date(Date.now() - forgottenMs)),
      ),
    )
  const opened: { key: string; place: PaymentPlace }[] = []
  for (const { key } of rows) {
    const [, , orderId = '', mint = '', at = ''] = key.split(':')
    const places = await terms.holdingPlacesOf(orderId)
    for (const place of places.filter((each) => each.mint === mint)) {
      opened.push({ key: `close:${orderId}:${mint}:${at}${place.seed ? ':seed' : ''}`, place })
    }
  }
  for (const some of chunk(opened, accountsAtOnce)) {
    const addresses = some.map(({ place }) => place.account)
    const accounts = await fetchEncodedAccounts(rpc, addresses, { commitment: 'finalized' })
    const idle = some.filter(({ place }, index) => {
      return accounts[index]?.exists && unitsOf(accounts[index], place) === 0n
    })
    const close = ({ key, place }: (typeof idle)[number]) => {
      const makeInstructions = async () => closeTokens({ operator, signerOf }, place)
      // If a payment comes at this moment, it fails, and the account stays.
      return outbox.send(key, { makeInstructions, trace: undefined, isGuarded: false })
    }
    for (const few of chunk(idle, closingsAtOnce)) await Promise.all(few.map(close))
  }
}
