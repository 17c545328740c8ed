import { setTimeout as sleep } from 'node:timers/promises'
import { clip } from 'kassa/engine'
import { x402Headers } from '#sale/x402/protocol.js'

/** How long one request may take: longer than a seller waits for a block. @units milliseconds */
const requestMs = 60_000
/** How long after its end a payment is asked about, so that a block that came late is seen. @units milliseconds */
const graceMs = 60_000
const firstPauseMs = 1_000
const longestPauseMs = 10_000
/** @units characters */
const longestBody = 1_000_000

/** An answer of a seller. */
export type Answer = { status: number; headers: Headers; body: string }

/** Where a payment is brought, by which method. */
export type Target = { url: string; method: 'GET' | 'POST' }

/**
 * Asks a seller once.
 *
 * @throws {@link TypeError} if no answer came, or one that leads to another address: what is signed goes to no third party.
 */
export const askSeller = async ({ url, method }: Target, payment?: string): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    redirect: 'error',
    headers: payment === undefined ? {} : { [x402Headers.signature]: payment },
    signal: AbortSignal.timeout(requestMs),
  })
  const body = (await response.text()).slice(0, longestBody)
  return { status: response.status, headers: response.headers, body }
}

/** Returns what an answer says, for a message. */
export const describeAnswer = ({ status, body }: Answer): string => {
  const said = (() => {
    try {
      const { message } = JSON.parse(body) as { message?: unknown }
      return typeof message === 'string' ? message : body
    } catch {
      return body
    }
  })()
  return `${status} ${clip(said, 500)}`.trim()
}

const isUndecided = ({ status }: Answer): boolean => status >= 500 || status === 425 || status === 429

const retryAfterMs = ({ headers }: Answer): number => Number(headers.get('retry-after') ?? 0) * 1000 || 0

/** Why a payment has no end that is known. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
}

/**
 * Brings one payment until the seller has decided. The same payment is sent again if no answer came, and moves money once,
 * however often it is sent: no second one is signed.
 *
 * @returns The seller's answer, and whether an earlier one was lost.
 * @throws {@link UnknownOutcome} if there was none until a minute after the payment's end.
 */
export const bringPayment = async (
  target: Target,
  payment: string,
  { validUntilMs, now, onRetry }: { validUntilMs: number; now(): number; onRetry(reason: string): void },
): Promise<{ answer: Answer; wasLost: boolean }> => {
  let wasLost = false
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const answer = await askSeller(target, payment).catch((error: unknown) =>
      error instanceof Error ? error : new Error('no answer'),
    )
    if (!(answer instanceof Error) && !isUndecided(answer)) return { answer, wasLost }
    const reason = answer instanceof Error ? answer.message : describeAnswer(answer)
    if (now() > validUntilMs + graceMs) throw new UnknownOutcome(reason)
    wasLost = true
    onRetry(reason)
    await sleep(answer instanceof Error ? pauseMs : Math.max(pauseMs, Math.min(retryAfterMs(answer), 60_000)))
  }
}
