import type { Mail } from '../mail/port.js'
import { chainLabel } from './chainLabel.js'
import { createHtml } from './createHtml.js'
import type { StoredMail } from './storedMail.js'
import { mailTexts } from './texts/index.js'

// A name may hold line breaks and the like, which have no business in a subject.
const toLine = (text: string | undefined): string => (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim()

const toLink = (text: string | undefined): string | undefined => {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const fill = (sentence: string, name: string, value: string): string =>
  sentence.split(`{${name}}`).join(value)

/** Puts a mail into words, in its recipient's language. */
export const renderMail = ({ id, recipient, locale, data, project }: StoredMail): Mail => {
  const texts = mailTexts[locale]
  const tokenName = toLine(data.tokenName)
  const sender = toLine(data.projectName) || project
  const subject = fill(texts.subject, 'tokenName', tokenName)
  const sentences = [fill(texts.kept, 'projectName', sender), texts.nothingToDo]
  const facts: [string, string][] = [
    [texts.collection, toLine(data.collectionName)],
    [texts.token, toLine(data.tokenId)],
    [texts.network, chainLabel(toLine(data.chain))],
    [texts.contract, toLine(data.contractAddress)],
  ]
  const url = toLink(data.explorerUrl)
  const text = [
    subject,
    '',
    ...sentences,
    '',
    ...facts.map((fact) => fact.join(': ')),
    ...(url ? ['', `${texts.view}: ${url}`] : []),
    '',
    sender,
    '',
  ].join('\n')
  const imageUrl = toLink(data.imageUrl)
  const html = createHtml({
    locale,
    title: subject,
    sentences,
    facts,
    sender,
    ...(imageUrl && { picture: { url: imageUrl, alt: tokenName } }),
    ...(url && { link: { url, label: texts.view } }),
  })
  return { id, to: recipient, sender, subject, text, html, locale }
}
