import { escapeHtml } from './escapeHtml.js'

/** The content of a mail, from top to bottom. All of it is plain text. */
export type HtmlContent = {
  /** The language of the text. */
  locale: string
  title: string
  picture?: { url: string; alt: string }
  sentences: readonly string[]
  /** Facts: each is a name and its value. */
  facts: readonly (readonly [string, string])[]
  link?: { url: string; label: string }
  /** The sender. */
  sender: string
}

// Mail programs without dark mode, or without style sheets, use the styles at the elements.
const darkStyle = `
      @media (prefers-color-scheme: dark) {
        .paper { background: #121317 !important; }
        .card { background: #1c1e23 !important; border-color: #2d3037 !important; }
        .ink { color: #f1f1ee !important; }
        .soft { color: #a9acb4 !important; }
        .fact { border-color: #2d3037 !important; }
        .link { background: #f1f1ee !important; color: #121317 !important; }
      }`

const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

const createPicture = ({ url, alt }: { url: string; alt: string }): string => `
            <tr>
              <td class="soft" style="padding:0 0 24px;color:#5a5d65;${font};font-size:15px;line-height:24px">
                <img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" width="456" style="display:block;width:100%;max-width:456px;height:auto;border:0;border-radius:6px;color:#5a5d65;${font};font-size:15px;line-height:24px">
              </td>
            </tr>`

const createFact = ([name, value]: readonly [string, string]): string => `
                  <tr>
                    <td class="fact soft" valign="top" style="padding:10px 16px 10px 0;border-top:1px solid #dfdfd9;color:#5a5d65;${font};font-size:14px;line-height:20px;white-space:nowrap">${escapeHtml(name)}</td>
                    <td class="fact ink" valign="top" dir="auto" style="padding:10px 0;border-top:1px solid #dfdfd9;color:#17181c;${font};font-size:14px;line-height:20px;word-break:break-word">${escapeHtml(value)}</td>
                  </tr>`

const createLink = ({ url, label }: { url: string; label: string }): string => `
            <tr>
              <td style="padding:24px 0 0">
                <a class="link" href="${escapeHtml(url)}" target="_blank" rel="noopener" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#17181c;color:#ffffff;${font};font-size:16px;line-height:20px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>
              </td>
            </tr>`

/** Formats a mail as HTML that every mail program shows: tables, styles at the elements, light and dark. */
export const createHtml = ({ locale, title, picture, sentences, facts, link, sender }: HtmlContent): string =>
  `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="ltr">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeHtml(title)}</title>
    <style>${darkStyle}
    </style>
  </head>
  <body class="paper" style="margin:0;padding:0;background:#f0f0ec">
    <table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f0f0ec">
      <tr>
        <td align="center" style="padding:24px 12px">
          <table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border:1px solid #dfdfd9;border-radius:8px">
            <tr><td style="padding:32px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${picture ? createPicture(picture) : ''}
            <tr>
              <td>
                <h1 class="ink" style="margin:0 0 16px;color:#17181c;${font};font-size:24px;line-height:32px;font-weight:600;word-break:break-word">${escapeHtml(title)}</h1>
                <p class="ink" style="margin:0 0 24px;color:#17181c;${font};font-size:16px;line-height:26px">${sentences.map(escapeHtml).join('<br>')}</p>
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${facts.map(createFact).join('')}
                </table>
              </td>
            </tr>${link ? createLink(link) : ''}
          </table>
            </td></tr>
          </table>
          <p class="soft" style="margin:16px 0 0;color:#5a5d65;${font};font-size:13px;line-height:20px">${escapeHtml(sender)}</p>
        </td>
      </tr>
    </table>
  </body>
</html>
`
