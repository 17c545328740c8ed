import { match } from '@formatjs/intl-localematcher'
import { isLanguage, type Language, languages } from './languages'

/** The cookie that holds the visitor's choice. */
export const languageCookie = 'language'

const names = Object.keys(languages)

/** Returns the language of a tag, such as `zh` of `zh-Hant-HK`; undefined when it is none. */
const readLanguage = (tag: string): string | undefined => {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return undefined
  }
}

/** Lists the tags of an `Accept-Language` header, the preferred first, without those that it rules out. */
const readTags = (header: string): string[] =>
  header
    // No browser sends more; matching each takes time.
    .slice(0, 300)
    .split(',')
    .flatMap((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      const quality = weight === undefined ? 1 : Number(weight.slice(2))
      return readLanguage(tag) && quality > 0 ? { tag, quality } : []
    })
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)

/**
 * Chooses the language of a page.
 *
 * @param chosen - The value of the cookie, which any client can set.
 * @param accepted - The `Accept-Language` header.
 * @returns The visitor's choice, else the first language of the browser that the shop speaks, else English.
 */
export const chooseLanguage = (chosen: string | undefined, accepted: string | null | undefined): Language => {
  if (isLanguage(chosen)) return chosen
  for (const tag of readTags(accepted ?? '')) {
    const found = match([tag], names, '')
    // The matcher knows related languages too. A visitor who reads one of them names it.
    if (isLanguage(found) && readLanguage(found) === readLanguage(tag)) return found
  }
  return 'en'
}
