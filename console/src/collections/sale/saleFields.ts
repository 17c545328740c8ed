import type { Collection, SaleRulesChange } from 'kassa/schema'
import { fromLocal, toLocal } from '../../lib/localTime.js'

type Rules = NonNullable<Collection['sale']>

export const limits = ['wallet', 'email', 'payer'] as const

/** Who may buy in a phase. */
export const audiences = ['everyone', 'wallets', 'tree'] as const
export type Audience = (typeof audiences)[number]

/** A phase, or a code, as its fields have it. `key` tells the rows of a form apart. */
export type PhaseFields = {
  key: number
  name: string
  startsAt: string
  audience: Audience
  /** One address on each line. */
  addresses: string
  /** How many addresses the service has stored and does not show. */
  storedCount: number
  merkleRoot: string
  maxTokens: string
}
export type CodeFields = {
  key: number
  code: string
  off: string
  unit: 'percent' | 'amount'
  limit: string
  expiresAt: string
}
export type SaleFields = {
  startsAt: string
  endsAt: string
  most: Record<(typeof limits)[number], string>
  phases: PhaseFields[]
  codes: CodeFields[]
}

const audienceOf = ({ allowList }: NonNullable<Rules['phases']>[number]): Audience => {
  if (!allowList) return 'everyone'
  return allowList.merkleRoot ? 'tree' : 'wallets'
}

const write = (number: number | undefined): string => (number === undefined ? '' : `${number}`)

/** Returns what the fields of the rules start with. */
export const readSale = ({ sale }: Collection): SaleFields => {
  const { startsAt, endsAt, maxPerBuyer, phases = [], promotionCodes = [] } = sale ?? {}
  return {
    ...{ startsAt: toLocal(startsAt), endsAt: toLocal(endsAt) },
    most: {
      ...{ wallet: write(maxPerBuyer?.wallet), email: write(maxPerBuyer?.email) },
      payer: write(maxPerBuyer?.payer),
    },
    phases: phases.map((phase, key) => ({
      ...{ key, name: phase.name, startsAt: toLocal(phase.startsAt), audience: audienceOf(phase) },
      ...{ addresses: '', storedCount: phase.allowList?.addressCount ?? 0 },
      ...{ merkleRoot: phase.allowList?.merkleRoot ?? '', maxTokens: write(phase.maxTokens) },
    })),
    codes: promotionCodes.map(({ code, percent, amount, limit, expiresAt }, key) => ({
      ...{ key, code, off: percent ?? amount ?? '', unit: percent === undefined ? 'amount' : 'percent' },
      ...{ limit: write(limit), expiresAt: toLocal(expiresAt) },
    })),
  }
}

const nextKey = (rows: readonly { key: number }[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

export const addPhase = (phases: readonly PhaseFields[]): PhaseFields[] => [
  ...phases,
  {
    ...{ key: nextKey(phases), name: '', startsAt: '', audience: 'everyone', addresses: '', storedCount: 0 },
    ...{ merkleRoot: '', maxTokens: '' },
  },
]

export const addCode = (codes: readonly CodeFields[]): CodeFields[] => [
  ...codes,
  { key: nextKey(codes), code: '', off: '', unit: 'percent', limit: '', expiresAt: '' },
]

const listAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** Returns who may buy, as the service has it. The service refuses an empty list, so it opens the phase to no one. */
const allowListOf = ({ audience, addresses, merkleRoot }: PhaseFields) => {
  if (audience === 'everyone') return {}
  if (audience === 'tree') return { allowList: { merkleRoot: merkleRoot.trim() } }
  const listed = listAddresses(addresses)
  return { allowList: listed.length ? { addresses: listed } : {} }
}

const phaseOf = (fields: PhaseFields) => ({
  name: fields.name.trim(),
  ...(fields.startsAt && { startsAt: fromLocal(fields.startsAt) }),
  ...allowListOf(fields),
  ...(fields.maxTokens.trim() && { maxTokens: Number(fields.maxTokens) }),
})

const codeOf = ({ code, off, unit, limit, expiresAt }: CodeFields) => ({
  ...{ code: code.trim(), [unit]: off.trim() },
  ...(limit.trim() && { limit: Number(limit) }),
  ...(expiresAt && { expiresAt: fromLocal(expiresAt) }),
})

const mostOf = (most: SaleFields['most']) =>
  Object.fromEntries(limits.flatMap((limit) => (most[limit].trim() ? [[limit, Number(most[limit])]] : [])))

/** Whether two states of the fields are the same. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns only the rules that the reader has changed; those that are emptied are removed. */
export const listSaleChanges = (before: SaleFields, after: SaleFields): SaleRulesChange => {
  const time = (name: 'startsAt' | 'endsAt') =>
    before[name] === after[name] ? {} : { [name]: after[name] ? fromLocal(after[name]) : null }
  const most = mostOf(after.most)
  return {
    ...time('startsAt'),
    ...time('endsAt'),
    ...(!isSame(before.most, after.most) && { maxPerBuyer: Object.keys(most).length ? most : null }),
    ...(!isSame(before.phases, after.phases) && {
      phases: after.phases.length ? after.phases.map(phaseOf) : null,
    }),
    ...(!isSame(before.codes, after.codes) && {
      promotionCodes: after.codes.length ? after.codes.map(codeOf) : null,
    }),
  }
}
