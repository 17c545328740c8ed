import { language, t } from '../messages/index.js'
import { numbers } from './numbers.js'

const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const momentsOfYear = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

/** Formats a time in ISO 8601, with its day, and its year if it is another one. */
export const formatTime = (iso: string): string => {
  const time = new Date(iso)
  const isThisYear = time.getFullYear() === new Date().getFullYear()
  return (isThisYear ? momentsOfYear : moments).format(time)
}

/** Formats the day of a time in ISO 8601. */
export const formatDay = (iso: string): string => days.format(new Date(iso))

type Money = { amount: string; currency: string }

/** Formats an amount of money. All digits stay: what is shown is what is moved. */
export const formatMoney = ({ amount, currency }: Money): string => {
  const [whole = '0', fraction = ''] = amount.split('.')
  const isDollar = /^usd/i.test(currency)
  const digits = isDollar ? fraction.padEnd(2, '0') : fraction
  return `${numbers.format(`${whole}.${digits}`)} ${currency.toUpperCase()}`
}

/** Formats what an amount is worth in dollars. */
export const formatFiat = (amount: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `$${numbers.format(`${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`)}`
}

/** Formats the name of a chain, such as `base-sepolia`. */
export const formatChain = (chain: string): string =>
  chain
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')

/** Formats the name of an account: its e-mail address, or the start of its id. */
export const formatAccount = (name: string): string =>
  name.replace(/^account ([0-9a-f]{8})-[0-9a-f-]{27}$/, (_, start) => t.accountOf(start))

/** Shortens an address, a hash or an id for tables. */
export const shorten = (text: string): string =>
  text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text

const browsers = [
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS', 'macOS'],
  ['Windows', 'Windows'],
  ['Linux', 'Linux'],
] as const

/** Reads the browser and the system of a `User-Agent`. */
export const readUserAgent = (text: string): { browser: string; system: string } | undefined => {
  const browser = browsers.find(([mark]) => text.includes(mark))?.[1]
  const system = systems.find(([mark]) => text.includes(mark))?.[1]
  return browser && system ? { browser, system } : undefined
}

/** Returns the word for a value of the service, or the value itself if it is newer than this page. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string =>
  words[value] ?? value
