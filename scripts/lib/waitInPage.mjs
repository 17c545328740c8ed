import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './paths.mjs'
import { seconds } from './steps.mjs'

const maxTextLength = 400

/** @param {string} text */
const shorten = (text) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}…` : line
}

/**
 * Returns what the browser reports, without the log that Playwright appends. A timeout needs no reason, because the
 * duration says it.
 * @param {unknown} error
 */
const describeReason = (error) => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Playwright colours its messages.
  const [line = ''] = error.message.replace(/\x1b\[\d+(;\d+)*m/g, '').split('\n')
  return `The browser reports: ${line}`
}

/**
 * Says in plain words why a wait in a page ended without what was waited for.
 * @param {{
 *   awaited: string, waitedMs: number, reason?: string | undefined, text?: string | undefined,
 *   picture?: string | undefined,
 * }} stop `text` and `picture` are undefined if the page could not be read or photographed
 */
export const explainStop = ({ awaited, waitedMs, reason, text, picture }) => {
  const shown = text === undefined ? '' : shorten(text)
  return [
    `The purchase stopped. It waited ${seconds(waitedMs)} for ${awaited}.`,
    text === undefined
      ? 'The page could not be read.'
      : shown
        ? `The page showed: "${shown}"`
        : 'The page showed no text.',
    picture && `Its screenshot is ${relative(root, picture)}.`,
    reason,
  ]
    .filter(Boolean)
    .join('\n')
}

/**
 * Reads a page's text and takes its picture, as far as the page still answers.
 * @param {import('playwright').Page} page
 * @param {string} path of the picture
 */
const capture = async (page, path) => {
  const timeout = 10_000
  rmSync(path, { force: true })
  const [text, picture] = await Promise.all([
    page
      .locator('body')
      .innerText({ timeout })
      .catch(() => undefined),
    page.screenshot({ path, timeout }).then(
      () => path,
      () => undefined,
    ),
  ])
  return { text, picture }
}

/**
 * Waits for work in a page, and gives up at once when a program behind the page ends. The error says what was waited
 * for, what the page showed and where its screenshot is.
 * @template T
 * @param {import('playwright').Page} page
 * @param {{ awaited: string, picture: string, ended: Promise<string> }} options `ended` resolves with a report once a
 *   program behind the page has ended
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const waitInPage = async (page, { awaited, picture, ended }, work) => {
  const startedAt = performance.now()
  /** @type {string | undefined} */
  let report
  const failure = ended.then((said) => {
    report = said
    throw new Error(said)
  })
  try {
    return await Promise.race([work(), failure])
  } catch (error) {
    const waitedMs = performance.now() - startedAt
    const reason = report ?? describeReason(error)
    throw new Error(explainStop({ awaited, waitedMs, reason, ...(await capture(page, picture)) }))
  }
}
