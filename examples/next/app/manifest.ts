import type { MetadataRoute } from 'next'
import { getLanguage } from '../lib/language/getLanguage'
import { getTranslate } from '../lib/language/getTranslate'

/** Describes the shop to a browser that installs it. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const [language, t] = await Promise.all([getLanguage(), getTranslate('shop')])
  return {
    lang: language,
    name: t('title'),
    short_name: 'Recto',
    description: t('description'),
    start_url: '/',
    display: 'minimal-ui',
    background_color: '#fcfcfb',
    theme_color: '#fcfcfb',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/192', type: 'image/png', sizes: '192x192' },
      { src: '/icons/512', type: 'image/png', sizes: '512x512' },
      { src: '/icons/512', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  }
}
