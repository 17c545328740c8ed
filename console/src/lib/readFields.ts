import { noLimit } from 'kassa/schema'
import { t } from '../messages/index.js'
import { fromLocal } from './localTime.js'
import { numbers } from './numbers.js'

const s = t.unreadable

/** The most that the service takes where something is counted. */
const mostCounted = 2_147_483_647

/** What cannot be read of a form, by the names of its fields. */
export class UnreadableFields extends Error {
  override readonly name = 'UnreadableFields'
  readonly problems: Readonly<Record<string, string>>

  constructor(problems: Readonly<Record<string, string>>) {
    super(s.form)
    this.problems = problems
  }
}

type AmountRule = {
  /** The label of the switch that stands for no amount. */
  none?: string
  /** Whether an amount is possible here; any is, without it. */
  isPossible?(amount: string): boolean
  problem?: string
}

type ListRule = { isEntry(entry: string): boolean; problem(entry: string): string; empty: string }

/** Reads fields. After a problem, what a method returns is of no use, and nothing of the form is sent. */
export type FieldReader = {
  /** Reads a whole number from 1 on. */
  count(name: string, text: string, none?: string): number
  /** Reads a limit. Null, which the switch of its field stands for, and the word “unlimited” are no limit. */
  limit(name: string, text: string | null): number | typeof noLimit
  /** Reads an amount or a percentage as a decimal string. */
  amount(name: string, text: string, rule?: AmountRule): string
  /** Reads a field for times as ISO 8601. */
  time(name: string, text: string, none?: string): string
  /** Reads a list, whose entries stand between blanks, commas or semicolons, or on lines. */
  list(name: string, text: string, rule: ListRule): string[]
  /** Names what is wrong with a field. */
  refuse(name: string, problem: string): void
}

/**
 * Reads the fields of a form.
 *
 * @throws UnreadableFields, with a sentence for each field that cannot be read.
 */
export const readFields = <Body>(read: (reader: FieldReader) => Body): Body => {
  const problems: Record<string, string> = {}
  const refuse = (name: string, problem: string) => {
    problems[name] ??= problem
  }
  const count = (name: string, text: string, none?: string): number => {
    const number = numbers.read(text) ?? ''
    const isCount = /^\d{1,10}$/.test(number) && Number(number) >= 1 && Number(number) <= mostCounted
    if (!isCount) refuse(name, s.count(numbers.format(`${mostCounted}`), none))
    return Number(number)
  }
  const body = read({
    refuse,
    count,
    limit: (name, text) => {
      if (text === null || text.trim().toLowerCase() === noLimit) return noLimit
      return count(name, text, t.noLimit)
    },
    amount: (name, text, { none, isPossible = () => true, problem } = {}) => {
      const amount = numbers.read(text)
      if (amount === undefined) refuse(name, s.amount(numbers.format('1000.5'), none))
      else if (!isPossible(amount)) refuse(name, problem ?? s.amount(numbers.format('1000.5'), none))
      return amount ?? ''
    },
    time: (name, text, none) => {
      const time = fromLocal(text)
      if (time === undefined) refuse(name, s.time(none))
      return time ?? ''
    },
    list: (name, text, { isEntry, problem, empty }) => {
      const entries = text.split(/[\s,;]+/).filter(Boolean)
      const wrong = entries.find((entry) => !isEntry(entry))
      if (wrong !== undefined) refuse(name, problem(wrong))
      if (!entries.length) refuse(name, empty)
      return entries
    },
  })
  if (Object.keys(problems).length) throw new UnreadableFields(problems)
  return body
}
