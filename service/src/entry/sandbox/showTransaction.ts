import type { Context } from 'hono'
import { html } from 'hono/html'
import { chainLabel } from '#base/lib/chainLabel.js'
import { readTransaction, type ShownTransaction } from './readTransaction.js'
import type { SandboxChain } from './sandboxChain.js'

const style = `
  :root { color-scheme: light dark; --ink: #16171b; --soft: #5c5f68; --line: #dddfe3; --paper: #fcfcfb; --good: #17663a; --bad: #a11d1d }
  @media (prefers-color-scheme: dark) { :root { --ink: #ececee; --soft: #a2a6b0; --line: #34363d; --paper: #121317; --good: #7fd6a2; --bad: #ff9d94 } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
  header p { margin: 0; color: var(--soft) }
  h1 { margin: 0 0 1.5rem; font-size: 1.75rem; line-height: 1.2 }
  h2 { margin: 2.5rem 0 .5rem; font-size: 1.125rem }
  dl { margin: 0 }
  dl div, li { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .25rem 1rem; padding: .625rem 0; border-top: 1px solid var(--line) }
  dt, .side { color: var(--soft) }
  dd { margin: 0; overflow-wrap: anywhere }
  code { font: .875em/1.5 ui-monospace, monospace }
  ul { margin: 0; padding: 0; list-style: none }
  li strong { grid-column: 1 / -1; font-weight: 600; overflow-wrap: anywhere }
  li code { overflow-wrap: anywhere }
  .succeeded { color: var(--good); font-weight: 600 } .failed { color: var(--bad); font-weight: 600 }
  footer { margin-top: 3rem; color: var(--soft); font-size: .875rem }
  @media (max-width: 32rem) { dl div, li { grid-template-columns: minmax(0, 1fr) } }
`

const statuses: Readonly<Record<ShownTransaction['status'], string>> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  pending: 'Not in a block yet',
}

const code = (text: string | undefined) => text && html`<code>${text}</code>`

const listFacts = (found: ShownTransaction, isSolana: boolean) =>
  [
    ['Status', html`<span class="${found.status}">${statuses[found.status]}</span>`],
    [isSolana ? 'Slot' : 'Block', found.block],
    ['Time', found.at && html`<time datetime="${found.at.toISOString()}">${found.at.toUTCString()}</time>`],
    [isSolana ? 'Fee payer' : 'From', code(found.from)],
    ['To', code(found.to)],
    ['Value', found.value],
    ['Network fee', found.fee],
  ].filter(([, value]) => value !== undefined)

const side = (name: string, account: string | undefined) =>
  account && html`<span class="side">${name}</span><code>${account}</code>`

/**
 * Answers with a page about a transaction of a local chain, which no public explorer sees. Browsers neither run a script
 * in it nor frame it.
 */
export const showTransaction = async (c: Context, chain: SandboxChain, hash: string): Promise<Response> => {
  const found = await readTransaction(chain, hash)
  const label = chainLabel(chain.chain)
  const isSolana = 'operator' in chain
  c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  const details = found
    ? html`
        <dl>
          ${listFacts(found, isSolana).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}
          <div><dt>${isSolana ? 'Signature' : 'Hash'}</dt><dd><code>${hash}</code></dd></div>
        </dl>
        ${
          found.movements.length > 0 &&
          html`<h2>${isSolana ? 'Changes of balances' : 'Token transfers'}</h2>
          <ul>
            ${found.movements.map(
              ({ what, from, to }) =>
                html`<li><strong>${what}</strong>${side('From', from)}${side('To', to)}</li>`,
            )}
          </ul>`
        }`
    : html`<p>${label} has no transaction <code>${hash}</code>. If it was sent just now, reload this page.</p>`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Transaction ${hash.slice(0, 10)}…, ${label}</title>
        <style>${style}</style>
      </head>
      <body>
        <main>
          <header><p>${label}, sandbox</p><h1>Transaction</h1></header>
          ${details}
          <footer>This chain runs on the sandbox’s machine for testing. Nothing on it has value.</footer>
        </main>
      </body>
    </html>`
  return c.html(page, found ? 200 : 404)
}
