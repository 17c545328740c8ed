import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleAccounts, consoleSessions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { invite } from '#identity/console/accounts.js'
import { sendLinks, signInByLink } from '#identity/console/links.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'
import { secretOf } from '../../helpers/openConsole.js'

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let url: string
  let service: TestService
  let close: () => Promise<void>
  let beside: Deps
  let sent = 0

  beforeAll(async () => {
    const database = await kind.open()
    url = database.url ?? ''
    const another = await kind.open(url)
    const mailer: Deps['mailer'] = {
      send: async () => {
        sent++
        return { status: 'sent' }
      },
    }
    service = await createTestService({ database, network: { mailer } })
    beside = { ...service.deps, db: another.db }
    close = async () => {
      await service.close()
      await another.close()
      await database.close()
    }
  })
  afterAll(() => close())

  test('behavior: a link that two processes use at once opens one session', async () => {
    const { deps, projectId } = service
    const secret = secretOf(await invite(deps, { projectId, role: 'owner' }))
    const ended = await meet(url, { text: 'select 1 from console_tokens for update' }, [
      () => signInByLink(deps, { secret, client: {} }),
      () => signInByLink(beside, { secret, client: {} }),
    ])
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'key-invalid' } }])
    expect(await deps.db.$count(consoleSessions)).toBe(1)
    expect(await deps.db.$count(consoleAccounts)).toBe(1)
  })

  test('behavior: of two links of one person, used at once, one opens an account', async () => {
    const { deps, projectId } = service
    const input = { projectId, email: 'grace@example.com' }
    const first = secretOf(await invite(deps, { ...input, role: 'viewer' }))
    const second = secretOf(await invite(deps, { ...input, role: 'owner' }))
    const ended = await meet(url, { text: 'select 1 from console_tokens for update' }, [
      () => signInByLink(deps, { secret: first, client: {} }),
      () => signInByLink(beside, { secret: second, client: {} }),
    ])
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'key-invalid' } }])
    const isGrace = eq(consoleAccounts.email, input.email)
    expect(await deps.db.select().from(consoleAccounts).where(isGrace)).toMatchObject([{ role: 'viewer' }])
  })

  test('behavior: two processes that send links at once send no more than an account may have', async () => {
    const { deps, projectId } = service
    const email = 'ada@example.com'
    const secret = secretOf(await invite(deps, { projectId, role: 'owner', email }))
    await signInByLink(deps, { secret, client: {} })
    for (let count = 0; count < 4; count++) await sendLinks(deps)({ email })
    await meet(url, { text: 'select 1 from console_accounts for update' }, [
      () => sendLinks(deps)({ email }),
      () => sendLinks(beside)({ email }),
    ])
    expect(sent).toBe(5)
  })
})
