/**
 * How far one attempt at a payment has come.
 *
 * - `none`: the wallet was asked for nothing that may still succeed, as far as this page knows.
 * - `begun`: the payment is being checked against the order, the wallet and the chain.
 * - `prepared`: it passed, and the app's own check decides.
 * - `approved`: the wallet is being opened.
 * - `opened`: the wallet can be asked, and the attempt is being stored.
 * - `asked`: the attempt is stored, and the wallet was asked once.
 * - `sent`: its transaction is known, or the buyer has signed it and the shop sends it.
 * - `silent`: the wallet did not answer, so it may have sent it.
 */
export type AttemptState =
  | { status: 'none' }
  | { status: 'begun'; isRenewed: boolean }
  | { status: 'prepared'; isRenewed: boolean; identity: string; terms: string }
  | { status: 'approved' }
  | { status: 'opened' }
  | { status: 'asked' }
  | { status: 'sent'; txId: string | undefined }
  | { status: 'silent' }

/**
 * What happens to an attempt while its task runs.
 *
 * - `begun`: the order is unpaid and its price agreed. `hasOpen` says whether a stored attempt may still succeed,
 *   `isAgain` whether the buyer has chosen to pay all the same.
 * - `prepared`: every check passed. Two payments of one `identity` ask the wallet for the same; of one `terms` they pay
 *   the same, even if until another time.
 * - `approved`: the app's own check passed, and this is the order afterwards.
 * - `wallet-opened`: the wallet can be asked, and nothing was asked of it.
 * - `stored`: the attempt is in the store, so that a reload finds it.
 * - `answered`: its transaction is known, by the wallet or from the chain.
 * - `seen`: the service has seen the payment before the wallet answered.
 * - `declined`: the wallet has certainly not sent. The task may begin another attempt.
 * - `silent`: the wallet broke off or stayed silent.
 */
export type AttemptEvent =
  | { type: 'begun'; hasOpen: boolean; isAgain: boolean }
  | { type: 'prepared'; identity: string; terms: string }
  | { type: 'approved'; identity: string; terms: string }
  | { type: 'wallet-opened' }
  | { type: 'stored' }
  | { type: 'answered'; txId: string }
  | { type: 'seen' }
  | { type: 'declined' }
  | { type: 'silent' }

/**
 * What the running task does next.
 *
 * - `prepare`: check the payment, as the order is now.
 * - `approve`: run the app's own check, and read the order again.
 * - `open-wallet`: read the wallet right before it is asked.
 * - `store-attempt`: store the attempt.
 * - `ask-wallet`: ask the wallet, once.
 * - `watch`: follow the transaction into its block.
 * - `resume`: go on with what the service has seen.
 * - `stop`: end without asking: an earlier attempt may still succeed, or the order is another one by now.
 */
export type AttemptEffect =
  | { type: 'prepare' }
  | { type: 'approve' }
  | { type: 'open-wallet' }
  | { type: 'store-attempt' }
  | { type: 'ask-wallet' }
  | { type: 'watch' }
  | { type: 'resume' }
  | { type: 'stop'; reason: 'uncertain' | 'order-changed' }

/** An attempt, and what its task does next; nothing after an event that does not belong here. */
export type AttemptTransition = { attempt: AttemptState; effect?: AttemptEffect }

/** The attempt of a payment that asked the wallet for nothing. */
export const noAttempt: AttemptState = { status: 'none' }

const approve = (
  { identity, terms, isRenewed }: Extract<AttemptState, { status: 'prepared' }>,
  latest: Extract<AttemptEvent, { type: 'approved' }>,
): AttemptTransition => {
  if (latest.identity === identity)
    return { attempt: { status: 'approved' }, effect: { type: 'open-wallet' } }
  // A quote that was renewed at the same price is the same payment, valid for longer. It passes every check again, once.
  if (latest.terms === terms && !isRenewed)
    return { attempt: { status: 'begun', isRenewed: true }, effect: { type: 'prepare' } }
  return { attempt: noAttempt, effect: { type: 'stop', reason: 'order-changed' } }
}

/**
 * Applies an event to an attempt. The wallet is asked only for an attempt that was approved and is stored, and not beside
 * one that may still succeed, unless the buyer says so.
 */
export const reduceAttempt = (attempt: AttemptState, event: AttemptEvent): AttemptTransition => {
  const { status } = attempt
  switch (event.type) {
    case 'begun':
      if (status === 'asked') return { attempt }
      if (event.hasOpen && !event.isAgain)
        return { attempt: { status: 'silent' }, effect: { type: 'stop', reason: 'uncertain' } }
      return { attempt: { status: 'begun', isRenewed: false }, effect: { type: 'prepare' } }
    case 'prepared':
      if (status !== 'begun') return { attempt }
      return {
        attempt: {
          status: 'prepared',
          isRenewed: attempt.isRenewed,
          identity: event.identity,
          terms: event.terms,
        },
        effect: { type: 'approve' },
      }
    case 'approved':
      return status === 'prepared' ? approve(attempt, event) : { attempt }
    case 'wallet-opened':
      if (status !== 'approved') return { attempt }
      return { attempt: { status: 'opened' }, effect: { type: 'store-attempt' } }
    case 'stored':
      if (status !== 'opened') return { attempt }
      return { attempt: { status: 'asked' }, effect: { type: 'ask-wallet' } }
    case 'answered':
      // A wallet may answer after the wait for it has ended, while the next attempt is being approved.
      if (status !== 'asked' && status !== 'approved') return { attempt }
      return { attempt: { status: 'sent', txId: event.txId }, effect: { type: 'watch' } }
    case 'seen':
      return status === 'asked' ? { attempt: noAttempt, effect: { type: 'resume' } } : { attempt }
    case 'declined':
      return status === 'asked' ? { attempt: noAttempt } : { attempt }
    case 'silent':
      return status === 'asked' ? { attempt: { status: 'silent' } } : { attempt }
  }
}

/** What is left of an attempt once its task is over. */
export const endAttempt = (attempt: AttemptState, hasOpen: boolean): AttemptState => {
  if (attempt.status === 'asked') return { status: 'silent' }
  if (attempt.status === 'sent' || attempt.status === 'silent') return hasOpen ? attempt : noAttempt
  return noAttempt
}

const stepsAfterAnswer: readonly string[] = ['broadcast', 'confirming', 'paid']

/**
 * Whether a step may follow: once the wallet was asked, nothing before that is shown again. A wallet may be asked for
 * several signatures in a row, and nothing is said of that once the wait for it has ended.
 */
export const mayStep = ({ status }: AttemptState, step: string): boolean => {
  if (step === 'awaiting-signature') return status === 'asked'
  return (status !== 'asked' && status !== 'sent') || stepsAfterAnswer.includes(step)
}
