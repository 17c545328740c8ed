import { locale } from '../messages/index.js'

/** The digits of a language that its readers may type in place of those of its default. */
const nativeDigits: Readonly<Record<string, string>> = {
  ar: 'arab',
  fa: 'arabext',
  ur: 'arabext',
  hi: 'deva',
  mr: 'deva',
  ne: 'deva',
  bn: 'beng',
  my: 'mymr',
  th: 'thai',
}

/** Characters that look alike. A keyboard has one of them, and the rules of the language another. */
const lookAlikes = [' \u00a0\u202f\u2009', "\u2019'"]

const longest = 40

/** How a language writes a number with one kind of digits. */
type Style = {
  /** The ten digits, from 0 on. */
  digits: string
  decimal: string
  /** What may separate groups of digits, its own first. */
  groups: string[]
  /** How many digits the last group has, and how many each of those before it. */
  last: number
  other: number
}

const describeStyle = (tag: string, numberingSystem: string | undefined): Style => {
  const format = new Intl.NumberFormat(tag, {
    useGrouping: true,
    ...(numberingSystem && { numberingSystem }),
  })
  const parts = format.formatToParts(123_456_789_012.5)
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const sizes = parts.flatMap(({ type, value }) => (type === 'integer' ? [value.length] : []))
  const group = find('group')
  return {
    digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)).join(''),
    decimal: find('decimal'),
    groups: group ? [group, ...(lookAlikes.find((alike) => alike.includes(group)) ?? '')] : [],
    last: sizes.at(-1) ?? 3,
    other: sizes.at(-2) ?? 3,
  }
}

/** Reads digits as those of a decimal string. */
const toDigits = (text: string, { digits }: Style): string | undefined => {
  const values = [...text].map((character) => digits.indexOf(character))
  return values.length && values.every((value) => value >= 0) ? values.join('') : undefined
}

const readWhole = (text: string, style: Style): string | undefined => {
  const group = style.groups.find((each) => text.includes(each))
  const blocks = group ? text.split(group) : [text]
  const isGrouped = blocks.every(({ length }, index) => {
    if (index === blocks.length - 1) return length === style.last
    return index ? length === style.other : length >= 1 && length <= style.other
  })
  if (blocks.length > 1 && !isGrouped) return undefined
  const digits = toDigits(blocks.join(''), style)
  return digits?.startsWith('0') && digits !== '0' ? undefined : digits
}

const read = (text: string, style: Style): string | undefined => {
  const [before = '', after, ...rest] = text.split(style.decimal)
  const whole = readWhole(before, style)
  const fraction = after === undefined ? '' : toDigits(after, style)
  if (whole === undefined || fraction === undefined || rest.length) return undefined
  if (whole.length > longest || fraction.length > longest) return undefined
  return fraction ? `${whole}.${fraction}` : whole
}

/** Makes what keyboards of East Asia and right-to-left text add to a number plain. */
const clean = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .trim()

/** Splits digits into groups, from the right. */
const groupDigits = (digits: string, { groups: [group = ''], last, other }: Style): string => {
  const blocks = [digits.slice(-last)]
  for (let end = digits.length - last; end > 0; end -= other) {
    blocks.unshift(digits.slice(Math.max(0, end - other), end))
  }
  return blocks.join(group)
}

/** Reads and writes numbers as a language has them. What it writes, it reads as the same number. */
export const createNumbers = (tag: string) => {
  const native = nativeDigits[tag.split('-')[0] ?? '']
  const own = describeStyle(tag, undefined)
  const styles = [own, describeStyle(tag, 'latn'), ...(native ? [describeStyle(tag, native)] : [])]
  const write = (decimal: string, isGrouped: boolean): string => {
    const [whole = '0', fraction = ''] = decimal.split('.')
    const toOwn = (digits: string) => digits.replace(/\d/g, (digit) => own.digits[Number(digit)] ?? digit)
    const before = isGrouped ? groupDigits(toOwn(whole), own) : toOwn(whole)
    return fraction ? `${before}${own.decimal}${toOwn(fraction)}` : before
  }
  return {
    /**
     * Reads a number that is not negative: its separators are those of the language, and stand where it has them.
     *
     * @returns A decimal string such as `1000.50`; `undefined` for any other text.
     */
    read: (text: string): string | undefined => {
      const typed = clean(text)
      return styles.map((style) => read(typed, style)).find((number) => number !== undefined)
    },
    /** Writes a decimal string as a field has it. */
    write: (decimal: string): string => write(decimal, false),
    /** Writes a decimal string for reading, with groups of digits. All digits stay. */
    format: (decimal: string): string => write(decimal, true),
  }
}

/** The numbers of the reader's language. */
export const numbers = createNumbers(locale)
