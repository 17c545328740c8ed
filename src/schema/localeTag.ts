import * as z from 'zod/mini'
import { type Locale, locales } from './orderMembers.js'

/** The tags that RFC 5646 keeps for compatibility although they do not follow its syntax. */
const irregular =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i

/** Language with up to three extensions, script, region, variants, extensions, private use. */
const langtag =
  /^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i

const privateUse = /^x(?:-[a-z\d]{1,8})+$/i

const isWellFormed = (tag: string): boolean =>
  langtag.test(tag) || privateUse.test(tag) || irregular.test(tag)

/**
 * A well-formed BCP 47 language tag of at most 100 characters, such as `de-AT`.
 *
 * @source answers.md "Revised", "Reading and writing"; RFC 5646, section 2.1
 */
export const LocaleTag = z
  .string()
  .check(
    z.maxLength(100, { error: 'expected 100 characters or fewer', abort: true }),
    z.refine(isWellFormed, 'expected a BCP 47 language tag such as "en-US"'),
  )

/** Whether the subtags of a Chinese tag stand for traditional characters: by their script, else by their region. */
const isTraditional = (subtags: string[]): boolean =>
  subtags.includes('hant') ||
  (!subtags.includes('hans') && ['hk', 'mo', 'tw'].some((region) => subtags.includes(region)))

/**
 * Finds the translation to show for a language tag.
 *
 * @param tag - Any text; letter case does not matter.
 * @returns The locale of the tag's language, else `en-US`. Chinese in traditional characters, as in Hong Kong,
 * Macao and Taiwan, is `zh-TW`.
 * @example
 * ```ts
 * import { findLocale } from 'kassa/schema'
 *
 * console.log(findLocale('de-AT')) // 'de-DE'
 * console.log(findLocale('tlh')) // 'en-US'
 * ```
 */
export const findLocale = (tag: string): Locale => {
  const subtags = tag.toLowerCase().split('-')
  if (subtags[0] === 'zh') return isTraditional(subtags) ? 'zh-TW' : 'zh-CN'
  return locales.find((locale) => locale.startsWith(`${subtags[0]}-`)) ?? 'en-US'
}
