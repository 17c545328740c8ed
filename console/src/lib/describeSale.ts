import type { Collection } from 'kassa/schema'
import { t } from '../messages/index.js'
import { formatMoney, formatTime } from './format.js'
import { numbers } from './numbers.js'

const s = t.collections

type Sale = NonNullable<Collection['sale']>
type Phase = NonNullable<Sale['phases']>[number]
type Code = NonNullable<Sale['promotionCodes']>[number]

const join = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ')

const formatCount = (number: number): string => numbers.format(`${number}`)

/** Returns when a phase is, who may buy in it, and how much, in words. */
const describePhase = ({ name, startsAt, allowList, maxTokens }: Phase): string =>
  join([
    name,
    startsAt && s.rule.from(formatTime(startsAt)),
    allowList?.addressCount === undefined ? undefined : s.rule.listed(formatCount(allowList.addressCount)),
    allowList?.merkleRoot && s.rule.tree,
    maxTokens === undefined ? undefined : s.rule.most(formatCount(maxTokens)),
  ])

/** Returns what a code takes off, how often, and until when, in words. */
const describeCode = ({ code, percent, amount, limit, expiresAt }: Code, currency: string): string =>
  join([
    code,
    percent && s.rule.off(`${numbers.format(percent)} %`),
    amount && s.rule.off(formatMoney({ amount, currency })),
    limit === undefined ? undefined : s.rule.most(formatCount(limit)),
    expiresAt && s.rule.until(formatTime(expiresAt)),
  ])

const limits = ['wallet', 'email', 'payer'] as const

/** Returns the rules of a collection's sale in words. */
export const describeSale = (sale: Sale, { payments }: Pick<Collection, 'payments'>) => ({
  most: limits.flatMap((limit) => {
    const number = sale.maxPerBuyer?.[limit]
    return number === undefined ? [] : [s.maxOf(formatCount(number), s.maxBy[limit])]
  }),
  phases: sale.phases?.map(describePhase) ?? [],
  codes: sale.promotionCodes?.map((code) => describeCode(code, payments?.currency ?? '')) ?? [],
})
