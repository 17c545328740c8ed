/** An e-mail to send. */
export type Mail = {
  /** Identical for all attempts at an e-mail, so that a mail server may recognise a repetition. */
  id: string
  to: string
  /** The sender's name, shown with the deployment's own address. */
  sender: string
  subject: string
  text: string
  html: string
  /** The language of the text. */
  locale: string
}

/**
 * The outcome of an e-mail: sent, refused permanently with the mail server's code, or kept because there is
 * no server.
 */
export type MailOutcome = { status: 'sent' } | { status: 'refused'; code: number } | { status: 'kept' }

/** Sends e-mails. It rejects if the mail server did not accept one, which is tried again later. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> }
