const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

/** The content of an e-mail of this shop. All of it is text but the picture, which the text of the e-mail leaves out. */
export type MailContent = {
  title: string
  pictureUrl?: string | undefined
  sentences: readonly string[]
  /** Names and values, such as an order's lines. */
  facts?: readonly (readonly [name: string, value: string])[]
  link: { url: string; label: string }
  note: string
}

/** Writes an e-mail of this shop as HTML, for light and dark screens. */
export const writeMailHtml = (
  { title, pictureUrl, sentences, facts = [], link, note }: MailContent,
  language: string,
): string => `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <style>
      body { margin: 0; padding: 40px 24px; background: #fcfcfb; color: #17181c; font-size: 16px; line-height: 26px }
      main { max-width: 30rem; margin: 0 auto }
      h1 { margin: 0 0 16px; font-size: 24px; line-height: 32px; font-weight: 600 }
      img { display: block; width: 100%; height: auto; margin: 0 0 24px; border-radius: 6px }
      p { margin: 0 0 24px; overflow-wrap: anywhere }
      table { width: 100%; margin: 0 0 24px; border-collapse: collapse }
      td { padding: 6px 0; border-top: 1px solid #dfdfd9; vertical-align: top }
      td:first-child { padding-right: 16px }
      td:last-child { text-align: right; overflow-wrap: anywhere }
      a { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #2436c2; color: #fff; font-weight: 600; text-decoration: none }
      .soft { color: #5a5d65; font-size: 14px; line-height: 22px }
      @media (prefers-color-scheme: dark) {
        body { background: #121317; color: #f1f1ee }
        td { border-color: #2d3037 }
        a { background: #a8b3ff; color: #10131f }
        .soft { color: #a9acb4 }
      }
    </style>
  </head>
  <body style="${font}">
    <main>
      <h1>${escapeHtml(title)}</h1>
      ${pictureUrl ? `<img src="${escapeHtml(pictureUrl)}" alt="" width="480">` : ''}
      ${sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n      ')}
      ${
        facts.length > 0
          ? `<table role="presentation">${facts
              .map(([name, value]) => `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`)
              .join('')}</table>`
          : ''
      }
      <p><a href="${escapeHtml(link.url)}" target="_blank" rel="noopener">${escapeHtml(link.label)}</a></p>
      <p class="soft">${escapeHtml(note)}</p>
    </main>
  </body>
</html>`

/** Writes the same e-mail as plain text. */
export const writeMailText = ({ title, sentences, facts = [], link, note }: MailContent): string =>
  [title, ...sentences, facts.map((fact) => fact.join(': ')).join('\n'), link.url, note]
    .filter(Boolean)
    .join('\n\n')
