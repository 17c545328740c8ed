'use client'

import { type AnyKassaError, type Checkout, isKassaError, type KassaErrorCode } from 'kassa'
import { useTranslations } from 'use-intl'
import type { Translate } from './language/createTranslate'
import { useOnline } from './useOnline'

const sentences = {
  'api.rate-limited': 'crowded',
  'api.conflict': 'conflict',
  'pay.uncertain': 'uncertain',
  'pay.chain-not-configured': 'notConfigured',
} as const

const awayCodes: readonly KassaErrorCode[] = [
  'api.unreachable',
  'api.timeout',
  'api.invalid-answer',
  'api.failed',
  'api.unavailable',
]

/** Whether an error may come from the buyer's own connection. */
export const isOutOfReach = ({ code }: Pick<AnyKassaError, 'code'>): boolean =>
  code === 'api.unreachable' || code === 'api.timeout' || code === 'pay.chain-unavailable'

/** What an explanation depends on beside the error. */
type Situation = {
  /** Whether the browser has a connection. */
  isOnline: boolean
  /** Whether the page repeats the request until it is answered. */
  isRepeated?: boolean | undefined
}

const explainCode = (
  code: KassaErrorCode,
  t: Translate<'payment'>,
  { isOnline, isRepeated = false }: Situation,
): string | undefined => {
  if (!isOnline && isOutOfReach({ code })) return t('offline')
  if (awayCodes.includes(code)) return isRepeated ? t('serviceAway') : t('tryAgain')
  return code in sentences ? t(sentences[code as keyof typeof sentences]) : undefined
}

/** Returns a buyer-facing message: what went wrong and what to do. An error's own message is for developers. */
export const explainError = (error: AnyKassaError, t: Translate<'payment'>, situation: Situation): string => {
  if (isKassaError(error, 'api.bad-request')) return t('refused', { reason: error.context.message })
  return explainCode(error.code, t, situation) ?? t('other')
}

/** Returns {@link explainError} for the page's language and connection. */
export const useExplainError = ({ isRepeated }: Pick<Situation, 'isRepeated'> = {}) => {
  const t = useTranslations('payment')
  const isOnline = useOnline()
  return (error: AnyKassaError): string => explainError(error, t, { isOnline, isRepeated })
}

/** Returns what the library's part for errors says: this shop's sentence, or else the library's. */
export const useExplainCode = () => {
  const t = useTranslations('payment')
  const isOnline = useOnline()
  // It shows errors of reading the order, which the page repeats.
  return ({ code, message }: Checkout.Error.State): string =>
    explainCode(code, t, { isOnline, isRepeated: true }) ?? message
}
