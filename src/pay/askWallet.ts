import { makeKey } from '../api/makeKey.js'
import { classifyWalletError, isRefusal } from '../chain/evm/walletError.js'
import type { CheckedPayment, PaymentAttempt } from '../chain/index.js'
import { isPaymentSeen } from '../order/payment.js'
import { onPageReturn } from './page.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { isSent } from './resumePayment.js'
import { searchPayment } from './searchPayment.js'
import { type Answer, openWallet, sendPayment } from './sendPayment.js'
import type { Simulation } from './simulatePayment.js'
import { uncertain } from './uncertain.js'
import type { Wait } from './wait.js'
import type { Wallet } from './wallet.js'
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

const withAnswer = (attempt: PaymentAttempt, answer: Answer): SentAttempt =>
  'callsId' in answer
    ? { ...attempt, txId: answer.callsId, callsId: answer.callsId }
    : { ...attempt, ...answer }

/**
 * Asks the wallet once, and stores the attempt before asking and the answer after it. Meanwhile it watches
 * the order and the chain, because an answer can get lost on its way from a wallet's app.
 *
 * @returns The attempt with its hash; undefined when the service has seen the payment before the wallet
 * answered.
 * @throws {@link KassaError} the wallet's refusal; `pay.uncertain` when the wallet broke off or stayed
 * silent. A later answer is still stored and passed to `onLateAnswer`.
 */
export const askWallet = async (
  context: PayContext,
  wallet: Wallet,
  payment: CheckedPayment,
  { gas, isContractWallet, blockNumber }: Simulation,
): Promise<SentAttempt | undefined> => {
  const { config, ledger, orderId, setStep } = context
  const attempt: PaymentAttempt = {
    id: makeKey(),
    orderId,
    chainId: payment.chainId,
    payerAddress: wallet.account,
    to: payment.to,
    data: payment.data,
    valueWei: String(payment.valueWei),
    attemptedAtMs: context.now(),
    fromBlock: String(blockNumber),
    ...(isContractWallet && { isContractWallet }),
  }
  // Comes before the attempt is stored, because a failure here has not asked the wallet.
  const client = await openWallet(config, wallet, payment).catch((cause: unknown) => {
    throw classifyWalletError(cause, payment.chain)
  })
  ledger.put(attempt)
  setStep({ status: 'awaiting-signature' })
  let isGivenUp = false
  const answer = sendPayment(config, client, wallet, payment, gas).then(
    (answered) => {
      // A hash found on chain meanwhile takes precedence.
      const known = ledger.update(attempt, (kept) => (isSent(kept) ? kept : withAnswer(kept, answered)))
      const sent = known && isSent(known) ? known : withAnswer(attempt, answered)
      if (isGivenUp) context.onLateAnswer()
      return sent
    },
    (cause: unknown) => {
      // Without a clear refusal the payment may be on its way, so the attempt stays in the ledger.
      const error = isRefusal(cause)
        ? classifyWalletError(cause, payment.chain)
        : uncertain(attempt, { cause })
      // A refusal does not count if the payment was found on chain meanwhile.
      const isFound = ledger.list(orderId).some(({ id, txId }) => id === attempt.id && txId !== undefined)
      if (isRefusal(cause) && !isFound) ledger.remove(attempt)
      if (isGivenUp) context.onLateAnswer(error)
      throw error
    },
  )
  const silence = waitForSilence(context.silenceMs ?? defaultSilenceMs)
  const search = searchPayment(context, attempt)
  const seen = watchOrder(context, isPaymentSeen)
  const found = search.promise.then((txId): SentAttempt => {
    ledger.update(attempt, (kept) => ({ ...kept, txId }))
    return { ...attempt, txId }
  })
  try {
    return await Promise.race([
      answer,
      found,
      seen.promise.then(() => undefined),
      silence.promise.then(() => {
        throw uncertain(attempt)
      }),
    ])
  } finally {
    isGivenUp = true
    silence.stop()
    search.stop()
    seen.stop()
    // The caller may have stopped waiting when the answer comes.
    answer.catch(() => undefined)
  }
}
