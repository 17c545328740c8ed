import { useLocale, useTranslations } from 'use-intl'

/** Shows a day with its year, for dates far away. */
export function LongDate({ at }: { at: Date }) {
  const t = useTranslations('wallet')
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'long', timeZone: 'UTC' })
  return Number.isNaN(at.getTime()) ? (
    t('unknownDate')
  ) : (
    <time dateTime={at.toISOString()}>{format.format(at)}</time>
  )
}
