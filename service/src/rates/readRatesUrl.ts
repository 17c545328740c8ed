import * as z from 'zod/mini'
import type { SafeFetch } from '../guard/port.js'
import type { Quotation } from './createRates.js'

const Rate = z
  .union([z.string(), z.number()])
  .check(z.refine((rate) => /^\d{1,20}(\.\d{1,20})?$/.test(String(rate)) && Number(rate) > 0))

const Answer = z.looseObject({
  updatedAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  rates: z.record(z.string(), z.unknown()),
})

/**
 * Reads rates as JSON: `{"updatedAt": "2026-01-31T12:00:00Z", "rates": {"eth": "3012.55"}}`. Entries that are
 * not positive decimal numbers are left out.
 *
 * @throws if there is no answer, or it has another form.
 */
export const readRatesUrl = async (
  safeFetch: SafeFetch,
  url: string,
): Promise<Readonly<Record<string, Quotation>>> => {
  const { bytes } = await safeFetch(url)
  const { updatedAt, rates } = z.parse(Answer, JSON.parse(new TextDecoder().decode(bytes)))
  const updatedAtMs = Date.parse(updatedAt)
  return Object.fromEntries(
    Object.entries(rates).flatMap(([currency, given]) => {
      const rate = z.safeParse(Rate, given)
      return rate.success ? [[currency.toLowerCase(), { rate: String(rate.data), updatedAtMs }]] : []
    }),
  )
}
