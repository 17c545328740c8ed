import { eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { files } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'
import { ServiceError } from '#base/errors.js'
import { contentTypeOf } from '#base/lib/contentTypeOf.js'
import { createBatch } from '#base/lib/createBatch.js'
import type { Jobs } from '#base/ports/jobs.js'
import type { ContentRange, Storage } from '#base/ports/storage.js'
import { cidOf } from './cidOf.js'

const limitMiB = 20
/** How many bytes are sent to the database without asking whether it has them. */
const maxUnasked = 4_096

/** The form of a stored identifier. The database refuses to search for some other texts. */
const isCid = (text: string): boolean => /^b[a-z2-7]{1,100}$/.test(text)

/** Selects a part of the bytes, so that the database sends no more of a film than requested. */
const partOf = ({ start, end }: ContentRange) =>
  sql<Uint8Array>`substring(${files.bytes} from ${start + 1}::int for ${end - start + 1}::int)`.mapWith(
    files.bytes,
  )

type File = Pick<typeof files.$inferInsert, 'cid' | 'contentType' | 'bytes'>

const insertRows = createInsert(files, ['cid', 'contentType', 'bytes'], 'nothing')

const insert = (db: Database | Transaction, file: File) =>
  db.insert(files).values(file).onConflictDoNothing().returning({ cid: files.cid })

/**
 * Stores files in the database under their IPFS content identifiers.
 *
 * @param jobs - Present if an IPFS node pins each file when it is first stored.
 */
export const createStorage = (db: Database, jobs?: Jobs): Storage => {
  const insertSmall = createBatch(async (some: readonly File[]) => {
    await insertRows(db, some)
    return some
  })
  return {
    put: async (bytes, contentType) => {
      if (bytes.length > limitMiB * 1024 * 1024)
        throw new ServiceError('body-too-large', `A file can have at most ${limitMiB} MiB`)
      const cid = await cidOf(bytes)
      const file = { cid, contentType: contentTypeOf(bytes, contentType), bytes }
      if (!jobs && bytes.length <= maxUnasked) {
        await insertSmall(file)
        return cid
      }
      // Many tokens often share one picture. It is sent to the database once.
      const [known] = await db.select({ cid: files.cid }).from(files).where(eq(files.cid, cid))
      if (known) return cid
      await db.transaction(async (tx) => {
        const added = await insert(tx, file)
        if (jobs && added.length) await jobs.enqueue(tx, 'files.pin', { cid })
      })
      return cid
    },
    describe: async (cid) => {
      if (!isCid(cid)) return undefined
      const size = sql<number>`octet_length(${files.bytes})`
      const [file] = await db
        .select({ contentType: files.contentType, size })
        .from(files)
        .where(eq(files.cid, cid))
      return file
    },
    get: async (cid, range) => {
      if (!isCid(cid)) return undefined
      const bytes = range ? partOf(range) : files.bytes
      const [file] = await db
        .select({ bytes, contentType: files.contentType })
        .from(files)
        .where(eq(files.cid, cid))
      return file
    },
  }
}
