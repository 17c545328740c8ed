import { escapeHtml } from '#base/lib/escapeHtml.js'

/** What a page says of itself to programs that show a preview of its address. */
export type Preview = {
  locale: string
  title: string
  description: string
  /** The shop. */
  siteName: string
  url: string
  imageUrl?: string
}

const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${escapeHtml(content)}">`

/** Writes a preview into the document of a page, as Open Graph has it. All of it is plain text. */
export const unfurl = (html: string, preview: Preview): string => {
  const { locale, title, description, siteName, url, imageUrl } = preview
  const tags = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:site_name', siteName),
    property('og:url', url),
    property('og:locale', locale.replace('-', '_')),
    ...(imageUrl === undefined ? [] : [property('og:image', imageUrl)]),
    `<meta name="twitter:card" content="${imageUrl === undefined ? 'summary' : 'summary_large_image'}">`,
  ]
  // Functions, because `$&` in a text would stand for what is replaced.
  return html
    .replace('<html lang="en">', () => `<html lang="${escapeHtml(locale)}">`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(`${title} · ${siteName}`)}</title>`)
    .replace('</head>', () => `${tags.join('\n    ')}\n  </head>`)
}
