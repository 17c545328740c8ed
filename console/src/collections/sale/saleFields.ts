import type { Collection, SaleRulesChange } from 'kassa/schema'
import { toLocal } from '../../lib/localTime.js'
import { numbers } from '../../lib/numbers.js'
import { type FieldReader, readFields } from '../../lib/readFields.js'
import { t } from '../../messages/index.js'

const s = t.sale

type Rules = NonNullable<Collection['sale']>

export const limits = ['wallet', 'email', 'payer'] as const

/** Who may buy in a phase. */
export const audiences = ['everyone', 'wallets', 'tree'] as const
export type Audience = (typeof audiences)[number]

/** A phase, or a code, as its fields have it. `key` tells the rows of a form apart. Null is none, by its switch. */
export type PhaseFields = {
  key: number
  name: string
  startsAt: string | null
  audience: Audience
  /** One address on each line. */
  addresses: string
  /** How many addresses the service has stored and does not show. */
  storedCount: number
  /** Keeps those addresses, unless others are entered. */
  listId?: string | undefined
  merkleRoot: string
  maxTokens: string | null
}
export type CodeFields = {
  key: number
  code: string
  off: string
  unit: 'percent' | 'amount'
  limit: string | null
  expiresAt: string | null
}
export type SaleFields = {
  startsAt: string | null
  endsAt: string | null
  most: Record<(typeof limits)[number], string | null>
  phases: PhaseFields[]
  codes: CodeFields[]
}

const audienceOf = ({ allowList }: NonNullable<Rules['phases']>[number]): Audience => {
  if (!allowList) return 'everyone'
  return allowList.merkleRoot ? 'tree' : 'wallets'
}

const write = (number: number | undefined): string | null =>
  number === undefined ? null : numbers.write(`${number}`)

const writeTime = (iso: string | undefined): string | null => (iso ? toLocal(iso) : null)

/** Returns what the fields of the rules start with. */
export const readSale = ({ sale }: Collection): SaleFields => {
  const { startsAt, endsAt, maxPerBuyer, phases = [], promotionCodes = [] } = sale ?? {}
  return {
    startsAt: writeTime(startsAt),
    endsAt: writeTime(endsAt),
    most: {
      wallet: write(maxPerBuyer?.wallet),
      email: write(maxPerBuyer?.email),
      payer: write(maxPerBuyer?.payer),
    },
    phases: phases.map((phase, key) => ({
      key,
      name: phase.name,
      startsAt: writeTime(phase.startsAt),
      audience: audienceOf(phase),
      addresses: '',
      storedCount: phase.allowList?.addressCount ?? 0,
      listId: phase.allowList?.listId,
      merkleRoot: phase.allowList?.merkleRoot ?? '',
      maxTokens: write(phase.maxTokens),
    })),
    codes: promotionCodes.map(({ code, percent, amount, limit, expiresAt }, key) => ({
      key,
      code,
      off: numbers.write(percent ?? amount ?? '0'),
      unit: percent === undefined ? 'amount' : 'percent',
      limit: write(limit),
      expiresAt: writeTime(expiresAt),
    })),
  }
}

