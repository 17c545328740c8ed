/** An e-mail as it is sent. */
export type Mail = {
  /** Of the mail, for as long as it is tried: a mail server may recognise a repetition by it. */
  id: string
  to: string
  /** Whose mail it is: the name that stands beside the deployment's own address. */
  sender: string
  subject: string
  text: string
  html: string
  /** Language of the words. */
  locale: string
}

/** What became of an e-mail: on its way, refused for good with the mail server's code, or kept for want of a server. */
export type MailOutcome = { status: 'sent' } | { status: 'refused'; code: number } | { status: 'kept' }

/** Sends e-mails. Rejects when the mail server did not take one; it is tried again later. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome> }
