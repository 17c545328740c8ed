import { foldTallies } from '#base/db/tally.js'
import type { Deps } from '#base/deps.js'
import { forgetSessions } from '#identity/console/sessions.js'
import { forgetTokens } from '#identity/console/tokens.js'
import { forgetKeys } from '#interface/http/idempotencyClaims.js'
import { forgetMails } from '#notify/mails/forgetMails.js'
import { forgetEvents } from '#notify/webhooks/forgetEvents.js'
import { tidyTotals } from '#sale/ledger/totals.js'
import { indexOrders } from '#sale/orders/indexOrders.js'
import { correctReserved } from '#sale/orders/recountReserved.js'

const cleaningMs = 60 * 60_000
const tallyingMs = 60_000

/**
 * Adds up and indexes what is new, now and every hour, and from the first hour on forgets what is older than its
 * retention. What fails is tried again an hour later.
 *
 * @returns The function that ends it.
 */
export const startCleaning = (deps: Deps): (() => void) => {
  const { db, log, config, now } = deps
  const { repliesMs, eventsMs, mailsMs } = config.retention
  const attempt = (work: Promise<unknown>, failure: string): void => {
    work.catch((err) => log.warn({ err }, failure))
  }
  const addUp = (): void => {
    attempt(tidyTotals(db, log, now()), 'the ledger was not added up')
    attempt(indexOrders(db), 'old orders are not found by a search yet')
  }
  addUp()
  const cleaning = setInterval(() => {
    addUp()
    attempt(correctReserved(db, log), 'reserved tokens were not counted again')
    attempt(forgetKeys(db, now(), repliesMs), 'old idempotency keys were not forgotten')
    attempt(forgetEvents(db, now(), eventsMs), 'old webhook events were not forgotten')
    attempt(forgetMails(db, now(), mailsMs), 'old e-mails were not forgotten')
    attempt(
      Promise.all([forgetSessions(deps), forgetTokens(deps)]),
      'old sessions of the console were not forgotten',
    )
  }, cleaningMs)
  // More often: lists, the summary and the metrics read what is not added yet one by one.
  const tallying = setInterval(
    () => attempt(foldTallies(db), 'the entries of the tallies were not added up'),
    tallyingMs,
  )
  return () => {
    clearInterval(cleaning)
    clearInterval(tallying)
  }
}
