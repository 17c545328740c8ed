import { makeKey } from '../api/makeKey.js'
import type { PaymentAttempt } from '../chain/index.js'
import { isPaymentSeen } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import type { PaymentWallet } from './family.js'
import { onPageReturn } from './page.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { isSent } from './resumePayment.js'
import { searchPayment } from './searchPayment.js'
import { uncertain } from './uncertain.js'
import type { Wait } from './wait.js'
import { watchOrder } from './watchOrder.js'

// Longer than a buyer with a hardware wallet takes. After it, a late answer still counts.
const defaultSilenceMs = 60_000
// A wallet's app sends the buyer back when it is done. An answer that is missing after this time is unlikely
// to come.
const silenceAfterReturnMs = 30_000

/** Waits until the wallet has been silent for too long. */
const waitForSilence = (silenceMs: number): Wait<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    const startTimer = (milliseconds: number): void => {
      clearTimeout(timer)
      timer = setTimeout(resolve, milliseconds)
    }
    startTimer(silenceMs)
    const stopListening = onPageReturn(() => startTimer(Math.min(silenceMs, silenceAfterReturnMs)))
    stop = () => {
      stopListening()
      clearTimeout(timer)
    }
  })
  return { promise, stop: () => stop() }
}

/** A wallet that is about to be asked, and the attempt that is stored for it. */
type Question = {
  wallet: PaymentWallet
  attempt: PaymentAttempt
  ask: Awaited<ReturnType<PaymentWallet['open']>>
}

/** Asks the wallet, and stores its answer, which may come after the wait for it has ended (`isGivenUp`). */
const listen = (
  context: PayContext,
  { wallet, attempt, ask }: Question,
  wait: { isGivenUp: boolean },
): Promise<SentAttempt> => {
  const { attemptStore, orderId, onLateAnswer } = context
  const find = (): PaymentAttempt | undefined =>
    attemptStore.list(orderId).find(({ id }) => id === attempt.id)
  /** Whether a late signature may be sent: the attempt is open, no later one replaced it, and the order is unpaid. */
  const isWanted = (): boolean => {
    const known = getKnownOrder(context)
    return attemptStore.list(orderId).at(-1)?.id === attempt.id && !(known && isPaymentSeen(known))
  }
  return ask(isWanted).then(
    (answered) => {
      // A hash found on chain meanwhile takes precedence.
      const known = attemptStore.update(attempt, (kept) => (isSent(kept) ? kept : { ...kept, ...answered }))
      if (wait.isGivenUp) onLateAnswer()
      return known && isSent(known) ? known : { ...attempt, ...answered }
    },
    (cause: unknown) => {
      // Without a clear refusal the payment may be on its way, so the attempt stays stored.
      const refusal = wallet.readRefusal(cause)
      const error = refusal ?? uncertain(attempt, { cause })
      // A refusal does not count if the payment was found on chain meanwhile.
      if (refusal && find()?.txId === undefined) attemptStore.remove(attempt)
      if (wait.isGivenUp) onLateAnswer(error)
      else context.decide({ type: refusal ? 'declined' : 'silent' })
      throw error
    },
  )
}

/**
 * Asks the wallet once, if the payment's state machine says so, and stores the attempt before asking and the answer after
 * it. Meanwhile it watches the order and the chain, because an answer can get lost on its way from a wallet's app.
 *
 * @returns The attempt with its hash; undefined when the service has seen the payment before the wallet
 * answered, or the wallet was not to be asked.
 * @throws {@link KassaError} the wallet's refusal; `pay.uncertain` when the wallet broke off or stayed
 * silent. A later answer is still stored and passed to `onLateAnswer`.
 */
export const askWallet = async (
  context: PayContext,
  wallet: PaymentWallet,
): Promise<SentAttempt | undefined> => {
  const { attemptStore, orderId, decide } = context
  const attempt = wallet.createAttempt({ id: makeKey(), orderId, attemptedAtMs: context.now() })
  // Comes before the attempt is stored, because a failure here has not asked the wallet.
  const ask = await wallet.open()
  if (decide({ type: 'wallet-opened' })?.type !== 'store-attempt') return undefined
  attemptStore.put(attempt)
  if (decide({ type: 'stored' })?.type !== 'ask-wallet') {
    attemptStore.remove(attempt)
    return undefined
  }
  const wait = { isGivenUp: false }
  const answer = listen(context, { wallet, attempt, ask }, wait)
  // A permit and the payment that uses it are two requests.
  const requests = attempt.authorization?.kind === 'permit' ? 2 : 1
  const silence = waitForSilence((context.silenceMs ?? defaultSilenceMs) * requests)
  const search = searchPayment(context, attempt)
  const seen = watchOrder(context, isPaymentSeen)
  const found = search.promise.then((txId): SentAttempt => {
    attemptStore.update(attempt, (kept) => ({ ...kept, txId }))
    return { ...attempt, txId }
  })
  const onSilence = silence.promise.then((): never => {
    decide({ type: 'silent' })
    throw uncertain(attempt)
  })
  try {
    const sent = await Promise.race([answer, found, seen.promise.then(() => undefined), onSilence])
    decide(sent ? { type: 'answered', txId: sent.txId } : { type: 'seen' })
    return sent
  } finally {
    wait.isGivenUp = true
    silence.stop()
    search.stop()
    seen.stop()
    // The caller may have stopped waiting when the answer comes.
    answer.catch(() => undefined)
  }
}