const nextKey = (rows: readonly { key: number }[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

export const addPhase = (phases: readonly PhaseFields[]): PhaseFields[] => [
  ...phases,
  {
    key: nextKey(phases),
    name: '',
    startsAt: phases.length ? '' : null,
    audience: 'everyone',
    addresses: '',
    storedCount: 0,
    merkleRoot: '',
    maxTokens: null,
  },
]

export const addCode = (codes: readonly CodeFields[]): CodeFields[] => [
  ...codes,
  { key: nextKey(codes), code: '', off: '', unit: 'percent', limit: null, expiresAt: null },
]

/** The name of a field of a row, under which its problem is said. */
export const nameField = (row: 'phase' | 'code', key: number, field: string): string =>
  `${row}-${key}-${field}`

const isWallet = (entry: string): boolean =>
  /^0x[0-9a-f]{40}$/i.test(entry) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(entry)

/** Returns who may buy, as the service has it. */
const readAllowList = (read: FieldReader, phase: PhaseFields) => {
  const { key, audience, addresses, listId } = phase
  if (audience === 'everyone') return {}
  if (audience === 'tree') {
    const merkleRoot = phase.merkleRoot.trim()
    if (!/^0x[0-9a-f]{64}$/i.test(merkleRoot)) {
      read.refuse(nameField('phase', key, 'merkleRoot'), s.merkleRootProblem)
    }
    return { allowList: { merkleRoot } }
  }
  if (listId !== undefined && !addresses.trim()) return { allowList: { listId } }
  const listed = read.list(nameField('phase', key, 'addresses'), addresses, {
    isEntry: isWallet,
    problem: s.notWallet,
    empty: s.noWallets,
  })
  return { allowList: { addresses: listed } }
}

const readPhase = (read: FieldReader, fields: PhaseFields, isFirst: boolean) => {
  const nameOf = (field: string) => nameField('phase', fields.key, field)
  const { name, maxTokens } = fields
  // Each phase after the first one has a start.
  const startsAt = isFirst ? fields.startsAt : (fields.startsAt ?? '')
  return {
    name: name.trim(),
    ...(startsAt !== null && {
      startsAt: read.time(nameOf('startsAt'), startsAt, isFirst ? s.noStart : undefined),
    }),
    ...readAllowList(read, fields),
    ...(maxTokens !== null && { maxTokens: read.count(nameOf('maxTokens'), maxTokens, t.noLimit) }),
  }
}

const isMoreThanNone = (amount: string): boolean => /[1-9]/.test(amount)

const isPercentage = (amount: string): boolean =>
  isMoreThanNone(amount) && (amount === '100' || /^\d{1,2}(\.\d{1,2})?$/.test(amount))

const readCode = (read: FieldReader, { key, code, off, unit, limit, expiresAt }: CodeFields) => {
  const nameOf = (field: string) => nameField('code', key, field)
  const rule =
    unit === 'percent'
      ? { isPossible: isPercentage, problem: s.percentProblem }
      : { isPossible: isMoreThanNone, problem: s.offProblem }
  return {
    code: code.trim(),
    [unit]: read.amount(nameOf('off'), off, rule),
    ...(limit !== null && { limit: read.count(nameOf('limit'), limit, t.noLimit) }),
    ...(expiresAt !== null && { expiresAt: read.time(nameOf('expiresAt'), expiresAt, s.noEnd) }),
  }
}

/** Returns the limits for each buyer that the reader has changed. */
const readMost = (read: FieldReader, before: SaleFields['most'], after: SaleFields['most']) => {
  const changed = limits.filter((limit) => before[limit] !== after[limit])
  if (!changed.length) return {}
  const entries = changed.map((limit) => [limit, read.limit(`most-${limit}`, after[limit])])
  return { maxPerBuyer: Object.fromEntries(entries) }
}

/** Whether two states of the fields are the same. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns only the rules that the reader has changed. Those whose switch says that there are none are removed.
 *
 * @throws UnreadableFields, with a sentence for each field that cannot be read.
 */
export const listSaleChanges = (before: SaleFields, after: SaleFields): SaleRulesChange =>
  readFields((read) => {
    const time = (name: 'startsAt' | 'endsAt', none: string) => {
      const text = after[name]
      if (before[name] === text) return {}
      return { [name]: text === null ? null : read.time(name, text, none) }
    }
    const { phases, codes } = after
    return {
      ...readMost(read, before.most, after.most),
      ...time('startsAt', s.noStart),
      ...time('endsAt', s.noEnd),
      ...(!isSame(before.phases, phases) && {
        phases: phases.length ? phases.map((phase, index) => readPhase(read, phase, index === 0)) : null,
      }),
      ...(!isSame(before.codes, codes) && {
        promotionCodes: codes.length ? codes.map((code) => readCode(read, code)) : null,
      }),
    }
  })
