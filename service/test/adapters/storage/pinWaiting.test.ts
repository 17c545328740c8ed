import { asc, isNull } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { createIpfsNode } from '#adapters/storage/createIpfsNode.js'
import { pinFile, pinWaiting } from '#adapters/storage/pin.js'
import { files, jobs } from '#base/db/tables/index.js'
import { limits } from '../../../../test/limits.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startIpfsNode } from '../../helpers/startIpfsNode.js'

const database = openBeforeAll(createTestDatabase)
const node = openBeforeAll(startIpfsNode)

test('default: what was stored before there was an IPFS node is pinned, each once', async () => {
  const before = await createTestService({ database })
  const cids: string[] = []
  for (let at = 0; at < 5; at++)
    cids.push(await before.deps.storage.put(Buffer.from(`print ${at}`), 'image/png'))
  await before.close()
  const after = await createTestService({
    database,
    config: { ipfsRpcUrl: node.url },
    handlers: (deps) => ({ 'files.pin': pinFile(deps, createIpfsNode(node.url)) }),
  })
  await pinWaiting(after.deps, 2)
  await vi.waitFor(async () => {
    const waiting = await database.db.select({ cid: files.cid }).from(files).where(isNull(files.pinnedAt))
    expect(waiting).toEqual([])
  }, limits.conditionMs)
  expect(node.kept.toSorted()).toEqual(cids.toSorted())
  const stored = await database.db.select({ cid: files.cid }).from(files).orderBy(asc(files.cid))
  expect(stored).toHaveLength(5)
  await expect.poll(() => database.db.select().from(jobs)).toEqual([])
  await after.jobs.stop()
  await pinWaiting(after.deps, 2)
  expect(await database.db.select().from(jobs)).toEqual([])
  await after.close()
})
