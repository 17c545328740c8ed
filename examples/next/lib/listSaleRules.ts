import { loadMessages } from 'kassa/locales'
import { findLocale } from 'kassa/schema'
import type { Translate } from './language/createTranslate'
import type { Edition } from './shop'

/** Writes a time for a page that the server renders, which does not know the visitor's time zone. */
export const formatOpening = (time: string, language: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(Date.parse(time))} UTC`

/** Lists the rules of an edition's sale, in the words of the checkout's parts. */
export const listSaleRules = async (
  { sale }: Edition,
  language: string,
  t: Translate<'edition'>,
): Promise<string[]> => {
  const { startsAt, endsAt, phase, maxPerBuyer, hasPromotionCodes } = sale ?? {}
  const words = await loadMessages(findLocale(language))
  const most = (sentence: string, max: number | undefined) =>
    max === undefined ? [] : [sentence.replace('{max}', String(max))]
  return [
    ...(startsAt === undefined ? [] : [t('opens', { date: formatOpening(startsAt, language) })]),
    ...(endsAt === undefined ? [] : [words.saleEndsAt.replace('{date}', formatOpening(endsAt, language))]),
    ...(phase?.isForAllowList ? [words.forList.replace('{phase}', phase.name)] : []),
    ...most(words.limitWallet, maxPerBuyer?.wallet),
    ...most(words.limitEmail, maxPerBuyer?.email),
    ...most(words.limitPayer, maxPerBuyer?.payer),
    ...(hasPromotionCodes ? [t('codes')] : []),
  ]
}
