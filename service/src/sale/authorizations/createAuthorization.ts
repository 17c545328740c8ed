import type { Authorization, CreateAuthorizationBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { AuthorizationRow } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireOrderAccess } from '#identity/authorize.js'
import { readOrder } from '../orders/store.js'
import { viewAuthorization } from './authorizationRows.js'
import { bringAuthorization, refuseAuthorization } from './bringAuthorization.js'

/** How long an answer waits for the payment to be in a block. */
const patienceMs = 10_000

/** Answers with what became of an authorization, or refuses as the chain did. */
const answer = async (deps: Deps, call: Call, row: AuthorizationRow): Promise<Authorization> => {
  if (row.status === 'refused') {
    refuseAuthorization({
      reason: row.reason ?? 'unexpected_settle_error',
      message: row.failure ?? 'it was refused',
    })
  }
  const body = viewAuthorization(row)
  await deps.db.transaction((tx) => call.complete(tx, { status: 201, body }))
  return body
}

/**
 * Pays for an order by what its buyer signed. It is stored before the chain is asked, so that the same one is answered
 * again from its record, and the money moves once.
 *
 * @throws {@link ServiceError} `not-found`, `forbidden`; `unprocessable` with a reason in the words of x402; `conflict`
 * while another one may move money; `rate-limited` over a cap of the operator's gas; `chain-unavailable`.
 * @source answers.md "Revised a third time"
 */
export const createAuthorization = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: CreateAuthorizationBody },
): Promise<Authorization> => {
  requireOrderAccess(call.actor, 'orders.update', orderId)
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  const { row } = await bringAuthorization(deps, read.order, { body, patienceMs })
  return answer(deps, call, row)
}
