import { keepMail } from '../outbox'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

const writeHtml = (email: string, url: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <title>Sign in to Recto</title>
    <style>
      body { margin: 0; padding: 40px 24px; background: #fcfcfb; color: #17181c; font-size: 16px; line-height: 26px }
      main { max-width: 30rem; margin: 0 auto }
      h1 { margin: 0 0 16px; font-size: 24px; line-height: 32px; font-weight: 600 }
      p { margin: 0 0 24px }
      a { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #2436c2; color: #fff; font-weight: 600; text-decoration: none }
      .soft { color: #5a5d65; font-size: 14px; line-height: 22px }
      @media (prefers-color-scheme: dark) {
        body { background: #121317; color: #f1f1ee }
        a { background: #a8b3ff; color: #10131f }
        .soft { color: #a9acb4 }
      }
    </style>
  </head>
  <body style="${font}">
    <main>
      <h1>Sign in to Recto</h1>
      <p>Open your wallet at Recto as ${escapeHtml(email)}. The link works once, for 15 minutes.</p>
      <p><a href="${escapeHtml(url)}" target="_blank" rel="noopener">Sign in</a></p>
      <p class="soft">Did you not ask for this? Ignore this mail: without the link, no one is signed in.</p>
    </main>
  </body>
</html>`

/**
 * Sends a sign-in link by e-mail. In a sandbox the e-mail goes to its mailbox; in your own shop, call your
 * mail provider here.
 *
 * @param url - The whole address of the link.
 */
export const sendSignInMail = (email: string, url: string): void =>
  keepMail({
    to: email,
    sender: 'Recto',
    subject: 'Sign in to Recto',
    text: [
      `Open your wallet at Recto as ${email}. The link works once, for 15 minutes.`,
      url,
      'Did you not ask for this? Ignore this mail: without the link, no one is signed in.',
    ].join('\n\n'),
    html: writeHtml(email, url),
    locale: 'en-US',
  })
