import type { CheckoutValue } from 'kassa'
import type { Messages } from 'kassa/locales'

const isCheckout = (value: unknown): value is CheckoutValue =>
  typeof value === 'object' && value !== null && 'step' in value && 'pay' in value

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.values(value).some(isCheckout)

/** The same things, with every checkout among them, and in a table among them, in another language. */
export const inLocale = <Things extends Record<string, unknown>>(
  things: Things,
  locale: string,
  messages: Messages,
): Things => {
  const translate = (thing: unknown): unknown => {
    if (isTable(thing)) return inLocale(thing, locale, messages)
    return isCheckout(thing)
      ? { ...thing, messages, order: thing.order && { ...thing.order, locale } }
      : thing
  }
  // A cast on purpose: each thing keeps its type, which TypeScript cannot follow through its entries.
  return Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, translate(thing)])) as Things
}
