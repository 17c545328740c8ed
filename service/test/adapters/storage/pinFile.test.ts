import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createIpfsNode } from '#adapters/storage/createIpfsNode.js'
import { pinFile } from '#adapters/storage/pin.js'
import { files } from '#base/db/tables/index.js'
import { limits } from '../../../../test/limits.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startIpfsNode } from '../../helpers/startIpfsNode.js'

const withPassword = (url: string) => url.replace('//', '//ada:hunter2-hunter2@')

const node = openBeforeAll(startIpfsNode)
let service: TestService

beforeAll(async () => {
  const ipfsRpcUrl = `${withPassword(node.url)}/`
  service = await createTestService({
    config: { ipfsRpcUrl },
    handlers: (deps) => ({ 'files.pin': pinFile(deps, createIpfsNode(ipfsRpcUrl)) }),
  })
})
afterEach(() => node.forget())
afterAll(async () => {
  await service.close()
})

const put = (content: string | Uint8Array) =>
  service.deps.storage.put(typeof content === 'string' ? Buffer.from(content) : content, 'image/png')

const pinnedAt = async (cid: string): Promise<Date | null | undefined> => {
  const [file] = await service.deps.db
    .select({ pinnedAt: files.pinnedAt })
    .from(files)
    .where(eq(files.cid, cid))
  return file?.pinnedAt
}

const isPinned = (cid: string) => expect.poll(() => pinnedAt(cid)).toBeInstanceOf(Date)

test.each([5, 700_000])('default, %i bytes', async (size) => {
  const cid = await put(Uint8Array.from({ length: size }, (_, index) => index % 251))
  await isPinned(cid)
  expect(node.kept).toEqual([cid])
  expect(node.authorizations).toEqual([`Basic ${btoa('ada:hunter2-hunter2')}`])
})

test('behavior: a file is pinned once, however often it is put or the job runs', async () => {
  const [cid = ''] = await Promise.all(Array.from({ length: 5 }, () => put('a print')))
  await isPinned(cid)
  await put('a print')
  await pinFile(service.deps, createIpfsNode(node.url))({ cid })
  expect(node.kept).toEqual([cid])
})

test('behavior: a node that is out of order is asked again, and what is logged names no password', async () => {
  node.failWith(503, 1)
  const cid = await put('patience')
  await expect.poll(() => service.logged()).toContain('the IPFS node answered 503')
  expect(await pinnedAt(cid)).toBeNull()
  await isPinned(cid)
  expect(node.asked).toHaveLength(2)
  expect(node.kept).toEqual([cid])
  expect(service.logged()).not.toContain('hunter2')
})

test('behavior: a node that is gone is waited for', async () => {
  const cid = await put('gone')
  await isPinned(cid)
  await service.deps.db.update(files).set({ pinnedAt: null }).where(eq(files.cid, cid))
  const gone = await startIpfsNode()
  await gone.close()
  const pin = pinFile(service.deps, createIpfsNode(withPassword(gone.url)))
  const failed: unknown = await pin({ cid }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Error)
  expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('hunter2')
  expect(await pinnedAt(cid)).toBeNull()
})

test('behavior: a node that gives another identifier is reported, and the job ends', async () => {
  node.misname('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
  const cid = await put('misnamed')
  await expect.poll(() => service.logged()).toContain('gives a file another identifier')
  expect(await pinnedAt(cid)).toBeNull()
  await vi.waitFor(async () => {
    const { rows } = await service.database.executeSql(
      `select name from jobs where name = 'files.pin' and data->>'cid' = $1`,
      [cid],
    )
    expect(rows).toEqual([])
  }, limits.conditionMs)
})

test('behavior: where no node is named nothing is enqueued', async () => {
  const unpinned = await createTestService()
  await unpinned.deps.storage.put(Buffer.from('kept here only'), 'text/plain')
  const { rows } = await unpinned.database.executeSql(`select name from jobs where name = 'files.pin'`)
  expect(rows).toEqual([])
  await unpinned.close()
})
