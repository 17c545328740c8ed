import { Hono } from 'hono'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailer } from '#adapters/mail/createMailer.js'
import { mails } from '#base/db/tables/index.js'
import { createSandbox } from '#entry/sandbox/createSandbox.js'
import { createProject } from '#identity/projects/projects.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { enqueueMail, listMails, sendMail } from '#notify/mails/sendMail.js'
import { createTestService } from '../../helpers/createTestService.js'
import { mintedToken } from '../../helpers/mintedToken.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const service = openBeforeAll(createTestService)
let app: Hono<ServiceEnv>
beforeAll(async () => {
  app = new Hono<ServiceEnv>().route('/', createSandbox(service.deps, service.projectId, new Map()))
})
beforeEach(async () => {
  await service.deps.db.delete(mails)
})

const enqueue = (tokenId: string, projectId = service.projectId) =>
  service.deps.db.transaction((tx) =>
    enqueueMail(service.deps, tx, {
      projectId,
      recipient: 'ada@example.com',
      locale: 'fr-FR',
      kind: 'nft-minted',
      data: { ...mintedToken, tokenName: `Dunes #${tokenId}`, tokenId },
    }),
  )
const open = async () => {
  const response = await app.request('/sandbox/mails')
  const body = (await response.json()) as { mails: Record<string, unknown>[] }
  return { response, mails: body.mails }
}

test('default', async () => {
  await enqueue('7')
  expect((await open()).mails).toEqual([
    {
      id: expect.any(String),
      to: 'ada@example.com',
      sender: 'Recto',
      subject: 'Vous avez reçu Dunes #7',
      text: expect.stringContaining('C’est dans votre portefeuille chez Recto.'),
      html: expect.stringContaining('<html lang="fr-FR" dir="ltr">'),
      locale: 'fr-FR',
      sentAt: null,
    },
  ])
})

test('behavior: its sender is what customers know the project as', async () => {
  const senderOf = async (project: string, displayName?: string) => {
    const { db } = service.deps
    const projectId = await createProject(db, project, displayName)
    const { projectName: _, ...data } = mintedToken
    const mail = { projectId, recipient: 'a@b.example', locale: 'en-US', kind: 'nft-minted', data } as const
    await db.transaction((tx) => enqueueMail(service.deps, tx, mail))
    const [stored] = await listMails(db, projectId)
    return stored?.sender
  }
  expect(await senderOf('plain')).toBe('plain')
  expect(await senderOf('gallery', 'The Gallery')).toBe('The Gallery')
})

test('behavior: the newest 50, of this project alone', async () => {
  await enqueue('other', await createProject(service.deps.db, 'other'))
  for (let id = 1; id <= 52; id += 1) {
    await enqueue(String(id))
    await service.advance(1_000)
  }
  const subjects = (await open()).mails.map(({ subject }) => subject)
  expect(subjects).toHaveLength(50)
  expect(subjects[0]).toBe('Vous avez reçu Dunes #52')
  expect(subjects.at(-1)).toBe('Vous avez reçu Dunes #3')
})

test('behavior: an empty one, which no page of another origin may read', async () => {
  const { response, mails } = await open()
  expect(mails).toEqual([])
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

test('error: there is none outside the sandbox', async () => {
  expect((await service.app.request('/sandbox/mails')).status).toBe(404)
})

test('behavior: where there is no mail server, being here is being sent', async () => {
  await enqueue('7')
  const mailer = createMailer({ smtp: undefined, isSandbox: true }, service.deps.log)
  await service.jobs.start({ 'mails.send': sendMail({ ...service.deps, mailer }) })
  await expect.poll(async () => (await open()).mails[0]?.sentAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(service.logged()).not.toContain('no e-mails are sent')
})
