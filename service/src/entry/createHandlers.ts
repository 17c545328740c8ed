import type { Deps } from '#base/deps.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { type CollectionHandlers, createCollectionHandlers } from '#goods/collections/handlers.js'
import { createNftHandlers, type NftHandlers } from '#goods/nfts/handlers.js'
import { createTransactionHandlers, type TransactionHandlers } from '#holdings/transactions/handlers.js'
import { sendCode } from '#identity/console/codes.js'
import { sendLinks } from '#identity/console/links.js'
import { sendAlert } from '#identity/console/mails.js'
import { sendMail } from '#notify/mails/sendMail.js'
import { createWebhookHandlers } from '#notify/webhooks/handlers.js'
import { createSettleHandler } from '#sale/authorizations/settleAuthorization.js'
import { sendTransfer } from '#sale/ledger/sendUnattributed.js'
import { createOrderHandlers, type OrderHandlers } from '#sale/orders/handlers.js'

/** The handlers of all jobs that need no adapter besides the ports. */
export type Handlers = CollectionHandlers &
  NftHandlers &
  OrderHandlers &
  TransactionHandlers & {
    [Name in
      | 'authorizations.settle'
      | 'console.alert'
      | 'console.code'
      | 'console.link'
      | 'mails.send'
      | 'unattributed.send'
      | 'webhooks.send']: JobHandler<Name>
  }

/** Creates the handlers of all effects of verbs. */
export const createHandlers = (deps: Deps): Handlers => ({
  ...createCollectionHandlers(deps),
  ...createNftHandlers(deps),
  ...createOrderHandlers(deps),
  ...createTransactionHandlers(deps),
  ...createWebhookHandlers(deps),
  'authorizations.settle': createSettleHandler(deps),
  'console.alert': sendAlert(deps),
  'console.code': sendCode(deps),
  'console.link': sendLinks(deps),
  'mails.send': sendMail(deps),
  'unattributed.send': sendTransfer(deps),
})
