import { findLocale } from 'kassa/schema'
import { loadMessages } from '../../messages'
import { createTranslate } from '../language/createTranslate'
import type { Language } from '../language/languages'
import { keepMail } from '../outbox'
import { type MailContent, writeMailHtml, writeMailText } from './writeMailHtml'

/**
 * Sends a sign-in link by e-mail. In a sandbox the e-mail goes to its mailbox; in your own shop, call your
 * mail provider here.
 *
 * @param link.url - The whole address of the link.
 * @param link.language - The language of the e-mail.
 */
export const sendSignInMail = async (
  email: string,
  { url, language }: { url: string; language: Language },
): Promise<void> => {
  const t = createTranslate(language, await loadMessages(language), 'mails')
  const content: MailContent = {
    title: t('signInTitle'),
    sentences: [t('signInText', { email })],
    link: { url, label: t('signIn') },
    note: t('signInNote'),
  }
  keepMail({
    to: email,
    sender: 'Recto',
    subject: content.title,
    text: writeMailText(content),
    html: writeMailHtml(content, language),
    locale: findLocale(language),
  })
}
