import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { files } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import type { Jobs } from '../jobs/port.js'
import { cidOf } from './cidOf.js'
import { contentTypeOf } from './contentTypeOf.js'
import type { ContentRange, Storage } from './port.js'

const limitMiB = 20

/** Anything else is in no database, and some of it the database would refuse to look for. */
const isCid = (text: string): boolean => /^b[a-z2-7]{1,100}$/.test(text)

/** The database cuts it out, so that of a film no more is read than is asked for. */
const partOf = ({ start, end }: ContentRange) =>
  sql<Uint8Array>`substring(${files.bytes} from ${start + 1}::int for ${end - start + 1}::int)`.mapWith(
    files.bytes,
  )

/**
 * Keeps contents in the database under their IPFS content identifiers.
 *
 * @param jobs - given where an IPFS node is to pin each content too, when it is first put.
 */
export const createStorage = (db: Database, jobs?: Jobs): Storage => ({
  put: async (bytes, contentType) => {
    if (bytes.length > limitMiB * 1024 * 1024)
      throw new ServiceError('body-too-large', `A file may have ${limitMiB} MiB at most`)
    const cid = await cidOf(bytes)
    // One picture is often that of many tokens: it is not sent to the database again for each.
    const [known] = await db.select({ cid: files.cid }).from(files).where(eq(files.cid, cid))
    if (known) return cid
    await db.transaction(async (tx) => {
      const added = await tx
        .insert(files)
        .values({ cid, contentType: contentTypeOf(bytes, contentType), bytes })
        .onConflictDoNothing()
        .returning({ cid: files.cid })
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
})
