'use client'

import { useLocale, useTranslations } from 'use-intl'

/** Says which networks do not answer. */
export function NetworksAway({ labels }: { labels: readonly string[] }) {
  const t = useTranslations('wallet')
  const networks = new Intl.ListFormat(useLocale(), { type: 'conjunction' }).format(labels)
  return <p>{t('networksAway', { networks })}</p>
}
