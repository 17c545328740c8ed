import { beforeEach, expect, test } from 'vitest'
import { createMailer } from '#adapters/mail/createMailer.js'
import { createSmtpMailer } from '#adapters/mail/createSmtpMailer.js'
import { mails } from '#base/db/tables/index.js'
import type { Mail, Mailer, MailOutcome } from '#base/ports/mail.js'
import { enqueueMail, sendMail } from '#notify/mails/sendMail.js'
import { createTestService } from '../../helpers/createTestService.js'
import { mintedToken } from '../../helpers/mintedToken.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startMailServer } from '../../helpers/startMailServer.js'

const service = openBeforeAll(() =>
  createTestService({
    network: { mailer },
    handlers: (deps) => ({ 'mails.send': sendMail(deps) }),
  }),
)
let sent: Mail[]
let answer: (mail: Mail) => Promise<MailOutcome>
const mailer: Mailer = {
  send: async (mail) => {
    sent.push(mail)
    return answer(mail)
  },
}
let loggedBefore: number
beforeEach(async () => {
  sent = []
  answer = async () => ({ status: 'sent' })
  loggedBefore = service.logged().length
  await service.deps.db.delete(mails)
  await service.database.executeSql(`delete from jobs where name = 'mails.send'`)
})

const recipient = 'ada@example.com'
const newMail = (projectId: string) =>
  ({ projectId, recipient, locale: 'de-DE', kind: 'nft-minted', data: mintedToken }) as const
const enqueue = ({ deps, projectId } = service) =>
  deps.db.transaction((tx) => enqueueMail(deps, tx, newMail(projectId)))
const findMails = () => service.deps.db.select().from(mails)
const findJobs = async ({ database } = service) =>
  (await database.executeSql(`select name from jobs where name = 'mails.send'`)).rows
const isDone = (of = service) => expect.poll(() => findJobs(of)).toEqual([])
const logged = () => service.logged().slice(loggedBefore)

/** A mail that no job is about, for a test that runs one by itself. */
const writeMail = async (): Promise<{ mailId: string }> => {
  const deps = { ...service.deps, jobs: { enqueue: async () => {} } }
  await deps.db.transaction((tx) => enqueueMail(deps, tx, newMail(service.projectId)))
  return { mailId: (await findMails())[0]?.id ?? '' }
}

test('default', async () => {
  await enqueue()
  await isDone()
  const [row] = await findMails()
  expect(sent).toMatchObject([{ id: row?.id, to: recipient, sender: 'Recto', locale: 'de-DE' }])
  expect(sent[0]?.subject).toBe('Dunes at Dusk #7 ist angekommen')
  expect(row?.sentAt).toBeInstanceOf(Date)
})

test('behavior: nothing is sent for what was undone', async () => {
  const undone = service.deps.db.transaction(async (tx) => {
    await enqueueMail(service.deps, tx, newMail(service.projectId))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await findMails()).toEqual([])
  expect(await findJobs()).toEqual([])
})

test('behavior: what is sent is not sent again', async () => {
  const job = await writeMail()
  await sendMail(service.deps)(job)
  await sendMail(service.deps)(job)
  expect(sent).toHaveLength(1)
})

test('behavior: killed before it was written down, it is sent again under the same id', async () => {
  const job = await writeMail()
  const killed = { ...service.deps, now: () => Number.NaN }
  await expect(sendMail(killed)(job)).rejects.toThrow()
  expect((await findMails())[0]?.sentAt).toBeNull()
  await sendMail(service.deps)(job)
  expect(sent.map(({ id }) => id)).toEqual([job.mailId, job.mailId])
  expect((await findMails())[0]?.sentAt).toBeInstanceOf(Date)
})

test('behavior: what a killed process left at work is sent', async () => {
  const restarted = await createTestService({ network: { mailer } })
  await enqueue(restarted)
  await restarted.database.executeSql(
    `update jobs set claim = gen_random_uuid(), kept_until = now() + interval '2 seconds'`,
  )
  await restarted.jobs.start({ 'mails.send': sendMail(restarted.deps) })
  await isDone(restarted)
  expect(sent).toHaveLength(1)
  await restarted.close()
})

test('behavior: while the mail server is away it is tried again', async () => {
  answer = async () => {
    if (sent.length < 2) throw new Error('away')
    return { status: 'sent' }
  }
  await enqueue()
  await expect.poll(() => sent).toHaveLength(2)
  await isDone()
  expect(sent[1]).toEqual(sent[0])
})

test('behavior: a server that goes away and comes back is sent to, by way of a real one', async () => {
  const first = await startMailServer()
  await first.close()
  const real = createSmtpMailer({ url: first.url, from: 'shop@recto.example' })
  answer = (mail) => real.send(mail)
  await enqueue()
  await expect.poll(() => logged()).toContain('the mail server did not accept an e-mail')
  expect((await findMails())[0]?.sentAt).toBeNull()
  const second = await startMailServer()
  const moved = createSmtpMailer({ url: second.url, from: 'shop@recto.example' })
  answer = (mail) => moved.send(mail)
  await expect.poll(() => second.received).toHaveLength(1)
  const { headers, bodies } = second.received[0]?.message ?? {}
  expect(headers?.get('subject')).toBe('Dunes at Dusk #7 ist angekommen')
  expect(bodies?.get('text/plain')).toContain('Es liegt in Ihrer Wallet bei Recto.')
  expect(bodies?.get('text/html')).toContain('<html lang="de-DE" dir="ltr">')
  expect(logged()).not.toContain(recipient)
  await second.close()
})

test('error: an address refused for good is given up, and not logged', async () => {
  answer = async () => ({ status: 'refused', code: 550 })
  await enqueue()
  await isDone()
  const [row] = await findMails()
  expect(row?.sentAt).toBeNull()
  expect(logged()).toContain('the mail server permanently refused an e-mail')
  expect(logged()).toContain(row?.id)
  expect(logged()).not.toContain(recipient)
})

test('error: without a mail server they are kept, which is said once', async () => {
  const kept = createMailer({ smtp: undefined, isSandbox: false }, service.deps.log)
  answer = (mail) => kept.send(mail)
  await enqueue()
  await isDone()
  expect((await findMails())[0]?.sentAt).toBeNull()
  expect(logged().match(/no e-mails are sent/g)).toHaveLength(1)
  expect(logged()).not.toContain('job failed')
})

test('parameters: a mail that is not there', async () => {
  await sendMail(service.deps)({ mailId: '00000000-0000-4000-8000-000000000000' })
  expect(sent).toEqual([])
})
